package attribution

import (
	"fmt"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// specEvidence is who wrote a Namespace's spec.finalizers: a list that managedFields have as a whole. The namespace
// controller removes its own entry, and then holds the others as well.
func (w writes) specEvidence() finding.Evidence {
	var last writers.Written
	for _, writer := range writers.Writers(w.object.Meta.ManagedFields, "f:spec", "f:finalizers") {
		if !(writers.Setter{Manager: writer.Manager}).Copied() && !writer.At.Before(last.At) {
			last = writer
		}
	}
	if last.Manager == "" {
		return w.managed(time.Time{}, "they don't show who wrote this entry of spec.finalizers").Ranked(finding.Second)
	}
	observed := fmt.Sprintf("%q wrote spec.finalizers at least %s ago", last.Manager, w.search.session.Ago(last.At))
	return w.managed(last.At, observed).Ranked(finding.Second)
}
