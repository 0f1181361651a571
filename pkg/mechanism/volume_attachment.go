package mechanism

import (
	"context"
	"fmt"
	"slices"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// volumeDetachment explains a VolumeAttachment that its driver has yet to detach (docs/deletion.md#volume-attachment).
func volumeDetachment(ctx context.Context, t *Tools, held Held, attachment *storagev1.VolumeAttachment) Answer {
	details := attachedVolume(ctx, t.Session, t.Attribution, attachment, held.Hold.Name)
	wait := driverWait{
		object: held.Object, hold: held.Hold, driver: attachment.Spec.Attacher, finalizers: []string{held.Hold.Name},
		state: fmt.Sprintf("attached: %t", attachment.Status.Attached),
		task:  finding.Phrase{Situation: "DetachVolume", Details: details},
		ways: []Remedy{{
			Step: "ForgetAttachment", Details: details, Risk: finding.DataLoss,
			Command: t.Session.Kubectl.Remove(held.Object, []string{held.Hold.Name}),
		}},
	}
	if failed := attachment.Status.DetachError; failed != nil && failed.Message != "" {
		source := held.Ref.String() + " status.detachError"
		// No one but the driver's own attacher writes it (external-attacher
		// pkg/controller/csi_handler.go:saveDetachError).
		wait.complaint = &health.Complaint{
			By: attachment.Spec.Attacher, Words: failed.Message, Source: source, At: failed.Time.Time,
		}
	}
	return awaitDriver(ctx, t.Session, t.Attribution, wait)
}

// attachedVolume are the details of the attached volume: as its driver names it, which is in the volume.
func attachedVolume(
	ctx context.Context, reads *session.Session, finder *attribution.Finder, attachment *storagev1.VolumeAttachment,
	finalizer string,
) finding.VolumeDetails {
	details := finding.VolumeDetails{Node: attachment.Spec.NodeName}
	if _, err := reads.Reader.Metadata(ctx, cluster.Nodes(), "", details.Node); apierrors.IsNotFound(err) {
		details.NodeGone = true
	}
	source := attachment.Spec.Source
	if inline := source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		details.Handle, details.Driver = inline.CSI.VolumeHandle, inline.CSI.Driver
	}
	if source.PersistentVolumeName == nil {
		return details
	}
	volume := session.Named(cluster.PersistentVolumes(), "", *source.PersistentVolumeName)
	details.Volume = &finding.Ref{APIVersion: "v1", Kind: volume.Ref.Kind, Name: volume.Ref.Name}
	if details.Handle != "" {
		return details
	}
	if _, err := reads.Whole(ctx, volume); apierrors.IsNotFound(err) {
		details.Gone = true
	} else {
		details.Storage = finder.StorageOf(volume, finalizer)
	}
	return details
}

// stillAttached answers for a volume that waits for its attachments. The answer is empty where there are none.
func stillAttached(
	ctx context.Context, reads *session.Session, checker *health.Checker, volume *Object,
) (answer Answer) {
	attachments, err := session.ListServed[storagev1.VolumeAttachment](
		ctx, reads, "storage.k8s.io", "volumeattachments", "", cluster.Selector{})
	if err != nil {
		return session.Unread(unreadKind("VolumeAttachments", ""), err)
	}
	for _, one := range attachments {
		if name := one.Typed.Spec.Source.PersistentVolumeName; name != nil && *name == volume.Ref.Name {
			wait := session.Until(
				one.Object, func() Answer { return attachmentInUse(ctx, reads, checker, one.Object, one.Typed) },
			)
			answer.Waits = append(answer.Waits, wait)
		}
	}
	return answer
}

// detaching answers for a bound volume with attachments that are being deleted: what holds these holds it, too.
func detaching(ctx context.Context, reads *session.Session, checker *health.Checker, volume *Object) Answer {
	answer := stillAttached(ctx, reads, checker, volume)
	answer.Waits = slices.DeleteFunc(answer.Waits, func(wait Wait) bool { return !wait.Blocker.Terminating() })
	return answer
}

// attachmentInUse answers for an attachment that the attach-detach controller keeps while a pod uses the volume.
func attachmentInUse(
	ctx context.Context, reads *session.Session, checker *health.Checker, object *Object,
	attachment *storagev1.VolumeAttachment,
) Answer {
	if answer, down := checker.ControlPlane.ControllerManagerDown(ctx, object); down {
		return answer
	}
	if answer, unread := checker.ControlPlane.ControllerManagerUnread(ctx); unread {
		return answer
	}
	node, status := attachment.Spec.NodeName, attachment.Status
	stays := object.Ref.Observed("on Node %s, attached: %t, no deletionTimestamp", node, status.Attached)
	evidence := []Evidence{stays}
	if failed := status.DetachError; failed != nil && failed.Message != "" {
		said := finding.Observed(object.Ref.String()+" status.detachError", "%s", finding.Quoted(failed.Message))
		evidence = append(evidence, said.Of(object.Ref).Quoting(failed.Message))
	}
	pods := []string{"get", "pods", "-A", "--field-selector", "spec.nodeName=" + node, "-o", "wide"}
	return session.Cause(Finding{
		Reason: finding.StillInUse, Situation: "VolumeAttached", Object: object.Ref, Certainty: finding.Proven,
		Details: finding.StillInUseDetails{Node: node}, Evidence: evidence,
		Remedies: []Remedy{
			{Step: "StopVolumeUser", Command: reads.Kubectl.Prefix(finding.Ref{}, pods...)},
			{Step: "DeleteAttachment", Risk: finding.DataLoss, Command: reads.Kubectl.Command(object, "delete", "--wait=false")},
		},
	})
}
