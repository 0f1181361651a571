package loss

import (
	"cmp"
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const (
	// mostTold is how many dependents are looked at for what goes with them, what is worst first.
	mostTold = 2000
	// mostJudged is how many dependents that have other owners are judged by these, which are read. Of more it is not
	// known whether they stay.
	mostJudged = 200
)

// neverCollected reports whether the garbage collector never deletes a dependent because of an owner: it is
// cluster-scoped, and the owner has a namespace (docs/deletion.md#how-owner-references-are-judged).
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
) []finding.Taken {
	below := t.Follow(ctx, object, near, forced...)
	t.ReadAhead(ctx, below.Carriers)
	return t.Tell(ctx, below)
}

// Following is what goes after an object.
type Following struct {
	// Carriers are the ones that take something along themselves, what is worst first.
	Carriers []*session.Object
	top      *session.Object
	names    map[fate][]string
	left     []string // what was not looked at, because it is too much, or the time is over
}

// Follow finds what Dependents tells. It reads other owners of what goes, and nothing else.
func (t *Teller) Follow(
	ctx context.Context, object *session.Object, near func(*session.Object) []*session.Object, forced ...finding.Hold,
) *Following {
	f := &Following{top: object, names: map[fate][]string{}}
	judge := judging{teller: t, gone: map[string]fate{key(object): collected}, left: mostJudged}
	queue, going := []*session.Object{object}, []*session.Object{}
	for ; len(queue) > 0 && ctx.Err() == nil; queue = queue[1:] {
		owner := queue[0]
		if orphans(owner, forced) {
			continue
		}
		for _, dependent := range inOrder(near(owner)) {
			if judge.gone[key(dependent)] != kept || dependent.Terminating() || neverCollected(dependent, owner) {
				continue
			}
			becomes := judge.without(ctx, dependent)
			switch {
			case becomes == kept:
				continue
			case becomes == collected && judge.gone[key(owner)] != collected:
				becomes = shared // which stays with an owner that may stay
			}
			judge.gone[key(dependent)] = becomes
			f.names[becomes] = append(f.names[becomes], dependent.Ref.String())
			queue, going = append(queue, dependent), append(going, dependent)
		}
	}
	f.Carriers = worstFirst(going)
	most := min(cmp.Or(t.Most, mostTold), len(f.Carriers))
	f.left = append(names(queue), names(f.Carriers[most:])...)
	f.Carriers = f.Carriers[:most]
	return f
}

func names(objects []*session.Object) []string {
	return finding.Each(objects, func(object *session.Object) string { return object.Ref.String() })
}

// key is what tells objects apart: a manifest may lack its uid.
func key(object *session.Object) string { return cmp.Or(object.Ref.UID, object.Ref.String()) }

// Tell returns what goes after an object, and what goes with that.
func (t *Teller) Tell(ctx context.Context, f *Following) (taken []finding.Taken) {
	for _, dependent := range f.Carriers {
		taken = append(taken, t.Deleting(ctx, dependent)...)
	}
	for _, one := range []finding.Taken{
		{Situation: "DependentsCollected", Details: finding.TakenDetails{Names: f.names[collected]}},
		{Situation: "DependentsShared", Details: finding.TakenDetails{Names: f.names[shared], May: true}},
		{Situation: "DependentsStuck", Details: finding.TakenDetails{Names: f.names[stuck], May: true}},
		{Situation: "DependentsNotFollowed", Details: finding.TakenDetails{Names: f.left, May: true}},
	} {
		if one.Details.Count = len(one.Details.Names); one.Details.Count > 0 {
			one.Risk = finding.DataLoss
			taken = append(taken, goes(f.top, one)...)
		}
	}
	return taken
}

// Unlisted says of an object that kinds could not be listed in which something may go after it. What a recording
// doesn't have was not looked at when it was made. forced are the object's holds that are removed by force.
func Unlisted(object *session.Object, kinds []cluster.Unlisted, forced ...finding.Hold) []finding.Taken {
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(unlisted cluster.Unlisted) bool {
		return !unlisted.Namespaced && object.Ref.Namespace != "" || cluster.NeverAsked(unlisted.Err)
	})
	if len(kinds) == 0 || orphans(object, forced) {
		return nil
	}
	names := slices.Compact(slices.Sorted(slices.Values(session.NamesOf(kinds))))
	details := finding.TakenDetails{Names: names, Count: len(names), May: true}
	risk := finding.Disruption
	if names[0] != "services" || len(names) > 1 { // a balancer has no data
		risk = finding.DataLoss
	}
	return goes(object, finding.Taken{Situation: "DependentsUnread", Risk: risk, Details: details})
}

// Uncounted says of an object that it may have more dependents than were looked for.
func Uncounted(object *session.Object) []finding.Taken {
	details := finding.TakenDetails{May: true}
	return goes(object,
		finding.Taken{Situation: "DependentsNotFollowed", Risk: finding.DataLoss, Details: details})
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

// judging says what becomes of dependents, one after the other.
type judging struct {
	teller *Teller
	gone   map[string]fate // so far, by key
	left   int             // dependents whose other owners may still be read
}

// without says what becomes of a dependent when some of its owners are gone: nothing, if another one keeps it. One that
// is Terminating keeps it until it goes, too.
func (j *judging) without(ctx context.Context, dependent *session.Object) fate {
	others := slices.ContainsFunc(dependent.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return j.gone[string(owner.UID)] == kept
	})
	switch {
	case !others:
		return collected
	case j.teller.Owners == nil || j.left == 0:
		return shared
	}
	j.left--
	left := slices.DeleteFunc(j.teller.Owners(ctx, dependent), func(owner ownership.Judged) bool {
		return j.gone[string(owner.Reference.UID)] != kept
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
