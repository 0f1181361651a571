package loss

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// claim says what becomes of a claim's volume when the claim goes, whoever held it last (k8s v1.37
// pkg/controller/volume/persistentvolume/pv_controller.go:reclaimVolume). A claim without a volume takes nothing along.
func (t *Teller) claim(ctx context.Context, object *session.Object) []finding.Taken {
	claim, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, t.Session, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		details := finding.TakenDetails{Unread: unread(object.Ref, err)}
		return goes(object, finding.Taken{Situation: "ClaimUnread", Risk: finding.DataLoss, Details: details})
	case claim.Spec.VolumeName == "":
		return nil
	}
	named := session.Named(cluster.PersistentVolumes(), "", claim.Spec.VolumeName)
	volume, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, named)
	details := finding.TakenDetails{Volume: &named.Ref}
	switch {
	case apierrors.IsNotFound(err):
		return goes(object, finding.Taken{Situation: "VolumeGone", Details: details})
	case err != nil:
		details.Unread = unread(named.Ref, err)
		return goes(object, finding.Taken{Situation: "VolumeUnread", Risk: finding.DataLoss, Details: details})
	}
	if bound := volume.Spec.ClaimRef; bound == nil || bound.UID != "" && bound.UID != claim.UID {
		return nil // it belongs to another claim, or to none
	}
	details = ofVolume(volume, details)
	switch policy := policyOf(volume); {
	case policy == corev1.PersistentVolumeReclaimRetain && volume.DeletionTimestamp != nil:
		details.Volume = nil // it goes itself, and only its storage stays
		return goes(named, finding.Taken{Situation: "StorageForgotten", Risk: finding.Orphans, Details: details})
	case policy == corev1.PersistentVolumeReclaimRetain:
		return goes(object, finding.Taken{Situation: "VolumeKept", Details: details})
	case policy == corev1.PersistentVolumeReclaimRecycle:
		return goes(object, finding.Taken{Situation: "VolumeErased", Risk: finding.DataLoss, Details: details})
	}
	if provisioner(volume) == "" {
		details.May = true
		return goes(object, finding.Taken{Situation: "VolumeMayBeDeleted", Risk: finding.DataLoss, Details: details})
	}
	return goes(object, finding.Taken{Situation: "VolumeDeleted", Risk: finding.DataLoss, Details: details})
}

// volume says what becomes of the storage behind a volume that goes itself. Its driver deletes it, as the policy says,
// before it removes its finalizer; if that is done by force, nothing deletes it (k8s v1.37 as above;
// external-provisioner pkg/controller/controller.go:shouldDelete, which wants the policy Delete).
func (t *Teller) volume(ctx context.Context, object *session.Object, forced []finding.Hold) []finding.Taken {
	volume, err := session.ReadAs[corev1.PersistentVolume](ctx, t.Session, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		details := finding.TakenDetails{Unread: unread(object.Ref, err)}
		return goes(object, finding.Taken{Situation: "StorageUnread", Risk: finding.DataLoss, Details: details})
	}
	details := ofVolume(volume, finding.TakenDetails{})
	if slices.ContainsFunc(forced, deletesStorage) {
		details.Policy = ""
		return goes(object, finding.Taken{Situation: "StorageForgotten", Risk: finding.Orphans, Details: details})
	}
	if policyOf(volume) == corev1.PersistentVolumeReclaimRetain {
		return goes(object, finding.Taken{Situation: "StorageForgotten", Risk: finding.Orphans, Details: details})
	}
	return goes(object, finding.Taken{Situation: "StorageDeleted", Risk: finding.DataLoss, Details: details})
}

// deletesStorage reports whether a hold is one of those by which a volume waits until its storage is deleted
// (docs/deletion.md#finalizers-of-kubernetes).
func deletesStorage(hold finding.Hold) bool {
	return slices.Contains([]string{
		"external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-controller",
	}, hold.Name)
}

// provisioner is what made a volume, and deletes its storage: nothing for one that was made by hand (k8s v1.37
// component-helpers/storage/volume/pv_helpers.go: AnnDynamicallyProvisioned, AnnMigratedTo).
func provisioner(volume *corev1.PersistentVolume) string {
	if migrated := volume.Annotations["pv.kubernetes.io/migrated-to"]; migrated != "" {
		return migrated
	}
	return volume.Annotations["pv.kubernetes.io/provisioned-by"]
}

// policyOf is a volume's reclaim policy: Retain, unless it says another one (k8s v1.37
// pkg/apis/core/v1/defaults.go:SetDefaults_PersistentVolume).
func policyOf(volume *corev1.PersistentVolume) corev1.PersistentVolumeReclaimPolicy {
	return cmp.Or(volume.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
}

func ofVolume(volume *corev1.PersistentVolume, details finding.TakenDetails) finding.TakenDetails {
	details.Policy = string(policyOf(volume))
	details.Driver, details.Storage = provisioner(volume), StorageOf(volume)
	if details.Driver == "" && volume.Spec.CSI != nil {
		details.Driver = volume.Spec.CSI.Driver
	}
	if size, known := volume.Spec.Capacity[corev1.ResourceStorage]; known {
		details.Storage = append(details.Storage, finding.Named{What: "size", Values: []string{size.String()}})
	}
	return details
}

// StorageOf is what a volume names of where its data are.
func StorageOf(volume *corev1.PersistentVolume) []finding.Named {
	named := func(what, value string) []finding.Named {
		if value == "" {
			return nil
		}
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

// Distinct leaves out what is said about a volume itself if it is deleted with its claim.
func Distinct(taken []finding.Taken) []finding.Taken {
	withClaim := map[string]bool{}
	for _, one := range taken {
		if one.Details.Volume != nil {
			withClaim[one.Details.Volume.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(taken), func(one finding.Taken) bool {
		return finding.Is(one.Situation, finding.OfStorage) && withClaim[one.Object.Name]
	})
}

// VolumeOf names the volume that a claim has, as far as the claim was read.
func VolumeOf(claim *session.Object) string {
	if claim.Whole == nil {
		return ""
	}
	name, _, _ := unstructured.NestedString(claim.Whole.Object, "spec", "volumeName")
	return name
}
