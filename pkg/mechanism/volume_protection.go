package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// volumeProtection explains kubernetes.io/pv-protection: a volume stays while it is Bound
// (deletion-mechanics M08).
func volumeProtection(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != "kubernetes.io/pv-protection" || !object.Is("", "PersistentVolume") {
		return session.Answer{}, false
	}
	volume, answer := session.WholeAs[corev1.PersistentVolume](ctx, t.Session, object)
	if volume == nil {
		return answer, true
	}
	if answer, bound := t.stillBound(ctx, object, volume); bound {
		return answer, true
	}
	return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, "pv-protection-controller", fmt.Sprintf("release %s, which is not bound to a claim", object.Ref))), true
}

// stillBound answers for a volume that is bound: it waits for its claim. It answers false for one
// that is not.
func (t *Tools) stillBound(ctx context.Context, object *session.Object, volume *corev1.PersistentVolume) (session.Answer, bool) {
	bound := volume.Spec.ClaimRef
	if volume.Status.Phase != corev1.VolumeBound || bound == nil {
		return session.Answer{}, false
	}
	claim, err := t.Session.Read(ctx, cluster.PersistentVolumeClaims(), bound.Namespace, bound.Name)
	if err != nil && !apierrors.IsNotFound(err) {
		return session.Unread(fmt.Sprintf("PersistentVolumeClaim %s/%s", bound.Namespace, bound.Name), err), true
	}
	if err != nil || claim.Ref.UID != string(bound.UID) {
		return t.Refusals.Overdue(ctx, refusal.Duty{Object: object, Since: t.Session.Since(object), What: fmt.Sprintf("notice that the claim of %s is gone", object.Ref)}), true
	}
	return session.Answer{Waits: []session.Wait{{Blocker: claim, Otherwise: session.Cause(t.volumeInUse(object, claim, volume))}}}, true
}

// volumeInUse is the cause of a volume whose claim nobody has deleted.
func (t *Tools) volumeInUse(object, claim *session.Object, volume *corev1.PersistentVolume) finding.Finding {
	policy := volume.Spec.PersistentVolumeReclaimPolicy
	loses := "the claim; the volume's storage is kept (reclaim policy " + string(policy) + ")"
	if policy == corev1.PersistentVolumeReclaimDelete {
		loses = "the volume" + t.Attribution.StorageOf(object, object.Meta.Finalizers...) + " and all its data (reclaim policy Delete)"
	}
	return finding.Finding{
		Reason: finding.StillInUse, Object: claim.Ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s is bound to %s, and nobody has deleted the claim. A volume stays as long as its claim does, as it should.", claim.Ref, object.Ref),
		Awaited: fmt.Sprintf("%s, which is bound to it and which nobody has deleted", claim.Ref),
		Evidence: []finding.Evidence{
			{Source: object.Ref.String(), Observed: "phase Bound, claim " + claim.Ref.Path(), Object: &object.Ref},
			{Source: claim.Ref.String(), Observed: "no deletionTimestamp", Object: &claim.Ref},
		},
		Remedies: []finding.Remedy{{
			Action:  "If the claim is still needed, leave both: the volume goes when its claim does. See who uses the claim.",
			Command: t.Session.Kubectl.Command(claim, "describe"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "If the claim isn't needed any more, delete it. Pods that use it hold it in turn.",
			Command: t.Session.Kubectl.Command(claim, "delete", "--wait=false"),
			Risk:    finding.DataLoss,
			Loses:   loses,
		}},
	}
}
