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
// (deletion-mechanics M02). They are looked for in the object's own namespace and among the
// cluster-scoped kinds; only when none is there, in all other namespaces.
func foregroundDeletion(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.Finalizer || hold.Name != metav1.FinalizerDeleteDependents {
		return Answer{}, false
	}
	everywhere := part{scope: namespaced}
	near := []part{{scope: namespaced, namespace: object.Ref.Namespace}, {scope: clusterScoped}}
	blocking, unread, err := w.blockingDependents(ctx, object, near)
	if err == nil && len(blocking) == 0 && !slices.Contains(near, everywhere) {
		blocking, unread, err = w.blockingDependents(ctx, object, []part{everywhere, {scope: clusterScoped}})
	}
	switch {
	case err != nil:
		return unreadAnswer(err), true
	case len(blocking) == 0 && len(unread) > 0:
		if answer, damaged := w.dependentsDamaged(ctx, object, unread); damaged {
			return answer, true
		}
		return w.dependentsUnread(object, unread), true
	case len(blocking) == 0:
		return w.overdue(ctx, w.release(object, hold, "generic-garbage-collector", "release "+object.Ref.String()+", which has no blocking dependent left")), true
	}
	answer := Answer{}
	for _, dependent := range blocking {
		wait := Wait{Blocker: dependent, Relation: graph.Owns}
		if !dependent.Terminating() {
			wait.Otherwise = w.notDeleted(ctx, object, dependent)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return answer, true
}

func unreadAnswer(err error) Answer { return unread("what the server serves", err) }

func (w *World) blockingDependents(ctx context.Context, owner *Object, parts []part) (blocking []*Object, unread []cluster.Unlisted, err error) {
	dependents, unread, err := w.dependents(ctx, owner.Ref.UID, parts...)
	for _, dependent := range dependents {
		if blocks(dependent, owner.Ref.UID) {
			blocking = append(blocking, dependent)
		}
	}
	return blocking, unread, err
}

// dependentsUnread answers when no blocking dependent was seen and not every kind could be read.
func (w *World) dependentsUnread(object *Object, unread []cluster.Unlisted) Answer {
	names := namesOf(unread)
	return open(Note{
		Message:  fmt.Sprintf("%s waits for its dependents to go first. None was seen, but some kinds could not be read: %s. Ask somebody who may read them to run the same command.", object.Ref, some(names, 6)),
		Awaited:  fmt.Sprintf("a dependent of a kind that could not be read (%s)", some(names, 3)),
		Evidence: []graph.Evidence{{Source: "owner references", Observed: "no blocking dependent among the kinds that could be read", Object: &object.Ref}},
	})
}

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
// have, within moments.
func (w *World) notDeleted(ctx context.Context, owner, dependent *Object) Answer {
	if answer, down := w.controllerManagerDown(ctx); down {
		return answer
	}
	if answer, damaged := w.kindDamaged(ctx, dependent); damaged {
		return answer
	}
	if answer, refused := w.refusedReference(ctx, owner, dependent); refused {
		return answer
	}
	if w.since(owner) < patience {
		return progress(Note{
			Message:  fmt.Sprintf("The garbage collector has yet to delete %s, which blocks %s. It takes seconds.", dependent.Ref, owner.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to delete %s", dependent.Ref),
			Evidence: w.leaseEvidence(ctx),
		})
	}
	return cause(graph.Cause{
		Reason: graph.DependentNotDeleted, Object: dependent.Ref, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s blocks its owner %s, and the garbage collector has not deleted it in %s. It can't judge one of its owners, or its DELETE is refused.",
			dependent.Ref, owner.Ref, w.ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("%s, a dependent that the garbage collector has not deleted in %s", dependent.Ref, w.ago(owner.RequestedAt())),
		Evidence: append([]graph.Evidence{{
			Source: dependent.Ref.String(), Observed: "it refers to the owner with blockOwnerDeletion and has no deletionTimestamp", Object: &dependent.Ref,
		}}, w.leaseEvidence(ctx)...),
		Remedies: []graph.Remedy{{
			Action:  "See whether it could be deleted; a refusal names who refuses.",
			Command: w.Kubectl.Command(dependent, "delete", "--dry-run=server"),
			Risk:    graph.NoRisk,
		}, w.StopWaiting(owner.Ref)},
	})
}
