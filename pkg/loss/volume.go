package loss

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// claim tells what becomes of a claim's volume when the claim goes, whoever held it last (k8s v1.37
// pkg/controller/volume/persistentvolume/pv_controller.go:reclaimVolume). A claim without a volume takes nothing along.
func (t *Teller) claim(ctx context.Context, object *session.Object) []finding.Taken {
	claim, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, t.Session, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return one(object, "ClaimUnread", finding.DataLoss, finding.TakenDetails{Unread: unread(object.Ref, err)})
	case claim.Spec.VolumeName == "":
		return nil
	}
	named := session.Named(cluster.PersistentVolumes(), "", claim.Spec.VolumeName)
	volume, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, named)
	details := finding.TakenDetails{Volume: &named.Ref}
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		details.Unread = unread(named.Ref, err)
		return one(object, "VolumeUnread", finding.DataLoss, details)
	}
	if bound := volume.Spec.ClaimRef; bound == nil || bound.UID != "" && bound.UID != claim.UID {
		return nil // it is another claim's, or nobody's
	}
	details = ofVolume(volume, details)
	switch volume.Spec.PersistentVolumeReclaimPolicy {
	case corev1.PersistentVolumeReclaimRetain:
		return one(object, "VolumeKept", finding.NoRisk, details)
	case corev1.PersistentVolumeReclaimRecycle:
		return one(object, "VolumeErased", finding.DataLoss, details)
	}
	if provisioner(volume) == "" {
		return one(object, "VolumeMayBeDeleted", finding.DataLoss, details)
	}
	return one(object, "VolumeDeleted", finding.DataLoss, details)
}

// volume tells what becomes of the storage behind a volume that goes itself. Its driver deletes it, as the policy says,
// before it takes its finalizer off; where that is done by force, nobody does (k8s v1.37 as above;
// external-provisioner pkg/controller/controller.go:shouldDelete, which wants the policy Delete).
func (t *Teller) volume(ctx context.Context, object *session.Object, forced []finding.Hold) []finding.Taken {
	volume, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return one(object, "StorageUnread", finding.DataLoss, finding.TakenDetails{Unread: unread(object.Ref, err)})
	}
	details := ofVolume(volume, finding.TakenDetails{})
	if slices.ContainsFunc(forced, deletesStorage) {
		details.Policy = ""
		return one(object, "StorageForgotten", finding.Orphans, details)
	}
	if volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain {
		return one(object, "StorageForgotten", finding.Orphans, details)
	}
	return one(object, "StorageDeleted", finding.DataLoss, details)
}

// deletesStorage tells whether a hold is one of those by which a volume waits until its storage is deleted
// (deletion-mechanics 0.3).
func deletesStorage(hold finding.Hold) bool {
	return slices.Contains([]string{
		"external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-controller",
	}, hold.Name)
}

// provisioner is what made a volume, and deletes its storage: nothing for one that somebody has made by hand (k8s v1.37
// component-helpers/storage/volume/pv_helpers.go: AnnDynamicallyProvisioned, AnnMigratedTo).
func provisioner(volume *corev1.PersistentVolume) string {
	if migrated := volume.Annotations["pv.kubernetes.io/migrated-to"]; migrated != "" {
		return migrated
	}
	return volume.Annotations["pv.kubernetes.io/provisioned-by"]
}

func ofVolume(volume *corev1.PersistentVolume, details finding.TakenDetails) finding.TakenDetails {
	details.Policy = string(volume.Spec.PersistentVolumeReclaimPolicy)
	details.Driver, details.Storage = provisioner(volume), storageOf(volume)
	if details.Driver == "" && volume.Spec.CSI != nil {
		details.Driver = volume.Spec.CSI.Driver
	}
	if size, known := volume.Spec.Capacity[corev1.ResourceStorage]; known {
		details.Storage = append(details.Storage, finding.Named{What: "size", Values: []string{size.String()}})
	}
	return details
}

// storageOf is what a volume names of where its data are.
func storageOf(volume *corev1.PersistentVolume) []finding.Named {
	named := func(what, value string) []finding.Named {
		return []finding.Named{{What: what, Values: []string{value}}}
	}
	switch source := volume.Spec.PersistentVolumeSource; {
	case source.CSI != nil:
		return named("volume", source.CSI.VolumeHandle)
	case source.NFS != nil:
		return named("share", source.NFS.Server+":"+source.NFS.Path)
	case source.HostPath != nil:
		return named("folder", source.HostPath.Path)
	case source.Local != nil:
		return named("folder", source.Local.Path)
	}
	return nil
}

// Volumes are the volumes that some objects take along, whose data a change of policy keeps: each once, by name.
func Volumes(taken []finding.Taken) (names []string) {
	for _, one := range taken {
		name := ""
		switch {
		case one.Risk != finding.DataLoss:
			continue
		case one.Details.Volume != nil:
			name = one.Details.Volume.Name
		case strings.HasPrefix(one.Situation, "Storage"):
			name = one.Object.Name
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mostRetained is how many volumes one command names.
const mostRetained = 50

// Retain is the step that comes before all that let something go: volumes that go with it keep their data under the policy
// Retain. It is false where there are none.
func Retain(kubectl session.Kubectl, taken []finding.Taken) (finding.Remedy, bool) {
	names := Volumes(taken)
	if len(names) == 0 {
		return finding.Remedy{}, false
	}
	names = names[:min(len(names), mostRetained)]
	command := kubectl.Prefix(finding.Ref{}, "patch")
	for _, name := range names {
		command = append(command, cluster.PersistentVolumes().QualifiedName()+"/"+name)
	}
	const retain = `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`
	return finding.Remedy{
		Step: "RetainFirst", Details: finding.StepDetails{Names: names, Count: len(names)},
		Command: append(command, "--type", "merge", "-p", retain),
	}, true
}

// VolumeOf names the volume that a claim has, as far as the claim was read.
func VolumeOf(claim *session.Object) string {
	if claim.Whole == nil {
		return ""
	}
	name, _, _ := unstructured.NestedString(claim.Whole.Object, "spec", "volumeName")
	return name
}
