package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// attributesClassProtection explains kubernetes.io/vac-protection: a VolumeAttributesClass stays while a claim or a
// volume refers to it (docs/deletion.md#volumeattributesclass-protection).
func attributesClassProtection(ctx context.Context, t *Tools, held Held) (answer Answer) {
	resource, every := cluster.PersistentVolumeClaims(), cluster.Selector{}
	claims, err := session.ListWhole[corev1.PersistentVolumeClaim](ctx, t.Session, resource, "", every)
	if err != nil {
		return session.Unread(unreadKind("PersistentVolumeClaims", finding.AllNamespaces), err)
	}
	users := map[types.UID]bool{}
	for _, claim := range claims {
		if how := claimRefersTo(claim.Typed, held.Ref.Name); how != "" {
			users[claim.Typed.UID] = true
			answer.Waits = append(answer.Waits, classUser(claim.Object, how, leaveClass(t.Session, claim)))
		}
	}
	volumes, err := session.ListWhole[corev1.PersistentVolume](ctx, t.Session, cluster.PersistentVolumes(), "", every)
	if err != nil {
		answer.Add(session.Unread(unreadKind("PersistentVolumes", ""), err))
		return answer
	}
	for _, volume := range volumes {
		name, claim := volume.Typed.Spec.VolumeAttributesClassName, volume.Typed.Spec.ClaimRef
		// What happens to a claim happens to its volume.
		if name != nil && *name == held.Ref.Name && (claim == nil || !users[claim.UID]) {
			user := classUser(volume.Object, "spec.volumeAttributesClassName", leaveVolume(t.Session, volume))
			answer.Waits = append(answer.Waits, user)
		}
	}
	if answer.Empty() {
		release := finding.Phrase{Situation: "ReleaseAttributesClass"}
		return unreleased(ctx, t.Refusals, held, release)
	}
	return answer
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

func classUser(user *Object, how string, remedies []Remedy) Wait {
	return session.Until(user, func() Answer {
		return session.Cause(Finding{
			Reason: finding.StillInUse, Situation: "RefersToClass", Object: user.Ref, Certainty: finding.Proven,
			Details:  finding.StillInUseDetails{Field: how},
			Key:      finding.KeyOf("RefersToClass", user.Ref.Kind, how, remedies[0].Step),
			Evidence: []Evidence{user.Ref.Observed("%s names the class", how)}, Remedies: remedies,
		})
	})
}

// leaveClass says how a claim leaves its class. Only a bound claim may change it (k8s v1.37
// pkg/apis/core/validation/validation.go:ValidatePersistentVolumeClaimUpdate).
func leaveClass(reads *session.Session, claim session.Item[corev1.PersistentVolumeClaim]) []Remedy {
	look := Remedy{
		Step:    "ChangeClass",
		Command: reads.Kubectl.Prefix(finding.Ref{}, "get", "volumeattributesclasses.storage.k8s.io"),
	}
	if claim.Typed.Status.Phase != corev1.ClaimBound {
		look.Step, look.Command = "KeepUnboundClaim", reads.Kubectl.Command(claim.Object, "describe")
	}
	return []Remedy{look, {
		Step: "DeleteClaimOfClass", Risk: finding.DataLoss,
		Command: reads.Kubectl.Command(claim.Object, "delete", "--wait=false"),
	}}
}

func leaveVolume(reads *session.Session, volume session.Item[corev1.PersistentVolume]) []Remedy {
	return []Remedy{{Step: "SeeClaimOfVolume", Command: reads.Kubectl.Command(volume.Object, "describe")}, {
		Step: "DeleteVolume", Risk: finding.DataLoss,
		Command: reads.Kubectl.Command(volume.Object, "delete", "--wait=false"),
	}}
}
