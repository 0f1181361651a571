package mechanism

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// volumeProtection explains kubernetes.io/pv-protection: a volume stays while it is Bound
// (docs/deletion.md#volume-protection).
func volumeProtection(ctx context.Context, t *Tools, held Held, volume *corev1.PersistentVolume) Answer {
	if answer, bound := stillBound(ctx, t, held.Object, volume); bound {
		return answer
	}
	return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReleaseUnboundVolume"})
}

// errNoPhase is why a volume counts as unread whose description shows no phase, as that of one that is Terminating.
var errNoPhase = errors.New("its phase is not shown")

// stillBound answers for a volume that is bound: it waits for its claim. It answers false for one that is not. Where
// the phase was left out, a failed deletion of its storage shows that it is not bound (k8s v1.37
// pkg/controller/volume/persistentvolume/pv_controller.go:syncVolume reclaims what is released).
func stillBound(ctx context.Context, t *Tools, object *Object, volume *corev1.PersistentVolume) (Answer, bool) {
	reads, bound := t.Session, volume.Spec.ClaimRef
	if status, _, _ := unstructured.NestedMap(object.Whole.Object, "status"); leftout.Lacks(status, "phase") {
		failed, err := t.Health.Warning(ctx, object, volumeFailedDelete)
		if err == nil && failed != nil {
			return Answer{}, false
		}
		return session.Unread(finding.UnreadObject(object.Ref), errNoPhase), true
	}
	if volume.Status.Phase != corev1.VolumeBound || bound == nil {
		return Answer{}, false
	}
	claim := session.Named(cluster.PersistentVolumeClaims(), bound.Namespace, bound.Name)
	read, err := reads.Read(ctx, claim.Resource, bound.Namespace, bound.Name)
	if err != nil && !apierrors.IsNotFound(err) {
		return session.Unread(finding.UnreadObject(claim.Ref), err), true
	}
	if err != nil || read.Ref.UID != string(bound.UID) {
		task := finding.Phrase{Situation: "NoticeLostClaim", Details: finding.TaskDetails{Object: object.Ref}}
		return t.Refusals.Overdue(ctx, refusal.Duty{Object: object, Since: reads.Since(object), Task: task}), true
	}
	return Answer{Waits: []Wait{{Blocker: read, Otherwise: session.Cause(volumeInUse(reads, object, read))}}}, true
}

func volumeInUse(reads *session.Session, object, claim *Object) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "ClaimOfVolume", Object: claim.Ref, Certainty: finding.Proven,
		Details: finding.StillInUseDetails{Of: &object.Ref},
		Evidence: []Evidence{
			object.Ref.Observed("phase Bound, claim %s", claim.Ref.Path()), claim.Ref.Observed("no deletionTimestamp"),
		},
		Remedies: []Remedy{{Step: "KeepClaim", Command: reads.Kubectl.Command(claim, "describe")}, {
			Step: "DeleteClaimOfVolume", Risk: finding.DataLoss,
			Command: reads.Kubectl.Command(claim, "delete", "--wait=false"),
		}},
	}
}
