package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// The finalizers by which a volume waits for its storage (deletion-mechanics 0.3). The attacher's has
// the name of the driver behind it.
const (
	provisionerFinalizer = "external-provisioner.volume.kubernetes.io/finalizer"
	inTreeFinalizer      = "kubernetes.io/pv-controller"
	attacherPrefix       = "external-attacher/"
)

// volumeReclaim explains what holds a volume whose claim is gone: its storage has yet to be deleted,
// or to be detached (deletion-mechanics M09). As long as the claim is there, none of that begins.
func volumeReclaim(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	attached := strings.HasPrefix(hold.Name, attacherPrefix)
	if !object.Is("", "PersistentVolume") || !attached && hold.Name != provisionerFinalizer && hold.Name != inTreeFinalizer {
		return session.Answer{}, false
	}
	volume, answer := session.WholeAs[corev1.PersistentVolume](ctx, t.Session, object)
	if volume == nil {
		return answer, true
	}
	driver := driverOf(volume, hold.Name)
	if driver == "" && hold.Name != inTreeFinalizer {
		return session.Answer{}, false // nothing tells whose it is
	}
	if answer, bound := t.stillBound(ctx, object, volume); bound {
		if attached {
			answer.Add(t.detaching(ctx, object))
		}
		return answer, true
	}
	if hold.Name == inTreeFinalizer {
		return t.inTreeReclaim(ctx, object, volume, hold), true
	}
	if attached {
		if answer := t.stillAttached(ctx, object); !answer.Empty() {
			return answer, true
		}
	}
	complaint, err := t.reclaimComplaint(ctx, object, volume)
	wait := t.volumeWait(ctx, object, volume, driver, complaint)
	wait.unheard = err
	return t.awaitDriver(ctx, wait), true
}

// driverOf returns the name of the driver that put a finalizer on a volume, or nothing. A volume that
// was made by a plugin inside Kubernetes is the business of the CSI driver that took its place
// (k8s v1.37 component-helpers/storage/volume/pv_helpers.go: AnnMigratedTo, AnnDynamicallyProvisioned).
func driverOf(volume *corev1.PersistentVolume, finalizer string) string {
	migrated, provisioner := volume.Annotations["pv.kubernetes.io/migrated-to"], volume.Annotations["pv.kubernetes.io/provisioned-by"]
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

// volumeWait is what a volume waits for at its driver. Both of the driver's finalizers are one wait,
// unless an attachment still stands behind one of them.
func (t *Tools) volumeWait(ctx context.Context, object *session.Object, volume *corev1.PersistentVolume, driver string, complaint *health.Complaint) driverWait {
	wait := driverWait{object: object, driver: driver, complaint: complaint}
	deletes := false
	for _, finalizer := range object.Meta.Finalizers {
		attacher := strings.HasPrefix(finalizer, attacherPrefix)
		switch {
		case !attacher && finalizer != provisionerFinalizer, driverOf(volume, finalizer) != driver, slices.Contains(wait.finalizers, finalizer):
			continue
		case attacher && !t.stillAttached(ctx, object).Empty():
			continue
		}
		deletes = deletes || !attacher
		wait.finalizers = append(wait.finalizers, finalizer)
	}
	// A driver deletes the storage of volumes that had a claim, and with the policy Delete.
	wait.state = fmt.Sprintf("phase %s, reclaim policy %s", volume.Status.Phase, volume.Spec.PersistentVolumeReclaimPolicy)
	retain := volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain
	wait.what = fmt.Sprintf("let go of %s", object.Ref)
	if deletes && !retain {
		wait.what = fmt.Sprintf("delete the storage behind %s", object.Ref)
	}
	wait.ways = t.withoutDriver(object, wait.finalizers, deletes && !retain)
	return wait
}

// withoutDriver says how to be rid of a volume without its driver. With the policy Retain first,
// nothing asks for the data's deletion any more.
func (t *Tools) withoutDriver(object *session.Object, finalizers []string, deletes bool) []finding.Remedy {
	var ways []finding.Remedy
	if deletes {
		ways = append(ways, t.retain(object))
	}
	entries, loses := "the entry", "the storage behind the volume"+t.Attribution.StorageOf(object, finalizers...)+" is left behind, and nothing in the cluster points to it"
	if len(finalizers) > 1 {
		entries = "the entries"
	}
	if slices.ContainsFunc(finalizers, func(finalizer string) bool { return strings.HasPrefix(finalizer, attacherPrefix) }) {
		loses += "; where it is still attached to a machine, attaching it elsewhere fails, or two machines write to it"
	}
	return append(ways, finding.Remedy{
		Action:  fmt.Sprintf("Last resort, once you know that the volume is detached and what is to become of its data: remove %s. ", entries) + session.AsksBefore,
		Command: t.Session.Kubectl.Remove(object, finalizers),
		Risk:    finding.DataLoss,
		Loses:   loses,
	})
}

func (t *Tools) retain(object *session.Object) finding.Remedy {
	return finding.Remedy{
		Action:  "Whatever you do next, have the data kept: set the reclaim policy to Retain. Nothing then deletes the storage, and it is yours to keep or to delete.",
		Command: t.Session.Kubectl.Command(object, "patch", "--type", "merge", "-p", `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`),
		Risk:    finding.NoRisk,
	}
}

// reclaimComplaint returns what was reported about deleting a volume's storage, or nil. The error is
// that of looking for events, without which there may still be a complaint.
func (t *Tools) reclaimComplaint(ctx context.Context, object *session.Object, volume *corev1.PersistentVolume) (*health.Complaint, error) {
	warning, err := t.Health.Warning(ctx, object, "VolumeFailedDelete")
	if err == nil && warning != nil {
		return warning, nil
	}
	if volume.Status.Phase == corev1.VolumeFailed && volume.Status.Message != "" {
		return &health.Complaint{Words: volume.Status.Message, Source: object.Ref.String() + " status.message"}, err
	}
	return nil, err
}

// inTreeReclaim answers for a volume that kube-controller-manager itself deletes, through one of its
// plugins (k8s v1.37 pkg/controller/volume/persistentvolume/pv_controller.go:deleteVolumeOperation).
func (t *Tools) inTreeReclaim(ctx context.Context, object *session.Object, volume *corev1.PersistentVolume, hold finding.Hold) session.Answer {
	// Where the Lease is hidden, what the controller said of the volume still counts.
	_, err := t.Health.Lease(ctx, session.Named(cluster.Leases(), "kube-system", session.ControllerManager))
	if answer, alive := t.Health.ControllerManagerAlive(ctx); !alive && !apierrors.IsNotFound(err) {
		return answer
	}
	complaint, _ := t.reclaimComplaint(ctx, object, volume)
	if complaint == nil || volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
		return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, "persistent-volume-binder", fmt.Sprintf("delete the storage behind %s, or to release it", object.Ref)))
	}
	words := health.Quoted(complaint.Words)
	return session.Cause(finding.Finding{
		Reason: finding.ControllerFailing, Object: object.Ref, Finalizer: hold.Name, Certainty: finding.Likely,
		Message:  fmt.Sprintf("%s can't delete the storage behind %s: %s.", session.ControllerManager, object.Ref, words),
		Awaited:  fmt.Sprintf("%s to delete the storage behind %s, which fails: %s", session.ControllerManager, object.Ref, words),
		Evidence: append([]finding.Evidence{complaint.Evidence(object.Ref)}, t.Health.LeaseEvidence(ctx)...),
		Remedies: []finding.Remedy{{
			Action:  "Mend what is reported. The controller tries again by itself.",
			Command: t.Session.Kubectl.Command(object, "describe"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "To keep the data, or to delete it by hand: set the reclaim policy to Retain. The controller then lets go of the volume.",
			Command: t.retain(object).Command,
			Risk:    finding.Orphans,
			Loses:   "the record of the volume; its storage" + t.Attribution.StorageOf(object, hold.Name) + " is left behind, and is yours to delete",
		}},
	})
}
