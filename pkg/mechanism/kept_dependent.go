package mechanism

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// keptByOther answers for a blocking dependent that another owner keeps: the garbage collector doesn't
// delete it, it takes the reference to this owner off it (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem; row A14). It answers false
// where no other owner does. down says that the collector is known to be down.
func (w *World) keptByOther(ctx context.Context, owner, dependent *facts.Object, down bool) (facts.Answer, bool) {
	if len(dependent.Meta.OwnerReferences) < 2 {
		return facts.Answer{}, false
	}
	var others []reference
	for _, one := range w.references(ctx, dependent) {
		if string(one.UID) != owner.Ref.UID {
			others = append(others, one)
		}
	}
	if keeper := first(others, ownerSolid); keeper != nil {
		return w.notDisowned(ctx, owner, dependent, keeper.owner, down), true
	}
	if unknown := first(others, ownerUnreadable); unknown != nil {
		return facts.Unread("its dependent's other owner "+unknown.String(), unknown.err), true
	}
	return facts.Answer{}, false
}

// notDisowned answers for a dependent that stays and still refers to the owner.
func (w *World) notDisowned(ctx context.Context, owner, dependent, keeper *facts.Object, down bool) facts.Answer {
	refused := w.Refused(ctx, refusal.Write{Operation: admissionregistrationv1.Update, Object: dependent, By: refusal.SystemAccount(facts.GarbageCollector)})
	if refused.Found() || down {
		return refused.Answer
	}
	if w.Since(owner) < facts.Patience {
		return w.ProgressUnless(ctx, refused, facts.Note{
			Message:  fmt.Sprintf("The garbage collector has yet to take the reference to %s off %s, which stays with its other owner %s. It takes seconds.", owner.Ref, dependent.Ref, keeper.Ref),
			Awaited:  fmt.Sprintf("the garbage collector to take the reference to %s off %s, which stays with its other owner", owner.Ref, dependent.Ref),
			Evidence: w.LeaseEvidence(ctx),
		})
	}
	since := w.Ago(owner.RequestedAt())
	if answer, unsure := w.collectorUnsure(ctx, refused, facts.Note{
		Message: fmt.Sprintf("The garbage collector has not taken the reference to %s off %s in %s.", owner.Ref, dependent.Ref, since),
		Awaited: fmt.Sprintf("the garbage collector to take the reference to %s off %s, which it has not done in %s", owner.Ref, dependent.Ref, since),
	}); unsure {
		return answer
	}
	return facts.Cause(graph.Cause{
		Reason: graph.DependentNotDeleted, Object: dependent.Ref, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s blocks %s and stays with its other owner %s: the garbage collector doesn't delete it, it takes the reference off it. It has not in %s: it may not, or its request is refused.",
			dependent.Ref, owner.Ref, keeper.Ref, since),
		Awaited: fmt.Sprintf("%s, which stays with its other owner %s and still refers to %s: the garbage collector has not taken that reference off in %s", dependent.Ref, keeper.Ref, owner.Ref, since),
		Evidence: append([]graph.Evidence{
			{Source: dependent.Ref.String(), Observed: fmt.Sprintf("it refers to %s with blockOwnerDeletion, and to %s", owner.Ref, keeper.Ref), Object: &dependent.Ref},
			{Source: keeper.Ref.String(), Observed: "it exists and does not wait for its dependents", Object: &keeper.Ref},
		}, append(w.aboutDependent(ctx, owner, dependent), refused.Uncertain()...)...),
		Remedies: append([]graph.Remedy{{
			Action:  "See whether the dependent can be written to; a refusal names who refuses.",
			Command: w.Kubectl.Command(dependent, "patch", "--dry-run=server", "--type", "json", "-p", facts.DisownPatch(dependent, owner.Ref.UID)),
			Risk:    graph.NoRisk,
		}, w.MaySend(refusal.Write{Operation: admissionregistrationv1.Update, Object: dependent, By: refusal.SystemAccount(facts.GarbageCollector)})}, append(w.disown(dependent, owner.Ref.UID, ""), w.StopWaiting(owner.Ref))...),
	})
}

// collectorUnsure answers for something that the garbage collector has long failed to do where it can't
// be told whether it runs, or what may refuse its request: those who see that are told another cause.
func (w *World) collectorUnsure(ctx context.Context, refused refusal.Refusals, note facts.Note) (facts.Answer, bool) {
	if answer, failed := w.ControllerManagerUnread(ctx); failed {
		return answer, true
	}
	if len(refused.Unsure) > 0 {
		return facts.Open(refusal.Doubted(note, refusal.UnreadRefusal, refused.Unsure)), true
	}
	return facts.Answer{}, false
}

// cameLate remarks on a dependent that was made after the owner's deletion had begun, as a controller
// does that hasn't noticed yet. The garbage collector looks at it only when it comes back to the owner,
// which it does each time that another dependent has gone (k8s v1.37
// pkg/controller/garbagecollector/graph_builder.go:processGraphChanges).
func (w *World) cameLate(ctx context.Context, owner, dependent *facts.Object, refused refusal.Refusals) facts.Answer {
	at := dependent.Meta.CreationTimestamp.Time
	answer := w.ProgressUnless(ctx, refused, facts.Note{
		Message: fmt.Sprintf("%s was created when the deletion of %s had already begun. The garbage collector deletes it by itself once another dependent has gone.", dependent.Ref, owner.Ref),
		Awaited: fmt.Sprintf("the garbage collector to come to %s, a dependent that was created late", dependent.Ref),
		Evidence: []graph.Evidence{{
			Source: dependent.Ref.String(), Observed: fmt.Sprintf("created %s ago; the owner's deletion was requested %s ago", w.Ago(at), w.Ago(owner.RequestedAt())), Object: &dependent.Ref, At: &at,
		}},
	})
	answer.Remarks, answer.Progress = answer.Progress, nil // others are waited for, and decide
	return answer
}
