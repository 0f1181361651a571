package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// dueActs are the writes that a finalizer's controller still owes in the held object's namespace by the catalogue: to
// create what isn't there, or to delete what is there and isn't being deleted. Nothing is due of what can't be read.
func dueActs(ctx context.Context, t *Tools, held Held, known plugins.Finalizer) (due []attribution.Due) {
	if !held.Terminating() || held.Ref.Namespace == "" {
		return nil
	}
	for _, act := range known.Acts {
		wait := plugins.Wait{Resource: act.Resource, Scope: plugins.ScopeNamespace, Where: act.Where}
		looked, unread := lookFor(ctx, t.Session, t.Plugins, held, wait)
		if looked.condition == nil || !unread.Empty() {
			continue
		}
		there, left := false, false
		for _, candidate := range looked.candidates {
			holds, err := looked.holds(candidate)
			there = there || holds || err != nil
			left = left || holds && !candidate.Terminating()
		}
		if act.Creates() == there || !act.Creates() && !left {
			continue
		}
		kind := kindWaitedFor(held, wait)
		why := attribution.KnownEvidence(held.Hold, known)
		due = append(due, attribution.Due{Verb: act.Verb, Resource: kind, Creates: act.Creates(), Why: why})
	}
	return due
}
