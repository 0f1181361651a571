package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// volumeProtection explains kubernetes.io/pv-protection: a volume stays while it is Bound
// (deletion-mechanics M08).
func volumeProtection(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != "kubernetes.io/pv-protection" || !object.Is("", "PersistentVolume") {
		return facts.Answer{}, false
	}
	volume, answer := facts.WholeAs[corev1.PersistentVolume](ctx, w, object)
	if volume == nil {
		return answer, true
	}
	if answer, bound := w.stillBound(ctx, object, volume); bound {
		return answer, true
	}
	return w.Overdue(ctx, w.Release(object, hold, "pv-protection-controller", fmt.Sprintf("release %s, which is not bound to a claim", object.Ref))), true
}

// stillBound answers for a volume that is bound: it waits for its claim. It answers false for one
// that is not.
func (w *World) stillBound(ctx context.Context, object *facts.Object, volume *corev1.PersistentVolume) (facts.Answer, bool) {
	bound := volume.Spec.ClaimRef
	if volume.Status.Phase != corev1.VolumeBound || bound == nil {
		return facts.Answer{}, false
	}
	claim, err := w.Read(ctx, cluster.PersistentVolumeClaims(), bound.Namespace, bound.Name)
	if err != nil && !apierrors.IsNotFound(err) {
		return facts.Unread(fmt.Sprintf("PersistentVolumeClaim %s/%s", bound.Namespace, bound.Name), err), true
	}
	if err != nil || claim.Ref.UID != string(bound.UID) {
		return w.Overdue(ctx, refusal.Duty{Object: object, Since: w.Since(object), What: fmt.Sprintf("notice that the claim of %s is gone", object.Ref)}), true
	}
	return facts.Answer{Waits: []facts.Wait{{Blocker: claim, Otherwise: facts.Cause(w.volumeInUse(object, claim, volume))}}}, true
}

// volumeInUse is the cause of a volume whose claim nobody has deleted.
func (w *World) volumeInUse(object, claim *facts.Object, volume *corev1.PersistentVolume) graph.Cause {
	policy := volume.Spec.PersistentVolumeReclaimPolicy
	loses := "the claim; the volume's storage is kept (reclaim policy " + string(policy) + ")"
	if policy == corev1.PersistentVolumeReclaimDelete {
		loses = "the volume" + w.StorageOf(object, object.Meta.Finalizers...) + " and all its data (reclaim policy Delete)"
	}
	return graph.Cause{
		Reason: graph.StillInUse, Object: claim.Ref, Certainty: graph.Proven,
		Message: fmt.Sprintf("%s is bound to %s, and nobody has deleted the claim. A volume stays as long as its claim does, as it should.", claim.Ref, object.Ref),
		Awaited: fmt.Sprintf("%s, which is bound to it and which nobody has deleted", claim.Ref),
		Evidence: []graph.Evidence{
			{Source: object.Ref.String(), Observed: "phase Bound, claim " + claim.Ref.Path(), Object: &object.Ref},
			{Source: claim.Ref.String(), Observed: "no deletionTimestamp", Object: &claim.Ref},
		},
		Remedies: []graph.Remedy{{
			Action:  "If the claim is still needed, leave both: the volume goes when its claim does. See who uses the claim.",
			Command: w.Kubectl.Command(claim, "describe"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "If the claim isn't needed any more, delete it. Pods that use it hold it in turn.",
			Command: w.Kubectl.Command(claim, "delete", "--wait=false"),
			Risk:    graph.DataLoss,
			Loses:   loses,
		}},
	}
}
