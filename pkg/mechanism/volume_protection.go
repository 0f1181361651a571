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

// stillBound answers for a volume that is bound: it waits for its claim. It answers false for one that is not.
func stillBound(ctx context.Context, t *Tools, object *Object, volume *corev1.PersistentVolume) (Answer, bool) {
	reads, bound := t.Session, volume.Spec.ClaimRef
	if status, _, _ := unstructured.NestedMap(object.Whole.Object, "status"); leftout.Lacks(status, "phase") {
		return boundByClaim(ctx, t, object, volume)
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
	inUse := volumeInUse(reads, object, read)
	inUse.Certainty = finding.Proven
	inUse.Evidence = []Evidence{
		object.Ref.Observed("phase Bound, claim %s", read.Ref.Path()), read.Ref.Observed("no deletionTimestamp"),
	}
	return Answer{Waits: []Wait{{Blocker: read, Otherwise: session.Cause(inUse)}}}, true
}

// boundByClaim answers for a volume whose phase was left out: a failed deletion of its storage shows that it is not
// bound (k8s v1.37 pkg/controller/volume/persistentvolume/pv_controller.go:syncVolume reclaims what is released), and
// that its claim is bound to it shows that it most likely is.
func boundByClaim(ctx context.Context, t *Tools, object *Object, volume *corev1.PersistentVolume) (Answer, bool) {
	failed, err := t.Health.Warning(ctx, object, volumeFailedDelete)
	if err == nil && failed != nil {
		return Answer{}, false
	}
	unread := session.Unread(finding.Unread{Aspect: finding.PhaseShown, Object: &object.Ref}, errNoPhase)
	bound := volume.Spec.ClaimRef
	if bound == nil {
		return unread, true
	}
	claim, err := t.Session.Read(ctx, cluster.PersistentVolumeClaims(), bound.Namespace, bound.Name)
	if err != nil || claim.Whole == nil {
		return unread, true
	}
	named, _, _ := unstructured.NestedString(claim.Whole.Object, "spec", "volumeName")
	phase, _, _ := unstructured.NestedString(claim.Whole.Object, "status", "phase")
	if named != object.Ref.Name || phase != string(corev1.ClaimBound) && !claim.Terminating() {
		return unread, true
	}
	inUse := volumeInUse(t.Session, object, claim)
	inUse.Certainty = finding.Likely
	inUse.Evidence = []Evidence{
		claim.Ref.Observed("phase Bound, volume %s", object.Ref.Name), claim.Ref.Observed("no deletionTimestamp"),
	}
	return Answer{Waits: []Wait{{Blocker: claim, Otherwise: session.Cause(inUse)}}}, true
}

func volumeInUse(reads *session.Session, object, claim *Object) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "ClaimOfVolume", Object: claim.Ref,
		Details: finding.StillInUseDetails{Of: &object.Ref},
		Remedies: []Remedy{{Step: "KeepClaim", Command: reads.Kubectl.Command(claim, "describe")}, {
			Step: "DeleteClaimOfVolume", Risk: finding.DataLoss,
			Command: reads.Kubectl.Command(claim, "delete", "--wait=false"),
		}},
	}
}
