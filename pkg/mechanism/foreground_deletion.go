package mechanism

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// foregroundDeletion explains an object that goes only after its blocking dependents
// (deletion-mechanics M02).
func foregroundDeletion(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Type != finding.Finalizer || hold.Name != metav1.FinalizerDeleteDependents {
		return session.Answer{}, false
	}
	blocking, unread, err := t.dependentsOf(ctx, object, func(dependent *session.Object) bool { return session.Blocks(dependent, object.Ref.UID) })
	switch {
	case err != nil:
		return unreadAnswer(err), true
	case len(blocking) == 0 && len(unread) > 0:
		if answer, damaged := t.dependentsDamaged(ctx, object, unread); damaged {
			return answer, true
		}
		return t.dependentsUnread(object, unread, firstDependents), true
	case len(blocking) == 0:
		return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, session.GarbageCollector, "release "+object.Ref.String()+", which has no blocking dependent left")), true
	}
	if answer, moves := t.collecting(ctx, object, blocking); moves {
		return t.besidesUnread(answer, object, unread, firstDependents), true
	}
	answer := session.Answer{}
	others := len(unread) > 0 || slices.ContainsFunc(blocking, (*session.Object).Terminating)
	for _, dependent := range blocking {
		wait := session.Wait{Blocker: dependent, Relation: finding.Owns}
		if !dependent.Terminating() {
			wait.Otherwise = t.notDeleted(ctx, object, dependent, others)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return t.besidesUnread(answer, object, unread, firstDependents), true
}

// firstDependents says what a foreground deletion waits for.
const firstDependents = "waits for its dependents to go first"

// dozens is how many live dependents may be many only because there were more.
const dozens = 24

// collecting looks again at dependents that are too many to be taken for stuck at once: whether their
// number falls decides. Those that are Terminating already have reasons of their own.
func (t *Tools) collecting(ctx context.Context, owner *session.Object, blocking []*session.Object) (session.Answer, bool) {
	var alive []*session.Object
	answer := session.Answer{}
	for _, dependent := range blocking {
		if dependent.Terminating() {
			answer.Waits = append(answer.Waits, session.Wait{Blocker: dependent, Relation: finding.Owns})
		} else {
			alive = append(alive, dependent)
		}
	}
	if len(alive) < dozens || t.Session.Since(owner) < session.Patience {
		return session.Answer{}, false
	}
	if _, up := t.Health.ControllerManagerAlive(ctx); !up {
		return session.Answer{}, false
	}
	evidence, falls := t.Session.Falls(ctx, alive, session.Deleted)
	if !falls {
		return session.Answer{}, false
	}
	answer.Add(session.Progress(finding.Finding{
		Message:  fmt.Sprintf("The garbage collector is deleting what blocks %s, one after another: %s.", owner.Ref, counted(len(alive), "dependent")),
		Awaited:  fmt.Sprintf("the garbage collector to delete %s of %s, which it is doing", counted(len(alive), "dependent"), owner.Ref),
		Evidence: append([]finding.Evidence{evidence}, t.Health.LeaseEvidence(ctx)...),
	}))
	return answer, true
}

func unreadAnswer(err error) session.Answer { return session.Unread("what the server serves", err) }

// notDeleted answers for a blocking dependent that nobody has deleted: the garbage collector should
// have, within moments. others says that another blocking dependent is on its way out, or may be.
func (t *Tools) notDeleted(ctx context.Context, owner, dependent *session.Object, others bool) session.Answer {
	outage, down := t.Health.ControllerManagerDown(ctx)
	if !down {
		outage = session.Answer{}
	}
	also := func(answer session.Answer) session.Answer { // what keeps the dependent does so when the collector is back, too
		outage.Add(answer)
		return outage
	}
	if answer, damaged := t.kindDamaged(ctx, dependent); damaged {
		return also(answer)
	}
	if answer, refused := t.refusedReference(ctx, owner, dependent); refused {
		return also(answer)
	}
	if answer, kept := t.keptByOther(ctx, owner, dependent, down); kept {
		return also(answer)
	}
	refused := t.Refusals.Refused(ctx, refusal.Deletion(dependent, refusal.SystemAccount(session.GarbageCollector)))
	if refused.Found() || down {
		return also(refused.Answer)
	}
	if others && !dependent.Meta.CreationTimestamp.Time.Before(owner.RequestedAt()) {
		return t.cameLate(ctx, owner, dependent, refused)
	}
	if t.Session.Since(owner) < session.Patience {
		return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
			Message:  fmt.Sprintf("The garbage collector has yet to delete %s, which blocks %s. It takes seconds.", dependent.Ref, owner.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to delete %s", dependent.Ref),
			Evidence: t.Health.LeaseEvidence(ctx),
		})
	}
	if answer, unsure := t.collectorUnsure(ctx, refused, finding.Finding{
		Message: fmt.Sprintf("The garbage collector has not deleted %s, which blocks %s, in %s.", dependent.Ref, owner.Ref, t.Session.Ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("the garbage collector to delete %s, which it has not done in %s", dependent.Ref, t.Session.Ago(owner.RequestedAt())),
	}); unsure {
		return answer
	}
	return session.Cause(finding.Finding{
		Reason: finding.DependentNotDeleted, Object: dependent.Ref, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s blocks its owner %s, and the garbage collector has not deleted it in %s. It can't judge one of its owners, it may not delete it, or its request is refused.",
			dependent.Ref, owner.Ref, t.Session.Ago(owner.RequestedAt())),
		Awaited: fmt.Sprintf("%s, a dependent that the garbage collector has not deleted in %s", dependent.Ref, t.Session.Ago(owner.RequestedAt())),
		Evidence: append([]finding.Evidence{{
			Source: dependent.Ref.String(), Observed: "it refers to the owner with blockOwnerDeletion and has no deletionTimestamp", Object: &dependent.Ref,
		}}, append(t.aboutDependent(ctx, owner, dependent), refused.Uncertain()...)...),
		Remedies: []finding.Remedy{{
			Action:  "See whether it could be deleted; a refusal names who refuses.",
			Command: t.Session.Kubectl.Command(dependent, "delete", "--dry-run=server"),
			Risk:    finding.NoRisk,
		}, t.Refusals.MaySend(refusal.Deletion(dependent, refusal.SystemAccount(session.GarbageCollector))), t.StopWaiting(owner.Ref)},
		Alike: fmt.Sprintf("dependents of %s of kind %s that are not deleted", owner.Ref, dependent.Resource.QualifiedName()),
		Several: func(count int) string {
			return fmt.Sprintf("%d dependents of kind %s that the garbage collector has not deleted in %s", count, dependent.Ref.Kind, t.Session.Ago(owner.RequestedAt()))
		},
	})
}

// counted writes how many there are of something.
func counted(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}
