package diagnosis

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// addRefusedLater adds what will refuse the last write to objects that wait for nothing but what ends without a person:
// the end of the waits won't end their deletion. Where something else is to be repaired first, that is what is told.
func (x *expansion) addRefusedLater(ctx context.Context) {
	blocked := x.graph.ReachedBy(x.atCauses(x.graph.Numbers()), nil)
	for node := range x.graph.Nodes() {
		if ctx.Err() != nil {
			return
		}
		object := x.objects[node]
		if object == nil || object.Meta == nil || !object.Terminating() || blocked[node] {
			continue
		}
		for _, hold := range object.Holds() {
			if said := x.answers[held{object.Ref, hold}]; len(said.Waits) > 0 {
				x.apply(node, &hold, mechanism.RefusedLater(ctx, x.tools, object, hold, said))
			}
		}
		changed := []int{node}
		for _, edge := range x.graph.WaitsOf(node) {
			changed = append(changed, edge.To)
		}
		blocked = x.graph.ReachedBy(x.atCauses(changed), blocked)
		for _, other := range changed[1:] {
			if blocked[other] {
				blocked = x.graph.ReachedBy([]int{node}, blocked)
			}
		}
	}
}

// atCauses are the nodes, among some, at which there are causes.
func (x *expansion) atCauses(nodes []int) (at []int) {
	for _, node := range nodes {
		if len(x.at(node).causes) > 0 {
			at = append(at, node)
		}
	}
	return at
}
