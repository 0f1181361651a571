// Package writers tells from managedFields who wrote what of an object, and when. It reads nothing itself.
//
// This package may change at any time.
package writers

import (
	"encoding/json"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Setter is a field manager that holds one entry of an object's finalizers.
type Setter struct {
	Manager string
	At      time.Time // when the manager last wrote, which need not be when it set the finalizer
	// ByHand says that people and pipelines write manifests with it: the finalizer then belongs to another program.
	ByHand bool
}

// Copied reports whether the manager made the object from a template, finalizers and all, as controllers of workloads
// do: the writer of the template set the finalizer, and its controller is another program. Finalizers of its own,
// kube-controller-manager has none but the ones that Kubernetes documents (docs/deletion.md#finalizers-of-kubernetes).
func (s Setter) Copied() bool { return s.Manager == "kube-controller-manager" }

// Setters returns who holds a finalizer according to managedFields, newest first. Finalizers that the API server or a
// mutating webhook adds have no manager (docs/deletion.md#who-set-a-finalizer).
func Setters(meta *metav1.PartialObjectMetadata, finalizer string) (setters []Setter) {
	for _, entry := range meta.ManagedFields {
		if !holdsFinalizer(entry, finalizer) {
			continue
		}
		setter := Setter{Manager: entry.Manager, ByHand: WritesManifests(entry.Manager)}
		if entry.Time != nil {
			setter.At = entry.Time.Time
		}
		setters = append(setters, setter)
	}
	slices.SortStableFunc(setters, func(a, b Setter) int { return b.At.Compare(a.At) })
	return setters
}

// holdsFinalizer looks for f:metadata, f:finalizers, v:"NAME" in an entry's field set.
func holdsFinalizer(entry metav1.ManagedFieldsEntry, finalizer string) bool {
	var fields struct {
		Metadata struct {
			Finalizers map[string]json.RawMessage `json:"f:finalizers"`
		} `json:"f:metadata"`
	}
	if json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields) != nil {
		return false // a field set that can't be read attributes nothing
	}
	quoted, _ := json.Marshal(finalizer) // of a string, it never fails
	_, held := fields.Metadata.Finalizers["v:"+string(quoted)]
	return held
}

// Finalizes reports whether an entry of managedFields holds finalizers.
func Finalizes(entry metav1.ManagedFieldsEntry) bool {
	_, held := below(entry.FieldsV1.GetRawBytes(), []string{"f:metadata", "f:finalizers"})
	return held
}
