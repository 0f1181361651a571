package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// foregroundDeletion explains an object that goes only after its blocking dependents
// (deletion-mechanics M02).
func foregroundDeletion(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.Finalizer || hold.Name != metav1.FinalizerDeleteDependents {
		return Answer{}, false
	}
	blocking, unread, err := w.dependentsOf(ctx, object, func(dependent *Object) bool { return blocks(dependent, object.Ref.UID) })
	switch {
	case err != nil:
		return unreadAnswer(err), true
	case len(blocking) == 0 && len(unread) > 0:
		if answer, damaged := w.dependentsDamaged(ctx, object, unread); damaged {
			return answer, true
		}
		return w.dependentsUnread(object, unread, "waits for its dependents to go first"), true
	case len(blocking) == 0:
		return w.overdue(ctx, w.release(object, hold, garbageCollector, "release "+object.Ref.String()+", which has no blocking dependent left")), true
	}
	if answer, moves := w.collecting(ctx, object, blocking); moves {
		return answer, true
	}
	answer := Answer{}
	others := slices.ContainsFunc(blocking, (*Object).Terminating)
	for _, dependent := range blocking {
		wait := Wait{Blocker: dependent, Relation: graph.Owns}
		if !dependent.Terminating() {
			wait.Otherwise = w.notDeleted(ctx, object, dependent, others)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return answer, true
}

// dozens is how many live dependents may be many only because there were more.
const dozens = 24

// collecting looks again at dependents that are too many to be taken for stuck at once: whether their
// number falls decides. Those that are Terminating already have reasons of their own.
func (w *World) collecting(ctx context.Context, owner *Object, blocking []*Object) (Answer, bool) {
	var alive []*Object
	answer := Answer{}
	for _, dependent := range blocking {
		if dependent.Terminating() {
			answer.Waits = append(answer.Waits, Wait{Blocker: dependent, Relation: graph.Owns})
		} else {
			alive = append(alive, dependent)
		}
	}
	if len(alive) < dozens || w.since(owner) < patience {
		return Answer{}, false
	}
	if _, up := w.controllerManagerAlive(ctx); !up {
		return Answer{}, false
	}
	evidence, falls := w.falls(ctx, alive, deleted)
	if !falls {
		return Answer{}, false
	}
	answer.add(progress(Note{
		Message:  fmt.Sprintf("The garbage collector is deleting the %d dependents that block %s, one after another.", len(alive), owner.Ref),
		Awaited:  fmt.Sprintf("the garbage collector to delete %d dependents of %s, which it is doing", len(alive), owner.Ref),
		Evidence: append([]graph.Evidence{evidence}, w.leaseEvidence(ctx)...),
	}))
	return answer, true
}

func unreadAnswer(err error) Answer { return unread("what the server serves", err) }

func namesOf(unread []cluster.Unlisted) []string {
	names := make([]string, len(unread))
	for i, resource := range unread {
		names[i] = resource.QualifiedName()
	}
	return names
}

// some returns the first few of several names, and how many more there are.
func some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// notDeleted answers for a blocking dependent that nobody has deleted: the garbage collector should
// have, within moments. others says that another blocking dependent is on its way out.
func (w *World) notDeleted(ctx context.Context, owner, dependent *Object, others bool) Answer {
	outage, down := w.controllerManagerDown(ctx)
	if !down {
		outage = Answer{}
	}
	also := func(answer Answer) Answer { // what keeps the dependent does so when the collector is back, too
		outage.add(answer)
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
	refused := w.refused(ctx, deletion(dependent, systemAccount(garbageCollector)))
	if refused.found() || down {
		return also(refused.answer)
	}
	if others && !dependent.Meta.CreationTimestamp.Time.Before(owner.RequestedAt()) {
		return w.cameLate(ctx, owner, dependent, refused)
	}
	if w.since(owner) < patience {
		return w.progressUnless(ctx, refused, Note{
			Message:  fmt.Sprintf("The garbage collector has yet to delete %s, which blocks %s. It takes seconds.", dependent.Ref, owner.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to delete %s", dependent.Ref),
			Evidence: w.leaseEvidence(ctx),
		})
	}
	if answer, unsure := w.collectorUnsure(ctx, refused, Note{
		Message: fmt.Sprintf("The garbage collector has not deleted %s, which blocks %s, in %s.", dependent.Ref, owner.Ref, w.ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("the garbage collector to delete %s, which it has not done in %s", dependent.Ref, w.ago(owner.RequestedAt())),
	}); unsure {
		return answer
	}
	return cause(graph.Cause{
		Reason: graph.DependentNotDeleted, Object: dependent.Ref, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s blocks its owner %s, and the garbage collector has not deleted it in %s. It can't judge one of its owners, it may not delete it, or its request is refused.",
			dependent.Ref, owner.Ref, w.ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("%s, a dependent that the garbage collector has not deleted in %s", dependent.Ref, w.ago(owner.RequestedAt())),
		Evidence: append([]graph.Evidence{{
			Source: dependent.Ref.String(), Observed: "it refers to the owner with blockOwnerDeletion and has no deletionTimestamp", Object: &dependent.Ref,
		}}, append(w.aboutDependent(ctx, owner, dependent), refused.uncertain()...)...),
		Remedies: []graph.Remedy{{
			Action:  "See whether it could be deleted; a refusal names who refuses.",
			Command: w.Kubectl.Command(dependent, "delete", "--dry-run=server"),
			Risk:    graph.NoRisk,
		}, w.maySend(deletion(dependent, systemAccount(garbageCollector))), w.StopWaiting(owner.Ref)},
		Alike: fmt.Sprintf("dependents of %s of kind %s that are not deleted", owner.Ref, dependent.Resource.QualifiedName()),
		Several: func(count int) string {
			return fmt.Sprintf("%d dependents of kind %s that the garbage collector has not deleted in %s", count, dependent.Ref.Kind, w.ago(owner.RequestedAt()))
		},
	})
}
