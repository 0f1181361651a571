package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// The finalizers by which a volume waits for its storage (docs/deletion.md#finalizers-of-kubernetes). The attacher's
// ends in the driver.
const (
	provisionerFinalizer = "external-provisioner.volume.kubernetes.io/finalizer"
	inTreeFinalizer      = "kubernetes.io/pv-controller"
	attacherPrefix       = "external-attacher/"
)

// volumeFailedDelete is the reason of the event about a volume whose storage could not be deleted.
const volumeFailedDelete = "VolumeFailedDelete"

// volumeReclaim explains what holds a volume whose claim is gone: its storage has yet to be deleted, or to be detached
// (docs/deletion.md#volume-reclaim). As long as the claim is there, none of that begins.
func volumeReclaim(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	volume, answer := session.WholeAs[corev1.PersistentVolume](ctx, t.Session, held.Object)
	if volume == nil {
		return answer, true
	}
	driver, attached := driverOf(volume, held.Hold.Name), strings.HasPrefix(held.Hold.Name, attacherPrefix)
	if driver == "" {
		return Answer{}, false // nothing says whose it is
	}
	answer, bound := stillBound(ctx, t, held.Object, volume)
	going := Answer{} // attachments that the driver has yet to detach, whose answers say how it fares
	switch {
	case bound && attached:
		going = detaching(ctx, t.Session, t.Health, held.Object)
	case attached:
		answer = stillAttached(ctx, t.Session, t.Health, held.Object)
	}
	if bound && len(answer.Waits) > 0 && len(going.Waits) == 0 {
		answer.Remarks = append(answer.Remarks, driverLater(ctx, t, held, driver)...)
	}
	answer.Add(going)
	if bound || !answer.Empty() {
		return answer, true
	}
	complaint, err := reclaimComplaint(ctx, t.Health, held.Object, volume)
	wait := volumeWait(ctx, t, held.Object, volume, driver, complaint)
	wait.hold, wait.unheard = held.Hold, err
	return awaitDriver(ctx, t.Session, t.Attribution, wait), true
}

// driverLater says that a volume whose claim is still there needs a storage driver afterwards, and that it can't act.
// What could not be read is noted, and adds nothing.
func driverLater(ctx context.Context, t *Tools, held Held, driver string) []Finding {
	absence := driverFares(ctx, t, held, nil).Absence()
	switch {
	case absence.Cause == nil && len(absence.Unread) > 0:
		return []Finding{{
			Situation: "DriverPerhapsLater", Object: held.Ref, Finalizer: held.Hold.Name, Holds: true,
			Key: finding.KeyOf("DriverPerhapsLater", driver), Details: finding.StorageDriverDetails{Driver: driver},
		}}
	case absence.Cause == nil:
		return nil
	}
	cause := *absence.Cause
	return []Finding{{
		Situation: "DriverComesLater", Object: held.Ref, Finalizer: held.Hold.Name, Holds: true,
		Key: finding.KeyOf("DriverComesLater", driver), Certainty: cause.Certainty, Evidence: cause.Evidence,
		Details: finding.AwaitedCauseDetails{
			Object: held.Ref, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Cause: cause,
		},
	}}
}

// driverOf returns the driver that put a finalizer on a volume, or nothing. One of a plugin inside Kubernetes is now
// the CSI driver's (k8s v1.37 component-helpers/storage/volume/pv_helpers.go: AnnMigratedTo,
// AnnDynamicallyProvisioned).
func driverOf(volume *corev1.PersistentVolume, finalizer string) string {
	migrated := volume.Annotations["pv.kubernetes.io/migrated-to"]
	provisioner := volume.Annotations["pv.kubernetes.io/provisioned-by"]
	switch {
	case migrated != "":
		return migrated
	case finalizer == provisionerFinalizer && provisioner != "":
		return provisioner
	case volume.Spec.CSI != nil:
		return volume.Spec.CSI.Driver
	}
	return ""
}

// volumeWait is one wait for both of a driver's finalizers, unless an attachment still is behind one of them.
func volumeWait(
	ctx context.Context, t *Tools, object *Object, volume *corev1.PersistentVolume, driver string,
	complaint *health.Complaint,
) driverWait {
	wait := driverWait{object: object, driver: driver, complaint: complaint}
	deletes := false
	for _, finalizer := range object.Meta.Finalizers {
		attacher := strings.HasPrefix(finalizer, attacherPrefix)
		if !attacher && finalizer != provisionerFinalizer || driverOf(volume, finalizer) != driver ||
			slices.Contains(wait.finalizers, finalizer) || attacher && !stillAttached(ctx, t.Session, t.Health, object).Empty() {
			continue
		}
		deletes = deletes || !attacher
		wait.finalizers = append(wait.finalizers, finalizer)
	}
	// A driver deletes the storage of volumes that had a claim, and with the policy Delete.
	policy := volume.Spec.PersistentVolumeReclaimPolicy
	wait.state = fmt.Sprintf("phase %s, reclaim policy %s", volume.Status.Phase, policy)
	details := finding.VolumeDetails{Volume: &object.Ref, Policy: string(policy)}
	wait.task = finding.Phrase{Situation: "ReleaseVolume", Details: details}
	if deletes && policy != corev1.PersistentVolumeReclaimRetain {
		wait.task.Situation = "DeleteStorage"
		// It deletes nothing that is attached (external-provisioner pkg/controller/controller.go:canDeleteVolume).
		wait.behind = func() Answer { return stillAttached(ctx, t.Session, t.Health, object) }
		wait.ways = []Remedy{retain(t.Session, object)}
	}
	wait.ways = append(wait.ways, withoutDriver(t.Session, t.Attribution, object, wait.finalizers))
	return wait
}

func withoutDriver(reads *session.Session, finder *attribution.Finder, object *Object, finalizers []string) Remedy {
	attacher := func(finalizer string) bool { return strings.HasPrefix(finalizer, attacherPrefix) }
	return Remedy{
		Step: "ForgetVolume", Command: reads.Kubectl.Remove(object, finalizers), Risk: finding.DataLoss,
		Details: finding.VolumeDetails{
			Volume: &object.Ref, Entries: len(finalizers), Attached: slices.ContainsFunc(finalizers, attacher),
			Storage: finder.StorageOf(object, finalizers...),
		},
	}
}

// retain keeps the data of a volume: with the policy Retain, nothing asks for their deletion any more.
func retain(reads *session.Session, object *Object) Remedy {
	return loss.RetainVolumes(reads.Kubectl, []string{object.Ref.Name}, false)
}

// reclaimComplaint returns what was reported about deleting a volume's storage, or nil. err: no events were read.
func reclaimComplaint(
	ctx context.Context, checker *health.Checker, object *Object, volume *corev1.PersistentVolume,
) (*health.Complaint, error) {
	warning, err := checker.Warning(ctx, object, volumeFailedDelete)
	if err == nil && warning != nil {
		return warning, nil
	}
	if volume.Status.Phase == corev1.VolumeFailed && volume.Status.Message != "" {
		return &health.Complaint{Words: volume.Status.Message, Source: object.Ref.String() + " status.message"}, err
	}
	return nil, err
}

// inTreeReclaim explains what holds a volume that kube-controller-manager itself deletes, through one of its plugins
// (k8s v1.37 pkg/controller/volume/persistentvolume/pv_controller.go:deleteVolumeOperation).
func inTreeReclaim(ctx context.Context, t *Tools, held Held, volume *corev1.PersistentVolume) Answer {
	if answer, bound := stillBound(ctx, t, held.Object, volume); bound {
		return answer
	}
	// Where the Lease is hidden, what the controller said of the volume still counts.
	_, err := t.Health.ControlPlane.Lease(ctx, session.Named(cluster.Leases(), "kube-system", session.ControllerManager))
	answer, alive := t.Health.ControlPlane.ControllerManagerAlive(ctx, held.Object)
	if !alive && !apierrors.IsNotFound(err) {
		return answer
	}
	complaint, _ := reclaimComplaint(ctx, t.Health, held.Object, volume)
	if complaint == nil || volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
		return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReclaimVolume"})
	}
	storage := t.Attribution.StorageOf(held.Object, held.Hold.Name)
	return session.Cause(Finding{
		Reason: finding.ControllerFailing, Situation: "ReclaimFails", Object: held.Ref, Finalizer: held.Hold.Name,
		Details: finding.StorageDriverDetails{Words: complaint.Words}, Certainty: finding.Likely,
		Evidence: append([]Evidence{complaint.Evidence(held.Ref)}, t.Health.ControlPlane.LeaseEvidence(ctx)...),
		Remedies: []Remedy{{Step: "RepairReclaim", Command: t.Session.Kubectl.Command(held.Object, "describe")}, {
			Step: "LetVolumeGo", Details: finding.VolumeDetails{Volume: &held.Ref, Storage: storage},
			Command: retain(t.Session, held.Object).Command, Risk: finding.Orphans,
		}},
	})
}
