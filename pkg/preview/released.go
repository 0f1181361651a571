package preview

import (
	"context"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostWaiting is of how many objects that were deleted before it is found out whether the deletion lets them go.
const mostWaiting = 100

// heldNow returns by uid what was deleted before, doesn't go with the target, and is held by something at present: not
// what only waits for a controller that is late. What contains others is left out: to empty it is another deletion.
func (p *previewer) heldNow(ctx context.Context, listed []*session.Object) map[string]bool {
	waiting, states, more := map[string]bool{}, map[string]state{}, 0
	for uid := range p.options.Gone {
		states[uid] = state{gone: true}
	}
	for _, object := range listed {
		_, goes := p.cascade.states[object.Ref.UID]
		switch {
		case !object.Terminating() || goes || contains(object):
		case len(waiting) == mostWaiting:
			more++
		default:
			waiting[object.Ref.UID] = true
			states[object.Ref.UID] = state{renewed: true}
		}
	}
	if more > 0 {
		details := finding.CheckedDetails{Asked: mostWaiting, More: more}
		p.note(finding.Finding{Situation: "WaitingNotAsked", Details: details})
	}
	return p.future.held(ctx, waiting, states)
}

// release deletes what waits since before, and is held no longer when all has gone that was deleted so far: a claim
// goes with its last pod, and its volume with the claim. It returns false where nothing more is let go.
func (p *previewer) release(ctx context.Context, listed []*session.Object) bool {
	if p.cascade.waits == nil {
		p.cascade.waits = p.heldNow(ctx, listed)
	}
	waiting, states := map[string]bool{}, maps.Clone(p.cascade.states)
	for uid := range p.cascade.waits {
		if _, goes := states[uid]; !goes {
			waiting[uid] = true
			states[uid] = state{renewed: true}
		}
	}
	held := p.future.held(ctx, waiting, states)
	for _, uid := range slices.Sorted(maps.Keys(waiting)) {
		if !held[uid] {
			p.cascade.freed[uid] = true
			p.cascade.request(ctx, p.cascade.byUID[uid], metav1.DeletePropagationBackground)
		}
	}
	return len(p.cascade.recent) > 0
}
