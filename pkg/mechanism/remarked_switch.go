package mechanism

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// remarkSwitches adds to an answer that a controller runs, and that nothing shows why it doesn't act, what may tell it
// not to: fields and annotations that many kinds have for other purposes, locked or enabled. They decide nothing.
func remarkSwitches(said Answer, held Held) Answer {
	if len(said.Causes) != 1 || len(said.Progress)+len(said.Waits) > 0 || acts(said) || lacksReads(said) {
		return said
	}
	details, is := said.Causes[0].Details.(finding.ControllerUnknownDetails)
	if !is || details.Controller == nil {
		return said
	}
	cause := said.Causes[0]
	cause.Evidence = slices.Clone(cause.Evidence)
	for _, one := range switches.Remarked(fieldsOf(held.Object)) {
		if concerns(one, held) {
			observed := one.Field() + ": " + one.Value + ", which may tell the controller not to delete it"
			cause.Evidence = slices.Insert(cause.Evidence, 0, session.ObservedOf(held.Object, observed))
		}
	}
	said.Causes = []Finding{cause}
	return said
}
