package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// overrideOpen lets the removals by force override what is open about the objects that they free, as the removal itself
// will ask: the answer tells it, and a step that is printed can be carried out.
func overrideOpen(answer *result.Diagnosis) {
	for i, cause := range answer.RootCauses {
		open := func(observation result.Observation) bool {
			return observation.Verdict == result.Undetermined && observation.Object.SameAs(cause.Object) &&
				(len(observation.Holds) == 0 || slices.ContainsFunc(observation.Holds, func(hold finding.Hold) bool {
					return slices.Contains(cause.FinalizersOf(cause.Object), hold.Name)
				}))
		}
		if slices.ContainsFunc(answer.Observations, open) {
			answer.RootCauses[i].Remedies = session.Overriding(cause.Remedies, string(result.Undetermined))
		}
	}
}
