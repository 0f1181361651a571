package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Absent tells of a finalizer on a live object whether it is certain that nobody is there to remove it,
// and why. This is where a finalizer's controller is judged without a deletion: today that is
// kube-controller-manager, whose Lease tells.
func (w *World) Absent(ctx context.Context, object *Object, finalizer string) (graph.Cause, bool) {
	known, found := w.Plugins.Find(finalizer, object.Resource.GroupKind().String())
	if !found || known.RemovedBy != controllerManager {
		return graph.Cause{}, false
	}
	answer, down := w.controllerManagerDown(ctx)
	if !down {
		return graph.Cause{}, false
	}
	for _, wait := range answer.Waits {
		for _, cause := range wait.Otherwise.Causes {
			return cause, true
		}
	}
	return graph.Cause{}, false
}
