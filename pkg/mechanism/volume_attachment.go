package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// volumeDetachment explains a VolumeAttachment: its driver has yet to detach the volume from the
// machine (deletion-mechanics M09).
func volumeDetachment(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if !object.Is("storage.k8s.io", "VolumeAttachment") || !strings.HasPrefix(hold.Name, attacherPrefix) {
		return facts.Answer{}, false
	}
	attachment, answer := facts.WholeAs[storagev1.VolumeAttachment](ctx, w, object)
	if attachment == nil {
		return answer, true
	}
	wait := driverWait{
		object: object, driver: attachment.Spec.Attacher, finalizers: []string{hold.Name},
		state: fmt.Sprintf("attached: %t", attachment.Status.Attached),
		what:  fmt.Sprintf("detach %s from Node %s", volumeOf(attachment), attachment.Spec.NodeName),
		ways: []graph.Remedy{{
			Action:  "Last resort, once the volume is certainly detached from the machine: remove this one entry. " + facts.AsksBefore,
			Command: w.Kubectl.Remove(object, []string{hold.Name}),
			Risk:    graph.DataLoss,
			Loses:   fmt.Sprintf("the knowledge whether %s%s is attached to Node %s; if it is, attaching it elsewhere fails, or two machines write to it", volumeOf(attachment), w.storageAttached(ctx, attachment, hold.Name), attachment.Spec.NodeName),
		}},
	}
	if failed := attachment.Status.DetachError; failed != nil && failed.Message != "" {
		wait.complaint = &facts.Complaint{Words: failed.Message, Source: object.Ref.String() + " status.detachError", At: failed.Time.Time}
	}
	return w.awaitDriver(ctx, wait), true
}

func volumeOf(attachment *storagev1.VolumeAttachment) string {
	if name := attachment.Spec.Source.PersistentVolumeName; name != nil {
		return "PersistentVolume " + *name
	}
	return "the volume"
}

// storageAttached names the storage behind an attachment as its driver does, which stands in the volume: " (volume vol-1)",
// or nothing.
func (w *World) storageAttached(ctx context.Context, attachment *storagev1.VolumeAttachment, finalizer string) string {
	if inline := attachment.Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		return fmt.Sprintf(" (volume %s, driver %s)", inline.CSI.VolumeHandle, inline.CSI.Driver)
	}
	name := attachment.Spec.Source.PersistentVolumeName
	if name == nil {
		return ""
	}
	volume := facts.Named(cluster.PersistentVolumes(), "", *name)
	if _, err := w.Whole(ctx, volume); apierrors.IsNotFound(err) {
		return ", which is not in this cluster any more,"
	}
	return w.StorageOf(volume, finalizer)
}

// stillAttached answers for a volume with attachments: it waits for each of them to go. The answer
// is empty where there are none.
func (w *World) stillAttached(ctx context.Context, volume *facts.Object) facts.Answer {
	attachments, err := facts.ListServed[storagev1.VolumeAttachment](ctx, w, "storage.k8s.io", "volumeattachments", "", cluster.Selector{})
	if err != nil {
		return facts.Unread("VolumeAttachments", err)
	}
	answer := facts.Answer{}
	for _, attachment := range attachments {
		if name := attachment.Typed.Spec.Source.PersistentVolumeName; name == nil || *name != volume.Ref.Name {
			continue
		}
		wait := facts.Wait{Blocker: attachment.Object}
		if !attachment.Object.Terminating() {
			wait.Otherwise = w.attachmentInUse(ctx, attachment)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return answer
}

// detaching answers for a volume that is still bound, and has attachments that are on their way out already: what holds
// these holds the volume too, whatever becomes of its claim. The others go when no pod uses the claim any more.
func (w *World) detaching(ctx context.Context, volume *facts.Object) facts.Answer {
	answer := w.stillAttached(ctx, volume)
	answer.Waits = slices.DeleteFunc(answer.Waits, func(wait facts.Wait) bool { return !wait.Blocker.Terminating() })
	return answer
}

// attachmentInUse answers for an attachment that nobody has deleted: the attach-detach controller
// does, once no pod on the node uses the volume.
func (w *World) attachmentInUse(ctx context.Context, attachment facts.Item[storagev1.VolumeAttachment]) facts.Answer {
	if answer, down := w.ControllerManagerDown(ctx); down {
		return answer
	}
	if answer, unread := w.ControllerManagerUnread(ctx); unread {
		return answer
	}
	ref, status := attachment.Object.Ref, attachment.Typed.Status
	node := attachment.Typed.Spec.NodeName
	evidence := []graph.Evidence{{Source: ref.String(), Observed: fmt.Sprintf("on Node %s, attached: %t, no deletionTimestamp", node, status.Attached), Object: &ref}}
	if status.DetachError != nil && status.DetachError.Message != "" {
		evidence = append(evidence, graph.Evidence{Source: ref.String() + " status.detachError", Observed: facts.Quoted(status.DetachError.Message), Object: &ref})
	}
	return facts.Cause(graph.Cause{
		Reason: graph.StillInUse, Object: ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s attaches the volume to Node %s, and nobody has deleted it. The attach-detach controller does so once no pod on that node uses the volume.", ref, node),
		Awaited:  fmt.Sprintf("%s, which attaches it to Node %s and which nobody has deleted", ref, node),
		Evidence: evidence,
		Remedies: []graph.Remedy{{
			Action:  "See whether a pod on the node uses the volume, and stop that pod.",
			Command: append(w.Kubectl.Prefix(graph.Ref{}), "get", "pods", "-A", "--field-selector", "spec.nodeName="+node, "-o", "wide"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "If no pod there uses it: delete the attachment. Its driver then detaches the volume.",
			Command: w.Kubectl.Command(attachment.Object, "delete", "--wait=false"),
			Risk:    graph.DataLoss,
			Loses:   "the volume under a pod that uses it after all, and what it has not written yet",
		}},
	})
}
