// Package manifest writes objects of a cluster so that they can be created again, into files that only their owner
// reads.
//
// This package may change at any time.
package manifest

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Creatable is an object without what keeps it from being created, or what the new object would be taken for another
// one by: what the API server sets, the state, owners, who have the old one's uid, and finalizers.
func Creatable(whole *unstructured.Unstructured) *unstructured.Unstructured {
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
