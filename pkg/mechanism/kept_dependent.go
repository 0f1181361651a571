package mechanism

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// keptByOther answers for a blocking dependent that another owner keeps: the garbage collector doesn't
// delete it, it takes the reference to this owner off it (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem; row A14). It answers false
// where no other owner does. down says that the collector is known to be down.
func (t *Tools) keptByOther(ctx context.Context, owner, dependent *Object, down bool) (Answer, bool) {
	if len(dependent.Meta.OwnerReferences) < 2 {
		return Answer{}, false
	}
	others := slices.DeleteFunc(t.references(ctx, dependent), func(one ownership.Judged) bool {
		return string(one.Reference.UID) == owner.Ref.UID
	})
	switch outcome, decisive := ownership.Decide(others); {
	case outcome == ownership.Kept && decisive != nil:
		return t.notDisowned(ctx, owner, dependent, decisive.Owner, down), true
	case outcome == ownership.Unknown:
		named := decisive.Named()
		return session.Unread(finding.Unread{Aspect: finding.OtherOwner, Object: &named}, decisive.Err), true
	}
	return Answer{}, false
}

// notDisowned answers for a dependent that stays and still refers to the owner.
func (t *Tools) notDisowned(ctx context.Context, owner, dependent, keeper *Object, down bool) Answer {
	write := refusal.Write{
		Operation: admissionregistrationv1.Update, Object: dependent, By: refusal.SystemAccount(session.GarbageCollector),
	}
	refused := t.Refusals.Refused(ctx, write)
	if refused.Found() || down {
		return refused.Answer
	}
	about := dependentDetails(owner, keeper)
	if t.Session.Since(owner) < session.Patience {
		return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
			Situation: "ReferenceToRemove", Object: dependent.Ref, Details: about, Evidence: t.Health.LeaseEvidence(ctx),
		})
	}
	late := finding.Finding{Situation: "ReferenceNotYetRemoved", Object: dependent.Ref, Details: about}
	if answer, unsure := t.collectorUnsure(ctx, refused, late); unsure {
		return answer
	}
	evidence := []finding.Evidence{dependent.Ref.Observed("it refers to %s with blockOwnerDeletion, and to %s", owner.Ref, keeper.Ref), keeper.Ref.Observed("it exists and does not wait for its dependents")}
	evidence = append(evidence, t.aboutDependent(ctx, owner, dependent)...)
	return session.Cause(finding.Finding{
		Reason: finding.DependentNotDeleted, Situation: "ReferenceLeft", Object: dependent.Ref, Certainty: finding.Likely,
		Details: about, Evidence: append(evidence, refused.Uncertain()...),
		Remedies: []finding.Remedy{{
			Step: "TryWrite",
			Command: t.kubectl(dependent, "patch", "--dry-run=server", "--type", "json", "-p",
				session.DisownPatch(dependent, owner.Ref.UID)),
		}, t.Refusals.MaySend(write), t.removeReference(dependent, owner.Ref, finding.Honoured), t.StopWaiting(owner.Ref)},
	})
}

// collectorUnsure answers for something that the garbage collector has long failed to do, where the reader may not see
// whether it runs, or what may refuse its request. Somebody who may see that gets another cause.
func (t *Tools) collectorUnsure(ctx context.Context, refused refusal.Refusals, note finding.Finding) (Answer, bool) {
	if answer, failed := t.Health.ControllerManagerUnread(ctx); failed {
		return answer, true
	}
	if len(refused.Unsure) > 0 {
		return session.Open(refused.Doubt(note)), true
	}
	return Answer{}, false
}

// cameLate remarks on a dependent that was made after the owner's deletion had begun, as a controller does that hasn't
// noticed yet. The garbage collector looks at it only when it comes back to the owner, which it does each time that
// another dependent has gone (k8s v1.37 pkg/controller/garbagecollector/graph_builder.go:processGraphChanges).
func (t *Tools) cameLate(ctx context.Context, owner, dependent *Object, refused refusal.Refusals) Answer {
	at := dependent.Meta.CreationTimestamp.Time
	answer := t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
		Situation: "DependentCameLate", Object: dependent.Ref, Details: dependentDetails(owner, nil),
		Evidence: []finding.Evidence{dependent.Ref.Observed("created %s ago; the owner's deletion was requested %s ago",
			t.Session.Ago(at), t.Session.Ago(owner.RequestedAt())).When(at)},
	})
	answer.Remarks, answer.Progress = answer.Progress, nil // others are waited for, and decide
	return answer
}
