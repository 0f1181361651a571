package mechanism

import (
	"context"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// knownFinalizer explains finalizers of which it is known who removes them and when, but whose
// release condition no mechanism reads. It tells whether the component is alive, and no more.
func knownFinalizer(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.Finalizer {
		return Answer{}, false
	}
	known, found := w.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	if !found {
		return Answer{}, false
	}
	unchecked := Note{
		Message:  fmt.Sprintf("%s is held by %s, which %s removes when %s. Whether that is so was not looked at.", object.Ref, hold.Name, known.RemovedBy, known.WaitsFor),
		Awaited:  fmt.Sprintf("%s to remove %s, which it does when %s", known.RemovedBy, hold.Name, known.WaitsFor),
		Evidence: []graph.Evidence{{Source: "what is known of " + hold.Name, Observed: known.Source}},
	}
	if known.RemovedBy != controllerManager {
		return open(unchecked), true
	}
	answer, alive := w.controllerManagerAlive(ctx)
	if alive {
		return open(unchecked), true
	}
	return answer, true
}
