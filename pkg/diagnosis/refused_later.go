package diagnosis

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// addRefusedLater adds what will refuse the last write to objects that wait for nothing but what ends without a person:
// the end of the waits won't end their deletion. Where something else is to be repaired first, that is what is told.
func (r *run) addRefusedLater(ctx context.Context) {
	for node := range r.graph.Nodes() {
		object := r.objects[node]
		if object == nil || object.Meta == nil || !object.Terminating() || r.blocked(node) || ctx.Err() != nil {
			continue
		}
		for _, hold := range object.Holds() {
			if said := r.answers[held{object.Ref, hold}]; len(said.Waits) > 0 {
				r.apply(node, &hold, mechanism.RefusedLater(ctx, r.tools, object, hold, said))
			}
		}
	}
}

// blocked reports whether an object waits for a cause.
func (r *run) blocked(node int) bool {
	for reached := range r.graph.Reach(node) {
		if len(r.at(reached).causes) > 0 {
			return true
		}
	}
	return false
}
