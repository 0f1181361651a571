package mechanism

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// orphanDeletion explains an object that goes once no dependent refers to it any more: the garbage collector removes
// its uid from every one of them, and one that it can't write to keeps the object (docs/deletion.md#orphan-deletion).
func orphanDeletion(ctx context.Context, t *Tools, held Held) Answer {
	if answer, down := t.Health.ControlPlane.ControllerManagerDown(ctx, held.Object); down {
		answer.Remarks = append(answer.Remarks, orphansAtRisk(held.Object))
		return answer
	}
	dependents, unlisted, err := dependentsOf(ctx, t.Session, held.Object, func(*Object) bool { return true })
	switch {
	case err != nil:
		return session.Unread(finding.Unread{Aspect: finding.Discovery}, err)
	case len(dependents) == 0 && len(unlisted.Kinds) > 0:
		return dependentsUnread(held.Object, unlisted, true)
	case len(dependents) == 0:
		about := finding.DependentsDetails{Owner: held.Ref, Orphans: true}
		task := finding.Phrase{Situation: "ReleaseFromDependents", Details: about}
		release := t.Refusals.Release(held.Object, held.Hold, held.By, task)
		release.Remedies = []Remedy{deleteOrphaned(t.Session, held.Object, 0)}
		return t.Refusals.Overdue(ctx, release)
	}
	return besidesUnread(disowning(ctx, t.Session, t.Refusals, held.Object, dependents), held.Object, unlisted, true)
}

func disowning(
	ctx context.Context, reads *session.Session, refusals *refusal.Checker, object *Object, dependents []*Object,
) Answer {
	uid := object.Ref.UID
	about := finding.DependentsDetails{Owner: object.Ref, Orphans: true}
	striking := refusal.Duty{
		Object: object, Since: reads.Since(object), Remaining: dependents, Remedies: disownAll(reads, object, dependents),
		Done: func(meta *metav1.PartialObjectMetadata) bool { return !refersTo(meta, uid) },
	}
	for _, dependent := range dependents {
		about.Dependents = append(about.Dependents, dependent.Ref)
		striking.Writes = append(striking.Writes, refusal.Write{
			Operation: admissionregistrationv1.Update, Object: dependent, Disowns: &object.Ref,
			By: refusal.SystemAccount(session.GarbageCollector),
		})
	}
	striking.Task = finding.Phrase{Situation: "RemoveReferencesToOwner", Details: about}
	answer := refusals.Overdue(ctx, striking)
	answer.Remarks = append(answer.Remarks, orphansAtRisk(object))
	return answer
}

func refersTo(meta *metav1.PartialObjectMetadata, uid string) bool {
	return slices.ContainsFunc(meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return string(owner.UID) == uid
	})
}

// disownAll removes the references first: a dependent that still refers to its owner when that goes is deleted.
func disownAll(reads *session.Session, object *Object, dependents []*Object) []Remedy {
	var steps []Remedy
	for _, dependent := range dependents {
		patch := session.DisownPatch(dependent, object.Ref.UID)
		steps = finding.JoinSteps(steps, Remedy{
			Step: "RemoveReferences", Details: finding.StepDetails{},
			Command: reads.Kubectl.Command(dependent, "patch", "--type", "json", "-p", patch),
		}, true, len(steps) == 0)
	}
	return append(steps, deleteOrphaned(reads, object, len(dependents)))
}

// deleteOrphaned deletes again in the background, which removes the finalizer (docs/deletion.md#a-second-delete).
func deleteOrphaned(reads *session.Session, object *Object, dependents int) Remedy {
	return Remedy{
		Step: "DeleteOrphaned", Details: finding.StepDetails{Object: &object.Ref, Count: dependents},
		Command: reads.Kubectl.Command(object, "delete", "--cascade=background", "--wait=false"), Risk: finding.DataLoss,
	}
}

// orphansAtRisk warns of forcing the finalizer off: dependents that still refer to the object are garbage then.
func orphansAtRisk(object *Object) Finding {
	return Finding{Situation: "OrphansAtRisk", Object: object.Ref}
}
