package loss

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
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
// Terminating already don't go because of it, and the ones that another owner keeps don't go. forced are the object's
// holds that are removed by force.
func (t *Teller) Dependents(
	ctx context.Context, object *session.Object, near func(*session.Object) []*session.Object, forced ...finding.Hold,
) (taken []finding.Taken) {
	names := map[fate][]string{}
	gone, queue := map[string]fate{object.Ref.UID: collected}, []*session.Object{object}
	for left := mostFollowed; len(queue) > 0 && left > 0; {
		owner := queue[0]
		queue = queue[1:]
		if orphans(owner, forced) {
			continue
		}
		for _, dependent := range near(owner) {
			if gone[dependent.Ref.UID] != kept || dependent.Terminating() || neverCollected(dependent, owner) {
				continue
			}
			becomes := t.without(ctx, dependent, gone)
			switch {
			case becomes == kept:
				continue
			case becomes == collected && gone[owner.Ref.UID] != collected:
				becomes = shared // which stays with an owner that may stay
			}
			left--
			gone[dependent.Ref.UID] = becomes
			names[becomes] = append(names[becomes], dependent.Ref.String())
			queue = append(queue, dependent)
			taken = append(taken, t.With(ctx, dependent)...)
		}
	}
	for _, one := range []finding.Taken{
		{Situation: "DependentsCollected", Details: finding.TakenDetails{Names: names[collected]}},
		{Situation: "DependentsShared", Details: finding.TakenDetails{Names: names[shared], May: true}},
		{Situation: "DependentsStuck", Details: finding.TakenDetails{Names: names[stuck], May: true}},
	} {
		if one.Details.Count = len(one.Details.Names); one.Details.Count > 0 {
			one.Risk = finding.DataLoss
			taken = append(taken, goes(object, one)...)
		}
	}
	return taken
}

// fate is what becomes of a dependent: another owner keeps it; the garbage collector deletes it; it may, as far as the
// other owners are known; or it never does while it can't judge one of these.
type fate int

const (
	kept fate = iota
	collected
	shared
	stuck
)

// without says what becomes of a dependent when some of its owners are gone: nothing, if another one keeps it. One that
// is Terminating keeps it until it goes, too.
func (t *Teller) without(ctx context.Context, dependent *session.Object, gone map[string]fate) fate {
	others := slices.ContainsFunc(dependent.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return gone[string(owner.UID)] == kept
	})
	switch {
	case !others:
		return collected
	case t.Owners == nil:
		return shared
	}
	left := slices.DeleteFunc(t.Owners(ctx, dependent), func(owner ownership.Judged) bool {
		return gone[string(owner.Reference.UID)] != kept
	})
	switch outcome, decisive := ownership.Decide(left); {
	case outcome == ownership.Undecidable:
		return stuck
	case outcome == ownership.Kept && decisive != nil && !decisive.Owner.Terminating():
		return kept
	case outcome == ownership.Collected && len(left) > 0, outcome == ownership.GoesFirst:
		return collected
	}
	return shared
}
