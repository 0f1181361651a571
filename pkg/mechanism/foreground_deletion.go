package mechanism

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// foregroundDeletion explains an object that goes only after its blocking dependents
// (deletion-mechanics M02).
func foregroundDeletion(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Type != graph.Finalizer || hold.Name != metav1.FinalizerDeleteDependents {
		return facts.Answer{}, false
	}
	blocking, unread, err := w.dependentsOf(ctx, object, func(dependent *facts.Object) bool { return facts.Blocks(dependent, object.Ref.UID) })
	switch {
	case err != nil:
		return unreadAnswer(err), true
	case len(blocking) == 0 && len(unread) > 0:
		if answer, damaged := w.dependentsDamaged(ctx, object, unread); damaged {
			return answer, true
		}
		return w.dependentsUnread(object, unread, firstDependents), true
	case len(blocking) == 0:
		return w.Overdue(ctx, w.Release(object, hold, facts.GarbageCollector, "release "+object.Ref.String()+", which has no blocking dependent left")), true
	}
	if answer, moves := w.collecting(ctx, object, blocking); moves {
		return w.besidesUnread(answer, object, unread, firstDependents), true
	}
	answer := facts.Answer{}
	others := len(unread) > 0 || slices.ContainsFunc(blocking, (*facts.Object).Terminating)
	for _, dependent := range blocking {
		wait := facts.Wait{Blocker: dependent, Relation: graph.Owns}
		if !dependent.Terminating() {
			wait.Otherwise = w.notDeleted(ctx, object, dependent, others)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return w.besidesUnread(answer, object, unread, firstDependents), true
}

// firstDependents says what a foreground deletion waits for.
const firstDependents = "waits for its dependents to go first"

// dozens is how many live dependents may be many only because there were more.
const dozens = 24

// collecting looks again at dependents that are too many to be taken for stuck at once: whether their
// number falls decides. Those that are Terminating already have reasons of their own.
func (w *World) collecting(ctx context.Context, owner *facts.Object, blocking []*facts.Object) (facts.Answer, bool) {
	var alive []*facts.Object
	answer := facts.Answer{}
	for _, dependent := range blocking {
		if dependent.Terminating() {
			answer.Waits = append(answer.Waits, facts.Wait{Blocker: dependent, Relation: graph.Owns})
		} else {
			alive = append(alive, dependent)
		}
	}
	if len(alive) < dozens || w.Since(owner) < facts.Patience {
		return facts.Answer{}, false
	}
	if _, up := w.ControllerManagerAlive(ctx); !up {
		return facts.Answer{}, false
	}
	evidence, falls := w.Falls(ctx, alive, facts.Deleted)
	if !falls {
		return facts.Answer{}, false
	}
	answer.Add(facts.Progress(facts.Note{
		Message:  fmt.Sprintf("The garbage collector is deleting the %d dependents that block %s, one after another.", len(alive), owner.Ref),
		Awaited:  fmt.Sprintf("the garbage collector to delete %d dependents of %s, which it is doing", len(alive), owner.Ref),
		Evidence: append([]graph.Evidence{evidence}, w.LeaseEvidence(ctx)...),
	}))
	return answer, true
}

func unreadAnswer(err error) facts.Answer { return facts.Unread("what the server serves", err) }

// notDeleted answers for a blocking dependent that nobody has deleted: the garbage collector should
// have, within moments. others says that another blocking dependent is on its way out, or may be.
func (w *World) notDeleted(ctx context.Context, owner, dependent *facts.Object, others bool) facts.Answer {
	outage, down := w.ControllerManagerDown(ctx)
	if !down {
		outage = facts.Answer{}
	}
	also := func(answer facts.Answer) facts.Answer { // what keeps the dependent does so when the collector is back, too
		outage.Add(answer)
		return outage
	}
	if answer, damaged := w.kindDamaged(ctx, dependent); damaged {
		return also(answer)
	}
	if answer, refused := w.refusedReference(ctx, owner, dependent); refused {
		return also(answer)
	}
	if answer, kept := w.keptByOther(ctx, owner, dependent, down); kept {
		return also(answer)
	}
	refused := w.Refused(ctx, refusal.Deletion(dependent, refusal.SystemAccount(facts.GarbageCollector)))
	if refused.Found() || down {
		return also(refused.Answer)
	}
	if others && !dependent.Meta.CreationTimestamp.Time.Before(owner.RequestedAt()) {
		return w.cameLate(ctx, owner, dependent, refused)
	}
	if w.Since(owner) < facts.Patience {
		return w.ProgressUnless(ctx, refused, facts.Note{
			Message:  fmt.Sprintf("The garbage collector has yet to delete %s, which blocks %s. It takes seconds.", dependent.Ref, owner.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to delete %s", dependent.Ref),
			Evidence: w.LeaseEvidence(ctx),
		})
	}
	if answer, unsure := w.collectorUnsure(ctx, refused, facts.Note{
		Message: fmt.Sprintf("The garbage collector has not deleted %s, which blocks %s, in %s.", dependent.Ref, owner.Ref, w.Ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("the garbage collector to delete %s, which it has not done in %s", dependent.Ref, w.Ago(owner.RequestedAt())),
	}); unsure {
		return answer
	}
	return facts.Cause(graph.Cause{
		Reason: graph.DependentNotDeleted, Object: dependent.Ref, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s blocks its owner %s, and the garbage collector has not deleted it in %s. It can't judge one of its owners, it may not delete it, or its request is refused.",
			dependent.Ref, owner.Ref, w.Ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("%s, a dependent that the garbage collector has not deleted in %s", dependent.Ref, w.Ago(owner.RequestedAt())),
		Evidence: append([]graph.Evidence{{
			Source: dependent.Ref.String(), Observed: "it refers to the owner with blockOwnerDeletion and has no deletionTimestamp", Object: &dependent.Ref,
		}}, append(w.aboutDependent(ctx, owner, dependent), refused.Uncertain()...)...),
		Remedies: []graph.Remedy{{
			Action:  "See whether it could be deleted; a refusal names who refuses.",
			Command: w.Kubectl.Command(dependent, "delete", "--dry-run=server"),
			Risk:    graph.NoRisk,
		}, w.MaySend(refusal.Deletion(dependent, refusal.SystemAccount(facts.GarbageCollector))), w.StopWaiting(owner.Ref)},
		Alike: fmt.Sprintf("dependents of %s of kind %s that are not deleted", owner.Ref, dependent.Resource.QualifiedName()),
		Several: func(count int) string {
			return fmt.Sprintf("%d dependents of kind %s that the garbage collector has not deleted in %s", count, dependent.Ref.Kind, w.Ago(owner.RequestedAt()))
		},
	})
}
