package mechanism

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// keptByOther answers for a blocking dependent that another owner keeps: the garbage collector doesn't
// delete it, it takes the reference to this owner off it (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem; row A14). It answers false
// where no other owner does. down says that the collector is known to be down.
func (t *Tools) keptByOther(ctx context.Context, owner, dependent *session.Object, down bool) (session.Answer, bool) {
	if len(dependent.Meta.OwnerReferences) < 2 {
		return session.Answer{}, false
	}
	var others []reference
	for _, one := range t.references(ctx, dependent) {
		if string(one.UID) != owner.Ref.UID {
			others = append(others, one)
		}
	}
	if keeper := first(others, ownerSolid); keeper != nil {
		return t.notDisowned(ctx, owner, dependent, keeper.owner, down), true
	}
	if unknown := first(others, ownerUnreadable); unknown != nil {
		return session.Unread("its dependent's other owner "+unknown.String(), unknown.err), true
	}
	return session.Answer{}, false
}

// notDisowned answers for a dependent that stays and still refers to the owner.
func (t *Tools) notDisowned(ctx context.Context, owner, dependent, keeper *session.Object, down bool) session.Answer {
	refused := t.Refusals.Refused(ctx, refusal.Write{Operation: admissionregistrationv1.Update, Object: dependent, By: refusal.SystemAccount(session.GarbageCollector)})
	if refused.Found() || down {
		return refused.Answer
	}
	if t.Session.Since(owner) < session.Patience {
		return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
			Message:  fmt.Sprintf("The garbage collector has yet to take the reference to %s off %s, which stays with its other owner %s. It takes seconds.", owner.Ref, dependent.Ref, keeper.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to take the reference to %s off %s, which stays with its other owner", owner.Ref, dependent.Ref),
			Evidence: t.Health.LeaseEvidence(ctx),
		})
	}
	since := t.Session.Ago(owner.RequestedAt())
	if answer, unsure := t.collectorUnsure(ctx, refused, finding.Finding{
		Message: fmt.Sprintf("The garbage collector has not taken the reference to %s off %s in %s.", owner.Ref, dependent.Ref, since),
		Awaited: fmt.Sprintf("the garbage collector to take the reference to %s off %s, which it has not done in %s", owner.Ref, dependent.Ref, since),
	}); unsure {
		return answer
	}
	return session.Cause(finding.Finding{
		Reason: finding.DependentNotDeleted, Object: dependent.Ref, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s blocks %s and stays with its other owner %s: the garbage collector doesn't delete it, it takes the reference off it. It has not in %s: it may not, or its request is refused.",
			dependent.Ref, owner.Ref, keeper.Ref, since),
		Awaited: fmt.Sprintf("%s, which stays with its other owner %s and still refers to %s: the garbage collector has not taken that reference off in %s", dependent.Ref, keeper.Ref, owner.Ref, since),
		Evidence: append([]finding.Evidence{
			{Source: dependent.Ref.String(), Observed: fmt.Sprintf("it refers to %s with blockOwnerDeletion, and to %s", owner.Ref, keeper.Ref), Object: &dependent.Ref},
			{Source: keeper.Ref.String(), Observed: "it exists and does not wait for its dependents", Object: &keeper.Ref},
		}, append(t.aboutDependent(ctx, owner, dependent), refused.Uncertain()...)...),
		Remedies: append([]finding.Remedy{{
			Action:  "See whether the dependent can be written to; a refusal names who refuses.",
			Command: t.Session.Kubectl.Command(dependent, "patch", "--dry-run=server", "--type", "json", "-p", session.DisownPatch(dependent, owner.Ref.UID)),
			Risk:    finding.NoRisk,
		}, t.Refusals.MaySend(refusal.Write{Operation: admissionregistrationv1.Update, Object: dependent, By: refusal.SystemAccount(session.GarbageCollector)})}, append(t.disown(dependent, owner.Ref.UID, ""), t.StopWaiting(owner.Ref))...),
	})
}

// collectorUnsure answers for something that the garbage collector has long failed to do where it can't
// be told whether it runs, or what may refuse its request: those who see that are told another cause.
func (t *Tools) collectorUnsure(ctx context.Context, refused refusal.Refusals, note finding.Finding) (session.Answer, bool) {
	if answer, failed := t.Health.ControllerManagerUnread(ctx); failed {
		return answer, true
	}
	if len(refused.Unsure) > 0 {
		return session.Open(refused.Doubt(note)), true
	}
	return session.Answer{}, false
}

// cameLate remarks on a dependent that was made after the owner's deletion had begun, as a controller
// does that hasn't noticed yet. The garbage collector looks at it only when it comes back to the owner,
// which it does each time that another dependent has gone (k8s v1.37
// pkg/controller/garbagecollector/graph_builder.go:processGraphChanges).
func (t *Tools) cameLate(ctx context.Context, owner, dependent *session.Object, refused refusal.Refusals) session.Answer {
	at := dependent.Meta.CreationTimestamp.Time
	answer := t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
		Message: fmt.Sprintf("%s was created when the deletion of %s had already begun. The garbage collector deletes it by itself once another dependent has gone.", dependent.Ref, owner.Ref),
		Awaited: fmt.Sprintf("the garbage collector to come to %s, a dependent that was created late", dependent.Ref),
		Evidence: []finding.Evidence{{
			Source: dependent.Ref.String(), Observed: fmt.Sprintf("created %s ago; the owner's deletion was requested %s ago", t.Session.Ago(at), t.Session.Ago(owner.RequestedAt())), Object: &dependent.Ref, At: &at,
		}},
	})
	answer.Remarks, answer.Progress = answer.Progress, nil // others are waited for, and decide
	return answer
}
