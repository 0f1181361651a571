package rescue_test

import (
	"context"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const (
	snapshotGroup = "snapshot.storage.k8s.io"
	snapshotHold  = "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"
	contentHold   = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
)

// deleteSnapshots does what snapshot-controller and a driver's csi-snapshotter do: the content of a VolumeSnapshot that
// is being deleted goes with it under the policy Delete, and the snapshot in the storage system with the content
// (external-snapshotter v8.7 pkg/common-controller/snapshot_controller.go:
// checkandRemoveSnapshotFinalizersAndCheckandDeleteContent, pkg/sidecar-controller/snapshot_controller.go:syncContent).
func (o *outside) deleteSnapshots(ctx context.Context, client dynamic.Interface) {
	version := schema.GroupVersion{Group: snapshotGroup, Version: "v1"}
	snapshots := client.Resource(version.WithResource("volumesnapshots"))
	contents := client.Resource(version.WithResource("volumesnapshotcontents"))
	going := func(from dynamic.ResourceInterface, hold string) (objects []unstructured.Unstructured) {
		listed, err := from.List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil // the kind isn't there yet
		}
		return slices.DeleteFunc(listed.Items, func(object unstructured.Unstructured) bool {
			return object.GetDeletionTimestamp() == nil || !slices.Contains(object.GetFinalizers(), hold)
		})
	}
	letGo := func(from dynamic.ResourceInterface, object *unstructured.Unstructured, hold string) {
		patch(func(data []byte) error {
			_, err := from.Patch(ctx, object.GetName(), types.MergePatchType, data, metav1.PatchOptions{})
			return err
		}, without(object.GetFinalizers(), hold), object.GetResourceVersion())
	}
	for _, snapshot := range going(snapshots, snapshotHold) {
		name, _, _ := unstructured.NestedString(snapshot.Object, "status", "boundVolumeSnapshotContentName")
		content, err := contents.Get(ctx, name, metav1.GetOptions{})
		switch {
		case !o.isDue(&snapshot):
		case err == nil && deletesSnapshot(content):
			_ = contents.Delete(ctx, name, metav1.DeleteOptions{}) // until it is gone
		default:
			letGo(snapshots.Namespace(snapshot.GetNamespace()), &snapshot, snapshotHold)
		}
	}
	for _, content := range going(contents, contentHold) {
		if handle, _, _ := unstructured.NestedString(content.Object, "status", "snapshotHandle"); deletesSnapshot(&content) {
			o.remove(handle)
		}
		letGo(contents, &content, contentHold)
	}
}

func deletesSnapshot(content *unstructured.Unstructured) bool {
	policy, _, _ := unstructured.NestedString(content.Object, "spec", "deletionPolicy")
	return policy == "Delete"
}

// snapshotAccidents are VolumeSnapshots that were deleted: one whose content would take the snapshot along, one whose
// content keeps it, and one that went with its namespace.
func snapshotAccidents() []accident {
	deleted := func(name, policy, stops string) accident {
		const snapshot = "volumesnapshots." + snapshotGroup + "/nightly"
		content := "volumesnapshotcontents." + snapshotGroup + "/" + name
		return accident{
			name: name, disks: []string{"NS-snapshot"}, kept: []string{"NS-snapshot"},
			objects: custom(snapshotGroup+"/v1", "VolumeSnapshotContent", "metadata: {name: NS, finalizers: ["+contentHold+
				"]}\nspec: {deletionPolicy: "+policy+", driver: lab, volumeSnapshotRef: {namespace: NS, name: nightly}}\n"+
				"status: {snapshotHandle: NS-snapshot}") +
				custom(snapshotGroup+"/v1", "VolumeSnapshot", "metadata: {namespace: NS, name: nightly, finalizers: ["+
					snapshotHold+"], annotations: {"+takes+"}}\nspec: {source: {persistentVolumeClaimName: data}}\n"+
					"status: {boundVolumeSnapshotContentName: NS}"),
			deletes: []string{"kubectl delete " + snapshot + " -n NS --wait=false"}, target: snapshot + " -n NS",
			outcome: result.CanBeKept, stops: stops, back: all(again(content), sameSnapshot),
		}
	}
	withNamespace := deleted("snapshot-in-namespace", "Delete", "KeepOutside")
	withNamespace.deletes, withNamespace.target = []string{"kubectl delete namespace NS --wait=false"}, "namespace/NS"
	withNamespace.outcome = result.PartlyLost
	return []accident{
		deleted("snapshot", "Delete", "KeepOutside"), deleted("snapshot-retained", "Retain", ""), withNamespace,
	}
}

// sameSnapshot checks that the VolumeSnapshot is there again, by a content with the handle that the former one had.
func sameSnapshot(t *testing.T, l *lab, ns string) {
	t.Helper()
	const snapshot = "volumesnapshots." + snapshotGroup + "/nightly"
	again(snapshot)(t, l, ns)
	l.becomes(t, snapshot+" -n "+ns, "{.spec.source}", `{"volumeSnapshotContentName":"`+ns+`-rescued"}`)
	l.becomes(t, "volumesnapshotcontents."+snapshotGroup+"/"+ns+"-rescued",
		"{.spec.source} {.spec.volumeSnapshotRef.name}", `{"snapshotHandle":"`+ns+`-snapshot"} nightly`)
}
