package diagnosis

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// addRefusedLater adds what will refuse the last write to objects that wait for nothing but what ends without a person:
// the end of the waits won't end their deletion. Where something else is to be repaired first, that is what is told.
func (r *run) addRefusedLater(ctx context.Context) {
	var blocked []bool
	known := -1
	for node := range r.graph.Nodes() {
		if ctx.Err() != nil {
			return
		}
		object := r.objects[node]
		if object == nil || object.Meta == nil || !object.Terminating() {
			continue
		}
		if now := r.placed + len(r.graph.Edges()); now != known {
			known, blocked = now, r.blocked()
		}
		if blocked[node] {
			continue
		}
		for _, hold := range object.Holds() {
			if said := r.answers[held{object.Ref, hold}]; len(said.Waits) > 0 {
				r.apply(node, &hold, mechanism.RefusedLater(ctx, r.tools, object, hold, said))
			}
		}
	}
}

// blocked says of each node whether it waits for a cause.
func (r *run) blocked() []bool {
	var at []int
	for node, place := range r.places {
		if place != nil && len(place.causes) > 0 {
			at = append(at, node)
		}
	}
	return r.graph.ReachedBy(at)
}
