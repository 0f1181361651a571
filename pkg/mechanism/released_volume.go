package mechanism

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// awaitReclaim is about a volume without its claim, which is to be deleted with its storage: the object is deleted only
// after the storage, so a failure looks like a stuck volume (k8s v1.37
// pkg/controller/volume/persistentvolume/pv_controller.go:reclaimVolume). A claim that waits for this volume is
// reported.
func awaitReclaim(ctx context.Context, t *Tools, object *Object, fate *Fate) {
	volume := object
	switch {
	case object.Is("", "PersistentVolumeClaim"):
		if volume = volumeOfUnbound(ctx, t.Session, object); volume == nil {
			return
		}
	case !object.Is("", "PersistentVolume"):
		return
	}
	typed, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, volume)
	if err != nil {
		return // the failed read is noted
	}
	left := typed.Status.Phase == corev1.VolumeReleased || typed.Status.Phase == corev1.VolumeFailed
	kept := typed.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain
	if left && !kept && typed.DeletionTimestamp == nil {
		fate.tell(reclaimOf(ctx, t, volume, typed))
	}
}

// volumeOfUnbound returns the volume that a claim names and isn't bound to, if there is one.
func volumeOfUnbound(ctx context.Context, reads *session.Session, object *Object) *Object {
	claim, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, reads, object)
	if err != nil || claim.Spec.VolumeName == "" || claim.Status.Phase == corev1.ClaimBound {
		return nil
	}
	return session.Named(cluster.PersistentVolumes(), "", claim.Spec.VolumeName)
}

// reclaimOf says what was reported of deleting a volume's storage.
func reclaimOf(ctx context.Context, t *Tools, object *Object, volume *corev1.PersistentVolume) Finding {
	policy := string(volume.Spec.PersistentVolumeReclaimPolicy)
	phase := object.Ref.Observed("phase %s, reclaim policy %s", volume.Status.Phase, policy).Ranked(finding.Second)
	note := Finding{Situation: "ReclaimPending", Object: object.Ref, Evidence: []Evidence{phase}}
	details := finding.StorageDriverDetails{Driver: driverOf(volume, provisionerFinalizer), Policy: policy}
	complaint, err := reclaimComplaint(ctx, t.Health, object, volume)
	switch {
	case complaint != nil:
		note.Situation, details.Words = "ReclaimReported", complaint.Words
		note.Evidence = append([]Evidence{complaint.Evidence(object.Ref)}, note.Evidence...)
		taken := t.Losses.With(ctx, object)
		note.Remedies = []Remedy{retain(t.Session, object), {
			Step: "RepairReclaim", Command: t.Session.Kubectl.Command(object, "describe"), Risk: finding.WorstOf(taken),
			Taken: taken,
		}}
	case err != nil:
		note.Situation = "ReclaimUnread"
	}
	note.Details = details
	if complaint != nil {
		return note
	}
	if found, is := Reclaims(ctx, t, object); is && found.Cause != nil {
		return reclaimedByNoOne(ctx, t.Session, t.Losses, object, found, phase)
	}
	return note
}

// reclaimedByNoOne is about a volume whose storage stays because its driver can't delete it.
func reclaimedByNoOne(
	ctx context.Context, reads *session.Session, losses *loss.Teller, object *Object, found Reclaimer, phase Evidence,
) Finding {
	note := found.told(object.Ref, Finding{Situation: "ReclaimWithoutDriver", Object: object.Ref})
	note.Evidence = append(slices.Clone(note.Evidence), phase)
	taken := losses.With(ctx, object)
	note.Remedies = []Remedy{retain(reads, object)}
	for _, remedy := range found.Cause.Remedies { // each has the data deleted
		remedy.Risk, remedy.Taken = finding.WorstOf(taken), taken
		note.Remedies = append(note.Remedies, remedy)
	}
	return note
}
