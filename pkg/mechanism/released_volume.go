package mechanism

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// awaitReclaim is about a volume without its claim, which is to be deleted with its storage: the object is deleted only
// after the storage, so a failure looks like a stuck volume (k8s v1.37
// pkg/controller/volume/persistentvolume/pv_controller.go:reclaimVolume). A claim that waits for this volume is
// reported.
func (t *Tools) awaitReclaim(ctx context.Context, object *Object, fate *Fate) {
	volume := object
	switch {
	case object.Is("", "PersistentVolumeClaim"):
		if volume = t.volumeOfUnbound(ctx, object); volume == nil {
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
		fate.tell(t.reclaimOf(ctx, volume, typed))
	}
}

// volumeOfUnbound returns the volume that a claim names and isn't bound to, if there is one.
func (t *Tools) volumeOfUnbound(ctx context.Context, object *Object) *Object {
	claim, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, t.Session, object)
	if err != nil || claim.Spec.VolumeName == "" || claim.Status.Phase == corev1.ClaimBound {
		return nil
	}
	return session.Named(cluster.PersistentVolumes(), "", claim.Spec.VolumeName)
}

// reclaimOf says what was reported of deleting a volume's storage.
func (t *Tools) reclaimOf(ctx context.Context, object *Object, volume *corev1.PersistentVolume) Finding {
	policy := string(volume.Spec.PersistentVolumeReclaimPolicy)
	phase := object.Ref.Observed("phase %s, reclaim policy %s", volume.Status.Phase, policy).Ranked(finding.Second)
	note := Finding{Situation: "ReclaimPending", Object: object.Ref, Evidence: []Evidence{phase}}
	details := finding.StorageDriverDetails{Driver: driverOf(volume, provisionerFinalizer), Policy: policy}
	complaint, err := t.reclaimComplaint(ctx, object, volume)
	switch {
	case complaint != nil:
		note.Situation, details.Words = "ReclaimReported", complaint.Words
		note.Evidence = append([]Evidence{complaint.Evidence(object.Ref)}, note.Evidence...)
		taken := t.Losses.With(ctx, object)
		note.Remedies = []Remedy{t.retain(object), {
			Step: "RepairReclaim", Command: t.kubectl(object, "describe"), Risk: finding.WorstOf(taken), Taken: taken,
		}}
	case err != nil:
		note.Situation = "ReclaimUnread"
	}
	note.Details = details
	if complaint != nil {
		return note
	}
	if found, is := t.Reclaims(ctx, object); is && found.Cause != nil {
		return t.reclaimedByNoOne(ctx, object, found, phase)
	}
	return note
}

// reclaimedByNoOne is about a volume whose storage stays because its driver can't delete it.
func (t *Tools) reclaimedByNoOne(ctx context.Context, object *Object, found Reclaimer, phase Evidence) Finding {
	note := found.told(object.Ref, Finding{Situation: "ReclaimWithoutDriver", Object: object.Ref})
	note.Evidence = append(slices.Clone(note.Evidence), phase)
	taken := t.Losses.With(ctx, object)
	note.Remedies = []Remedy{t.retain(object)}
	for _, remedy := range found.Cause.Remedies { // each has the data deleted
		remedy.Risk, remedy.Taken = finding.WorstOf(taken), taken
		note.Remedies = append(note.Remedies, remedy)
	}
	return note
}
