package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// attributesClassProtection explains kubernetes.io/vac-protection: a VolumeAttributesClass stays while
// a claim or a volume refers to it (deletion-mechanics M10).
func attributesClassProtection(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != "kubernetes.io/vac-protection" || !object.Is("storage.k8s.io", "VolumeAttributesClass") {
		return session.Answer{}, false
	}
	claims, err := session.ListWhole[corev1.PersistentVolumeClaim](ctx, t.Session, cluster.PersistentVolumeClaims(), "", cluster.Selector{})
	if err != nil {
		return session.Unread("PersistentVolumeClaims in all namespaces", err), true
	}
	answer := session.Answer{}
	users := map[string]bool{}
	for _, claim := range claims {
		if how := claimRefersTo(claim.Typed, object.Ref.Name); how != "" {
			users[claim.Object.Ref.UID] = true
			answer.Waits = append(answer.Waits, t.classUser(claim.Object, how, t.leaveClass(claim)))
		}
	}
	volumes, err := session.ListWhole[corev1.PersistentVolume](ctx, t.Session, cluster.PersistentVolumes(), "", cluster.Selector{})
	if err != nil {
		answer.Add(session.Unread("PersistentVolumes", err))
		return answer, true
	}
	for _, volume := range volumes {
		// What happens to a claim happens to its volume.
		if name := volume.Typed.Spec.VolumeAttributesClassName; name != nil && *name == object.Ref.Name && !claimedBy(volume.Typed, users) {
			answer.Waits = append(answer.Waits, t.classUser(volume.Object, "spec.volumeAttributesClassName", t.leaveVolume(volume)))
		}
	}
	if answer.Empty() {
		return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, "volumeattributesclass-protection-controller", "release "+object.Ref.String()+", to which no claim and no volume refers any more")), true
	}
	return answer, true
}

// claimRefersTo returns the field by which a claim refers to a class, or nothing (k8s v1.37
// pkg/controller/volume/vacprotection/vac_protection_controller.go:getPVCReferencedVACNames).
func claimRefersTo(claim *corev1.PersistentVolumeClaim, class string) string {
	current, modify := claim.Status.CurrentVolumeAttributesClassName, claim.Status.ModifyVolumeStatus
	switch {
	case claim.Spec.VolumeAttributesClassName != nil && *claim.Spec.VolumeAttributesClassName == class:
		return "spec.volumeAttributesClassName"
	case current != nil && *current == class:
		return "status.currentVolumeAttributesClassName"
	case modify != nil && modify.TargetVolumeAttributesClassName == class:
		return "status.modifyVolumeStatus.targetVolumeAttributesClassName"
	}
	return ""
}

func claimedBy(volume *corev1.PersistentVolume, claims map[string]bool) bool {
	return volume.Spec.ClaimRef != nil && claims[string(volume.Spec.ClaimRef.UID)]
}

// classUser is the wait for a claim or a volume that refers to a class.
func (t *Tools) classUser(user *session.Object, how string, remedies []finding.Remedy) session.Wait {
	wait := session.Wait{Blocker: user}
	if user.Terminating() {
		return wait
	}
	wait.Otherwise = session.Cause(finding.Finding{
		Reason: finding.StillInUse, Object: user.Ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("%s refers to the class (%s). A class stays as long as anything refers to it, as it should.", user.Ref, how),
		Awaited:  fmt.Sprintf("%s, which refers to it (%s)", user.Ref, how),
		Evidence: []finding.Evidence{{Source: user.Ref.String(), Observed: how + " is the class", Object: &user.Ref}},
		Remedies: remedies,
		Alike:    fmt.Sprintf("users of a class: %s by %s. %s", user.Ref.Kind, how, remedies[0].Action),
		Several: func(count int) string {
			return fmt.Sprintf("%d objects of kind %s which refer to it (%s)", count, user.Ref.Kind, how)
		},
	})
	return wait
}

// leaveClass says how a claim leaves its class. Only a bound claim may change it (k8s v1.37
// pkg/apis/core/validation/validation.go:ValidatePersistentVolumeClaimUpdate).
func (t *Tools) leaveClass(claim session.Item[corev1.PersistentVolumeClaim]) []finding.Remedy {
	look := finding.Remedy{
		Action:  "If the claim is still needed, give it another class: set its spec.volumeAttributesClassName. See which there are.",
		Command: append(t.Session.Kubectl.Prefix(finding.Ref{}), "get", "volumeattributesclasses.storage.k8s.io"),
		Risk:    finding.NoRisk,
	}
	if claim.Typed.Status.Phase != corev1.ClaimBound {
		look.Action = "If the claim is still needed, leave both: the class goes when its last user does. A claim that isn't bound can't change its class."
		look.Command = t.Session.Kubectl.Command(claim.Object, "describe")
	}
	loses := "the claim, and with reclaim policy Delete its volume and all its data"
	if claim.Typed.Spec.VolumeName == "" {
		loses = "the claim, which has no volume yet"
	}
	return []finding.Remedy{look, {
		Action:  "If the claim isn't needed any more, delete it. Pods that use it hold it in turn.",
		Command: t.Session.Kubectl.Command(claim.Object, "delete", "--wait=false"),
		Risk:    finding.DataLoss,
		Loses:   loses,
	}}
}

// leaveVolume says what to do about a volume whose claim is gone, or has another class.
func (t *Tools) leaveVolume(volume session.Item[corev1.PersistentVolume]) []finding.Remedy {
	loses := "the record of the volume; its storage is kept (reclaim policy " + string(volume.Typed.Spec.PersistentVolumeReclaimPolicy) + ")"
	if volume.Typed.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
		loses = "the volume and all its data (reclaim policy Delete)"
	}
	return []finding.Remedy{{
		Action:  "See whether the volume has a claim, and whether its class is just being changed.",
		Command: t.Session.Kubectl.Command(volume.Object, "describe"),
		Risk:    finding.NoRisk,
	}, {
		Action:  "If the volume isn't needed any more, delete it. A claim that is bound to it holds it in turn.",
		Command: t.Session.Kubectl.Command(volume.Object, "delete", "--wait=false"),
		Risk:    finding.DataLoss,
		Loses:   loses,
	}}
}
