package removal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/manifest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// saveForCreation saves an object a second time, so that it can be created from the file as it is, and a claim's volume
// beside it; and it says by which steps. A Secret can't be created again. A volume that can't be read is left out.
func (r *Remover) saveForCreation(
	ctx context.Context, one *item, whole *unstructured.Unstructured, backup *result.Backup,
) (err error) {
	if secret(one) {
		return nil
	}
	object := one.seen.object
	about := manifest.Comment(object.Ref.String()+" without its uid, status, owners and finalizers.",
		"You can create it as it is. It is then a new object.")
	if backup.Create, err = r.keep(one, "create", about, manifest.Creatable(whole)); err != nil {
		return err
	}
	steps, err := r.saveVolume(ctx, one, whole, backup)
	create := finding.Remedy{
		Step:    "CreateFromBackup",
		Details: finding.StepDetails{Object: &object.Ref, Closed: r.namespaceGoing(ctx, object.Ref.Namespace)},
		Command: r.kubectl().Prefix(finding.Ref{}, "create", "-f", backup.Create),
	}
	backup.Restore = finding.Voice{}.Remedies(append(steps, create))
	return err
}

// namespaceGoing is the namespace, if that is being deleted: nothing can be created in it
// (k8s v1.37 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go:Admit).
func (r *Remover) namespaceGoing(ctx context.Context, namespace string) string {
	if namespace == "" {
		return ""
	}
	meta, err := r.Reader.Metadata(ctx, cluster.Namespaces(), "", namespace)
	if err != nil || meta.DeletionTimestamp == nil {
		return ""
	}
	return namespace
}

// saveVolume saves the volume of a claim for its creation. A claim that is created again is bound to its volume only
// where the volume still waits for a claim of this name: with the uid of the one that is gone, it is released for good
// (k8s v1.37 pkg/controller/volume/persistentvolume/pv_controller.go:syncVolume).
func (r *Remover) saveVolume(
	ctx context.Context, one *item, whole *unstructured.Unstructured, backup *result.Backup,
) (steps []finding.Remedy, err error) {
	claim, err := session.FromWhole(one.seen.object.Resource, whole)
	if err != nil || !claim.Is("", "PersistentVolumeClaim") || loss.VolumeOf(claim) == "" {
		return nil, err
	}
	volume := session.Named(cluster.PersistentVolumes(), "", loss.VolumeOf(claim))
	details := finding.StepDetails{Object: &volume.Ref, Other: &claim.Ref}
	saved, unread := r.Reader.Get(ctx, volume.Resource, "", volume.Ref.Name)
	patch := []session.Operation{
		{Op: "test", Path: "/spec/claimRef/uid", Value: claim.Ref.UID}, {Op: "remove", Path: "/spec/claimRef/uid"},
	}
	const version = "resourceVersion"
	if unread != nil || valueAt(saved, "spec", "claimRef", version) != "" {
		patch = append(patch, session.Operation{Op: "remove", Path: "/spec/claimRef/" + version})
	}
	steps = []finding.Remedy{{
		Step: "ReserveKeptVolume", Details: details,
		Command: r.kubectl().Command(volume, "patch", "--type", "json", "-p", session.EncodePatch(patch)),
	}}
	if unread != nil {
		return steps, nil // the plan says that it could not be read
	}
	about := manifest.Comment(volume.Ref.String()+", the volume of "+claim.Ref.String()+".",
		"You can create it as it is, for a claim of that name. That brings back no data: it helps",
		"only if the storage still exists.")
	if backup.Volume, err = r.keep(one, "volume", about, manifest.Creatable(saved)); err != nil {
		return nil, err
	}
	return append(steps, finding.Remedy{
		Step: "CreateVolumeFromBackup", Details: details,
		Command: r.kubectl().Prefix(finding.Ref{}, "create", "-f", backup.Volume),
	}), nil
}

func valueAt(object *unstructured.Unstructured, path ...string) string {
	value, _, _ := unstructured.NestedString(object.Object, path...)
	return value
}
