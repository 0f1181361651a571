package print

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// ofCluster reports whether a cause concerns the whole cluster, and not only the namespace that waits for it.
func ofCluster(cause result.RootCause) bool {
	return cause.Reason == finding.APIServiceUnavailable || cause.Reason == finding.ControlPlaneDown
}

// inPrintedOrder is a diagnosis with its causes in the order in which an answer describes them, by which it numbers
// them: behind a namespace's own those of the whole cluster.
func inPrintedOrder(d *result.Diagnosis) *result.Diagnosis {
	if d.Target.Kind != "Namespace" {
		return d
	}
	ordered := *d
	own := func(cause result.RootCause) bool { return !ofCluster(cause) }
	ordered.RootCauses = slices.Concat(slices.DeleteFunc(slices.Clone(d.RootCauses), ofCluster),
		slices.DeleteFunc(slices.Clone(d.RootCauses), own))
	return &ordered
}
