package loss

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostFollowed is how many dependents are followed down: their own dependents, and what goes with each.
const mostFollowed = 200

// neverCollected reports whether the garbage collector never deletes a dependent because of an owner: it is
// cluster-scoped, and the owner has a namespace (deletion-mechanics A8).
func neverCollected(dependent, owner *session.Object) bool {
	return dependent.Ref.Namespace == "" && owner.Ref.Namespace != ""
}

// orphans reports whether the garbage collector removes the owner references of an object's dependents before the
// object goes (--cascade=orphan): not where the hold that waits for that is removed by force.
func orphans(object *session.Object, forced []finding.Hold) bool {
	does := finding.Hold{Type: finding.Finalizer, Name: metav1.FinalizerOrphanDependents}
	return !slices.Contains(forced, does) && slices.Contains(object.Holds(), does)
}

// Dependents returns what the garbage collector deletes after an object has gone, all the way down, and what goes with
// that in turn. near returns the objects that name one as an owner, as far as they are known. The ones that are
// Terminating already don't go because of it. forced are the object's holds that are removed by force.
func (t *Teller) Dependents(
	ctx context.Context, object *session.Object, near func(*session.Object) []*session.Object, forced ...finding.Hold,
) (taken []finding.Taken) {
	details := finding.TakenDetails{}
	gone, queue := map[string]bool{object.Ref.UID: true}, []*session.Object{object}
	var with []finding.Taken
	for len(queue) > 0 && details.Count < mostFollowed {
		owner := queue[0]
		queue = queue[1:]
		if orphans(owner, forced) {
			continue
		}
		for _, dependent := range near(owner) {
			if gone[dependent.Ref.UID] || dependent.Terminating() || neverCollected(dependent, owner) {
				continue
			}
			gone[dependent.Ref.UID] = true
			for _, other := range dependent.Meta.OwnerReferences {
				details.May = details.May || !gone[string(other.UID)]
			}
			details.Count++
			details.Names = append(details.Names, dependent.Ref.String())
			queue = append(queue, dependent)
			with = append(with, t.With(ctx, dependent)...)
		}
	}
	if details.Count == 0 {
		return nil
	}
	all := finding.Taken{Situation: "DependentsCollected", Risk: finding.DataLoss, Details: details}
	return append(with, goes(object, all)...)
}
