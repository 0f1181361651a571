package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// foregroundDeletion explains an object that goes only after its blocking dependents (deletion-mechanics M02).
func foregroundDeletion(
	ctx context.Context, t *Tools, object *session.Object, hold finding.Hold,
) (session.Answer, bool) {
	if hold.Type != finding.Finalizer || hold.Name != metav1.FinalizerDeleteDependents {
		return session.Answer{}, false
	}
	blocks := func(dependent *session.Object) bool { return session.Blocks(dependent, object.Ref.UID) }
	blocking, unread, err := t.dependentsOf(ctx, object, blocks)
	switch {
	case err != nil:
		return unreadAnswer(err), true
	case len(blocking) == 0 && len(unread) > 0:
		if answer, damaged := t.dependentsDamaged(ctx, object, unread); damaged {
			return answer, true
		}
		return t.dependentsUnread(object, unread, false), true
	case len(blocking) == 0:
		task := finding.Phrase{Situation: "ReleaseFromDependents", Details: finding.DependentsDetails{Owner: object.Ref}}
		return t.unreleased(ctx, object, hold, session.GarbageCollector, task), true
	}
	if answer, moves := t.collecting(ctx, object, blocking); moves {
		return t.besidesUnread(answer, object, unread, false), true
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
	return t.besidesUnread(answer, object, unread, false), true
}

// dozens is how many live dependents may be many only because there were more.
const dozens = 24

// collecting looks again at dependents that are too many to be taken for stuck at once: whether their
// number falls decides. Those that are Terminating already have reasons of their own.
func (t *Tools) collecting(
	ctx context.Context, owner *session.Object, blocking []*session.Object,
) (session.Answer, bool) {
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
		Situation: "CollectingDependents", Object: owner.Ref,
		Details:  finding.DependentNotDeletedDetails{Owner: owner.Ref, Dependents: len(alive)},
		Evidence: append([]finding.Evidence{evidence}, t.Health.LeaseEvidence(ctx)...),
	}))
	return answer, true
}

func unreadAnswer(err error) session.Answer {
	return session.Unread(finding.Unread{Aspect: finding.Discovery}, err)
}

// notDeleted answers for a blocking dependent that nobody has deleted: the garbage collector should
// have, within moments. others says that another blocking dependent is on its way out, or may be.
func (t *Tools) notDeleted(ctx context.Context, owner, dependent *session.Object, others bool) session.Answer {
	outage, down := t.Health.ControllerManagerDown(ctx)
	if !down {
		outage = session.Answer{}
	}
	// What keeps the dependent does so when the collector is back, too.
	also := func(answer session.Answer) session.Answer {
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
	about := dependentDetails(owner, nil)
	if t.Session.Since(owner) < session.Patience {
		return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
			Situation: "DependentToDelete", Object: dependent.Ref, Details: about, Evidence: t.Health.LeaseEvidence(ctx),
		})
	}
	late := finding.Finding{Situation: "DependentNotYetDeleted", Object: dependent.Ref, Details: about}
	if answer, unsure := t.collectorUnsure(ctx, refused, late); unsure {
		return answer
	}
	evidence := []finding.Evidence{{
		Source: dependent.Ref.String(), Object: &dependent.Ref,
		Observed: "it refers to the owner with blockOwnerDeletion and has no deletionTimestamp",
	}}
	evidence = append(evidence, t.aboutDependent(ctx, owner, dependent)...)
	return session.Cause(finding.Finding{
		Reason: finding.DependentNotDeleted, Situation: "DependentLeft", Object: dependent.Ref, Certainty: finding.Likely,
		Details:  about,
		Key:      finding.KeyOf("DependentLeft", owner.Ref, dependent.Resource.QualifiedName()),
		Evidence: append(evidence, refused.Uncertain()...),
		Remedies: []finding.Remedy{
			{
				Step: "TryDelete", Risk: finding.NoRisk,
				Command: t.Session.Kubectl.Command(dependent, "delete", "--dry-run=server"),
			},
			t.Refusals.MaySend(refusal.Deletion(dependent, refusal.SystemAccount(session.GarbageCollector))),
			t.StopWaiting(owner.Ref),
		},
	})
}

// dependentDetails are those of a dependent that the garbage collector has yet to deal with. keeper may be nil.
func dependentDetails(owner, keeper *session.Object) finding.DependentNotDeletedDetails {
	since := owner.RequestedAt()
	return finding.DependentNotDeletedDetails{Owner: owner.Ref, OtherOwner: refOf(keeper), Since: &since}
}
