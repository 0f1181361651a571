package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// volumeDetachment explains a VolumeAttachment: its driver has yet to detach the volume from the
// machine (deletion-mechanics M09).
func volumeDetachment(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if !object.Is("storage.k8s.io", "VolumeAttachment") || !strings.HasPrefix(hold.Name, attacherPrefix) {
		return session.Answer{}, false
	}
	attachment, answer := session.WholeAs[storagev1.VolumeAttachment](ctx, t.Session, object)
	if attachment == nil {
		return answer, true
	}
	wait := driverWait{
		object: object, driver: attachment.Spec.Attacher, finalizers: []string{hold.Name},
		state: fmt.Sprintf("attached: %t", attachment.Status.Attached),
		what:  fmt.Sprintf("detach %s from Node %s", volumeOf(attachment), attachment.Spec.NodeName),
		ways: []finding.Remedy{{
			Action:  "Last resort, once the volume is certainly detached from the machine: remove this one entry. " + session.AsksBefore,
			Command: t.Session.Kubectl.Remove(object, []string{hold.Name}),
			Risk:    finding.DataLoss,
			Loses:   fmt.Sprintf("the knowledge whether %s%s is attached to Node %s; if it is, attaching it elsewhere fails, or two machines write to it", volumeOf(attachment), t.storageAttached(ctx, attachment, hold.Name), attachment.Spec.NodeName),
		}},
	}
	if failed := attachment.Status.DetachError; failed != nil && failed.Message != "" {
		wait.complaint = &health.Complaint{Words: failed.Message, Source: object.Ref.String() + " status.detachError", At: failed.Time.Time}
	}
	return t.awaitDriver(ctx, wait), true
}

func volumeOf(attachment *storagev1.VolumeAttachment) string {
	if name := attachment.Spec.Source.PersistentVolumeName; name != nil {
		return "PersistentVolume " + *name
	}
	return "the volume"
}

// storageAttached names the storage behind an attachment as its driver does, which stands in the volume: " (volume vol-1)",
// or nothing.
func (t *Tools) storageAttached(ctx context.Context, attachment *storagev1.VolumeAttachment, finalizer string) string {
	if inline := attachment.Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		return fmt.Sprintf(" (volume %s, driver %s)", inline.CSI.VolumeHandle, inline.CSI.Driver)
	}
	name := attachment.Spec.Source.PersistentVolumeName
	if name == nil {
		return ""
	}
	volume := session.Named(cluster.PersistentVolumes(), "", *name)
	if _, err := t.Session.Whole(ctx, volume); apierrors.IsNotFound(err) {
		return ", which is not in this cluster any more,"
	}
	return t.Attribution.StorageOf(volume, finalizer)
}

// stillAttached answers for a volume with attachments: it waits for each of them to go. The answer
// is empty where there are none.
func (t *Tools) stillAttached(ctx context.Context, volume *session.Object) session.Answer {
	attachments, err := session.ListServed[storagev1.VolumeAttachment](ctx, t.Session, "storage.k8s.io", "volumeattachments", "", cluster.Selector{})
	if err != nil {
		return session.Unread("VolumeAttachments", err)
	}
	answer := session.Answer{}
	for _, attachment := range attachments {
		if name := attachment.Typed.Spec.Source.PersistentVolumeName; name == nil || *name != volume.Ref.Name {
			continue
		}
		wait := session.Wait{Blocker: attachment.Object}
		if !attachment.Object.Terminating() {
			wait.Otherwise = t.attachmentInUse(ctx, attachment)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return answer
}

// detaching answers for a volume that is still bound, and has attachments that are on their way out already: what holds
// these holds the volume too, whatever becomes of its claim. The others go when no pod uses the claim any more.
func (t *Tools) detaching(ctx context.Context, volume *session.Object) session.Answer {
	answer := t.stillAttached(ctx, volume)
	answer.Waits = slices.DeleteFunc(answer.Waits, func(wait session.Wait) bool { return !wait.Blocker.Terminating() })
	return answer
}

// attachmentInUse answers for an attachment that nobody has deleted: the attach-detach controller
// does, once no pod on the node uses the volume.
func (t *Tools) attachmentInUse(ctx context.Context, attachment session.Item[storagev1.VolumeAttachment]) session.Answer {
	if answer, down := t.Health.ControllerManagerDown(ctx); down {
		return answer
	}
	if answer, unread := t.Health.ControllerManagerUnread(ctx); unread {
		return answer
	}
	ref, status := attachment.Object.Ref, attachment.Typed.Status
	node := attachment.Typed.Spec.NodeName
	evidence := []finding.Evidence{{Source: ref.String(), Observed: fmt.Sprintf("on Node %s, attached: %t, no deletionTimestamp", node, status.Attached), Object: &ref}}
	if status.DetachError != nil && status.DetachError.Message != "" {
		evidence = append(evidence, finding.Evidence{Source: ref.String() + " status.detachError", Observed: health.Quoted(status.DetachError.Message), Object: &ref})
	}
	return session.Cause(finding.Finding{
		Reason: finding.StillInUse, Object: ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("%s attaches the volume to Node %s, and nobody has deleted it. The attach-detach controller does so once no pod on that node uses the volume.", ref, node),
		Awaited:  fmt.Sprintf("%s, which attaches it to Node %s and which nobody has deleted", ref, node),
		Evidence: evidence,
		Remedies: []finding.Remedy{{
			Action:  "See whether a pod on the node uses the volume, and stop that pod.",
			Command: append(t.Session.Kubectl.Prefix(finding.Ref{}), "get", "pods", "-A", "--field-selector", "spec.nodeName="+node, "-o", "wide"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "If no pod there uses it: delete the attachment. Its driver then detaches the volume.",
			Command: t.Session.Kubectl.Command(attachment.Object, "delete", "--wait=false"),
			Risk:    finding.DataLoss,
			Loses:   "the volume under a pod that uses it after all, and what it has not written yet",
		}},
	})
}
