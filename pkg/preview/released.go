package preview

import (
	"context"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
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
	return p.held(ctx, waiting, states)
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
	held := p.held(ctx, waiting, states)
	for _, uid := range slices.Sorted(maps.Keys(waiting)) {
		if !held[uid] {
			p.cascade.freed[uid] = true
			p.cascade.request(ctx, p.cascade.byUID[uid], metav1.DeletePropagationBackground)
		}
	}
	return len(p.cascade.recent) > 0
}

// held are those of some objects that something holds while others are in the given states.
func (p *previewer) held(ctx context.Context, waiting map[string]bool, states map[string]state) map[string]bool {
	held, tools := map[string]bool{}, p.toolsWith(states)
	var objects []*session.Object
	for uid := range waiting {
		objects = append(objects, states[uid].marked(p.at, p.cascade.byUID[uid]))
	}
	if len(objects) == 0 {
		return held
	}
	slices.SortFunc(objects, func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) })
	for _, left := range diagnosis.Foresee(ctx, tools, tools.Session.Refetch(ctx, objects)).Left {
		held[left.Object.Ref.UID] = true
	}
	return held
}
