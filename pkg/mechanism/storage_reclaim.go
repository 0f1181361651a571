package mechanism

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Reclaimer is how the CSI driver fares that deletes a volume's storage when its claim is gone, as the reclaim policy
// Delete says. Without the driver, the volume stays Released, and so do its data.
type Reclaimer struct {
	Driver string
	attribution.Absence
}

// reclaims names the CSI driver that has to delete a volume's storage; nothing where it is another program, or where
// the volume doesn't say who made it: its maker deletes it (external-provisioner
// pkg/controller/controller.go:shouldDelete).
func reclaims(volume *corev1.PersistentVolume) string {
	migrated := volume.Annotations["pv.kubernetes.io/migrated-to"]
	made := volume.Annotations["pv.kubernetes.io/provisioned-by"]
	byDriver := migrated != "" || made != "" &&
		(volume.Spec.CSI != nil || slices.Contains(volume.Finalizers, provisionerFinalizer))
	if !byDriver || volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
		return ""
	}
	return driverOf(volume, provisionerFinalizer)
}

// Reclaims looks for the CSI driver that deletes a volume's storage, as for what it has yet to do. It answers false
// where no CSI driver has to, and where the volume can't be read.
func Reclaims(ctx context.Context, t *Tools, volume *Object) (Reclaimer, bool) {
	typed, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, volume)
	if err != nil {
		return Reclaimer{}, false // the failed read is noted
	}
	driver := reclaims(typed)
	if driver == "" {
		return Reclaimer{}, false
	}
	held := Held{Object: volume, Hold: finding.Hold{Type: finding.Finalizer, Name: provisionerFinalizer}}
	found := Reclaimer{Driver: driver, Absence: driverFares(ctx, t, held, nil).Absence()}
	if found.Cause != nil {
		if without, is := finding.In(found.Cause.Situation, finding.WithoutFinalizer); is {
			found.Cause.Situation = without
		}
	}
	return found, true
}

// Stays is a remark on the volume of a claim that was not deleted yet.
func (r Reclaimer) Stays(claim *Object, volume finding.Ref) Finding {
	return r.told(volume, Finding{
		Situation: "VolumeWouldStay", Object: claim.Ref, Reason: r.Cause.Reason, Remedies: r.Cause.Remedies,
	})
}

// told is what follows from a driver that can't delete a volume's storage.
func (r Reclaimer) told(volume finding.Ref, note Finding) Finding {
	cause := *r.Cause
	note.Certainty, note.Evidence, note.Key = cause.Certainty, cause.Evidence, finding.KeyOf(note.Situation, r.Driver)
	note.Details = finding.AwaitedCauseDetails{
		Object: volume, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Cause: cause,
	}
	return note
}

// VolumeOf is the volume that is bound to a claim, or nil: the claim and the volume are read whole.
func VolumeOf(ctx context.Context, reads *session.Session, claim *Object) *Object {
	typed, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, reads, claim)
	if err != nil || typed.Spec.VolumeName == "" {
		return nil
	}
	volume, err := reads.Read(ctx, cluster.PersistentVolumes(), "", typed.Spec.VolumeName)
	if err != nil {
		return nil
	}
	bound, err := session.ReadAs[corev1.PersistentVolume](ctx, reads, volume)
	if err != nil || bound.Spec.ClaimRef == nil || bound.Spec.ClaimRef.UID != typed.UID {
		return nil
	}
	return volume
}

// volumeLater says that the volume of a claim needs a storage driver when the claim is gone, and that it can't act.
func volumeLater(ctx context.Context, t *Tools, claim *Object) []Finding {
	volume := VolumeOf(ctx, t.Session, claim)
	if volume == nil {
		return nil
	}
	hold := finding.Hold{Type: finding.Finalizer, Name: provisionerFinalizer}
	if volume.Terminating() && slices.Contains(volume.Meta.Finalizers, provisionerFinalizer) {
		later := driverLater(ctx, t, Held{Object: volume, Hold: hold}, driverNamed(volume, hold.Name))
		for i := range later {
			later[i].Holds = false // it is the volume that is held
		}
		return later
	}
	found, is := Reclaims(ctx, t, volume)
	if !is || found.Cause == nil {
		return nil
	}
	return []Finding{found.told(volume.Ref, Finding{Situation: "VolumeStaysLater", Object: volume.Ref})}
}
