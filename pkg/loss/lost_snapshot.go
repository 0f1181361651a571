package loss

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const snapshots = "snapshot.storage.k8s.io"

// snapshot says what becomes of the content of a VolumeSnapshot that goes, and of the snapshot in the storage system:
// deletionPolicy of the content decides (external-snapshotter v8
// pkg/common-controller/snapshot_controller.go:checkandRemoveSnapshotFinalizersAndCheckandDeleteContent). One without
// content takes nothing along.
func (t *Teller) snapshot(ctx context.Context, object *session.Object) []finding.Taken {
	_, err := t.Session.Whole(ctx, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return goes(object, unreadSnapshot(object.Ref, err))
	}
	content := t.contentOf(ctx, object)
	if content == nil {
		return nil
	}
	whole, err := t.Session.Whole(ctx, content)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return goes(object, unreadSnapshot(content.Ref, err))
	}
	bound, _, _ := unstructured.NestedString(whole.Object, "spec", "volumeSnapshotRef", "uid")
	if bound != "" && object.Ref.UID != "" && bound != object.Ref.UID {
		return nil // it is the content of another one
	}
	taken := ofContent(content)
	if taken.Risk == finding.Orphans { // the content stays itself, and so does what it points to
		taken.Situation, taken.Risk = "SnapshotKept", finding.NoRisk
	}
	return goes(object, taken)
}

// snapshotContent says what becomes of the snapshot in the storage system when its content goes. The driver's
// csi-snapshotter deletes it, as the policy says, before it removes its finalizer; if that is done by force, nothing
// deletes it.
func (t *Teller) snapshotContent(
	ctx context.Context, object *session.Object, forced []finding.Hold,
) []finding.Taken {
	_, err := t.Session.Whole(ctx, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return goes(object, unreadSnapshot(object.Ref, err))
	}
	taken := ofContent(object)
	const bound = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
	if slices.ContainsFunc(forced, func(hold finding.Hold) bool { return hold.Name == bound }) {
		taken.Situation, taken.Risk, taken.Details.Policy = "SnapshotForgotten", finding.Orphans, ""
	}
	return goes(object, taken)
}

// unreadSnapshot is what may go because a snapshot, or its content, could not be read.
func unreadSnapshot(ref finding.Ref, err error) finding.Taken {
	details := finding.TakenDetails{Unread: unread(ref, err)}
	if ref.Kind == "VolumeSnapshotContent" {
		details.Content = &ref
	}
	return finding.Taken{Situation: "SnapshotUnread", Risk: finding.DataLoss, Details: details}
}

// ofContent is what goes with a content whose spec and status were read.
func ofContent(content *session.Object) finding.Taken {
	field := func(path ...string) string {
		text, _, _ := unstructured.NestedString(content.Whole.Object, path...)
		return text
	}
	details := finding.TakenDetails{
		Content: &content.Ref, Policy: field("spec", "deletionPolicy"), Driver: field("spec", "driver"),
	}
	if handle := field("status", "snapshotHandle"); handle != "" {
		details.Storage = []finding.Named{{What: "snapshot", Values: []string{handle}}}
	}
	if details.Policy == "Retain" {
		return finding.Taken{Situation: "SnapshotForgotten", Risk: finding.Orphans, Details: details}
	}
	return finding.Taken{Situation: "SnapshotDeleted", Risk: finding.DataLoss, Details: details}
}

func snapshotContents() schema.GroupResource {
	return schema.GroupResource{Group: snapshots, Resource: "volumesnapshotcontents"}
}

// contentOf is the content of a VolumeSnapshot that was read, by name only; nil for none.
func (t *Teller) contentOf(ctx context.Context, object *session.Object) *session.Object {
	if object.Whole == nil {
		return nil
	}
	name, _, _ := unstructured.NestedString(object.Whole.Object, "status", "boundVolumeSnapshotContentName")
	if name == "" { // bound to one that was there before
		name, _, _ = unstructured.NestedString(object.Whole.Object, "spec", "source", "volumeSnapshotContentName")
	}
	contents, served := t.Session.ServedKinds(ctx).Find(snapshotContents())
	if name == "" || !served {
		return nil
	}
	return session.Named(contents, "", name)
}
