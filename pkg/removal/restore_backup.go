package removal

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
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
	about := comment(object.Ref.String()+" without its uid, status, owners and finalizers.",
		"You can create it as it is. It is then a new object.")
	if backup.Create, err = r.keep(one, "create", about, creatable(whole)); err != nil {
		return err
	}
	steps, err := r.saveVolume(ctx, one, whole, backup)
	create := finding.Remedy{
		Step: "CreateFromBackup", Details: finding.StepDetails{Object: &object.Ref},
		Command: r.kubectl().Prefix(finding.Ref{}, "create", "-f", backup.Create),
	}
	backup.Restore = finding.Voice{}.Remedies(append(steps, create))
	return err
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
	about := comment(volume.Ref.String()+", the volume of "+claim.Ref.String()+".",
		"You can create it as it is, for a claim of that name. That brings back no data: it helps",
		"only if the storage still exists.")
	if backup.Volume, err = r.keep(one, "volume", about, creatable(saved)); err != nil {
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

// creatable is an object without what keeps it from being created, or what the new object would be taken for another
// one by: what the API server sets, the state, owners, who have the old one's uid, and finalizers.
func creatable(whole *unstructured.Unstructured) *unstructured.Unstructured {
	object := whole.DeepCopy()
	for _, field := range []string{
		"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
		"managedFields", "selfLink", "ownerReferences", "finalizers",
	} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(object.Object, "status")
	switch kind := object.GroupVersionKind().GroupKind().String(); kind {
	case "PersistentVolumeClaim", "PersistentVolume":
		// They say that the two are bound: without the other one, a claim counts as lost.
		withoutAnnotations(object, "pv.kubernetes.io/")
		for _, field := range []string{"uid", "resourceVersion"} {
			unstructured.RemoveNestedField(object.Object, "spec", "claimRef", field)
		}
	case "Namespace":
		unstructured.RemoveNestedField(object.Object, "spec", "finalizers")
	case "Job.batch":
		withoutUID(object)
	}
	return object
}

func withoutAnnotations(object *unstructured.Unstructured, prefix string) {
	annotations := object.GetAnnotations()
	for name := range annotations {
		if strings.HasPrefix(name, prefix) {
			delete(annotations, name)
		}
	}
	object.SetAnnotations(annotations)
}

// withoutUID removes from a Job what it selects its pods by, unless its maker chose that: the API server makes it of
// the uid (k8s v1.37 pkg/registry/batch/job/strategy.go:generateSelector).
func withoutUID(job *unstructured.Unstructured) {
	if manual, _, _ := unstructured.NestedBool(job.Object, "spec", "manualSelector"); manual {
		return
	}
	unstructured.RemoveNestedField(job.Object, "spec", "selector")
	for _, label := range []string{
		"controller-uid", "batch.kubernetes.io/controller-uid", "job-name", "batch.kubernetes.io/job-name",
	} {
		unstructured.RemoveNestedField(job.Object, "spec", "template", "metadata", "labels", label)
	}
}
