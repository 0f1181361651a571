package mechanism

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unowned tells of an object none of whose owners holds it: the garbage collector deletes it (rows
// A2, A3, A7, A10, A11).
func (t *Tools) unowned(ctx context.Context, object *session.Object, references []reference, fate *Fate) {
	owner := references[0]
	why := fmt.Sprintf("its owner %s is not there (%s)", owner, whereAbsent(object, owner))
	if waiting := first(references, ownerWaiting); waiting != nil {
		owner = *waiting
		why = fmt.Sprintf("its owner %s is being deleted in the foreground, dependents first", owner)
	} else if len(references) > 1 {
		why = fmt.Sprintf("none of its %d owners is there, %s for one", len(references), owner)
	}
	when, otherwise := "as a rule within seconds", ""
	evidence := []finding.Evidence{{Source: object.Ref.String(), Observed: fmt.Sprintf("an owner reference to %s in %s, uid %s", owner, owner.APIVersion, owner.UID), Object: &object.Ref}}
	if answer, alive := t.Health.ControllerManagerAlive(ctx); alive {
		otherwise = " If it stays, its deletion is refused."
		evidence = append(evidence, t.Health.LeaseEvidence(ctx)...)
	} else if len(answer.Open) > 0 {
		when = "as a rule within seconds, if " + session.ControllerManager + " runs, which can't be told here"
	} else {
		when = "but not before " + session.ControllerManager + " runs again"
		for _, wait := range answer.Waits {
			for _, cause := range wait.Otherwise.Causes {
				evidence = append(evidence, cause.Evidence...)
			}
		}
	}
	evidence = append(evidence, t.invalidNamespaceEvents(ctx, object)...)
	fate.tell(fmt.Sprintf("%s and its owner %s", object.Ref, owner), finding.Finding{
		Message:  fmt.Sprintf("The garbage collector deletes it, %s, because %s.%s", when, why, otherwise),
		Awaited:  "the garbage collector, which deletes what has no owner left",
		Evidence: evidence,
	})
}

// whereAbsent says how an owner is missing. The collector looks in the dependent's namespace and
// nowhere else, so an owner in another namespace counts as gone (row A7).
func whereAbsent(object *session.Object, owner reference) string {
	switch {
	case owner.state == ownerReplaced:
		return "another object has its name now, with another uid"
	case object.Ref.Namespace == "":
		return "there is none of that name"
	}
	return fmt.Sprintf("there is none of that name in %s, and an owner in another namespace doesn't count", object.Ref.Namespace)
}

// awaitOwner finds the first owner that is being deleted, and tells who of the two waits for the other.
func (t *Tools) awaitOwner(references []reference, fate *Fate) {
	if first(references, ownerUnserved, ownerInvalid, ownerUndiscovered, ownerUnreadable) != nil {
		return
	}
	dying := slices.IndexFunc(references, func(one reference) bool { return one.owner != nil && one.owner.Terminating() })
	alive := slices.IndexFunc(references, func(one reference) bool { return one.owner != nil && !one.owner.Terminating() })
	if dying < 0 {
		return
	}
	owner := references[dying].owner
	switch {
	case alive >= 0:
		fate.Says = append(fate.Says, fmt.Sprintf("It stays when its owner %s goes, because another owner, %s, is not being deleted.", owner.Ref, references[alive].owner.Ref))
		return
	case hasFinalizer(owner.Meta, metav1.FinalizerOrphanDependents):
		fate.Says = append(fate.Says, fmt.Sprintf("It stays when its owner %s goes, which was deleted with --cascade=orphan.", owner.Ref))
	case first(references, ownerWaiting) == nil:
		fate.Says = append(fate.Says, fmt.Sprintf("It waits for its owner %s, which is being deleted: dependents are left alone until their owner has gone, and are deleted then.", owner.Ref))
		fate.Follows = true
	}
	fate.Awaits = owner
}

// ancestors bounds the walk up through owners that nobody has deleted.
const ancestors = 3

// awaitAncestor looks for an owner's owner that is being deleted: a Pod goes with the Deployment of
// its ReplicaSet. Where there are several owners, one of them may stay.
func (t *Tools) awaitAncestor(ctx context.Context, references []reference, fate *Fate) {
	for range ancestors {
		if len(references) != 1 || references[0].owner == nil {
			return
		}
		references = t.references(ctx, references[0].owner)
		if len(references) != 1 || references[0].owner == nil || !references[0].owner.Terminating() {
			continue
		}
		top := references[0].owner
		if !hasFinalizer(top.Meta, metav1.FinalizerOrphanDependents) {
			fate.Awaits, fate.Follows = top, true
			fate.Says = append(fate.Says, fmt.Sprintf("It waits for %s, above its owner, which is being deleted: what belongs to it is deleted after it.", top.Ref))
		}
		return
	}
}
