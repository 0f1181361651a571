package session

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Object is one Kubernetes object as far as it was read.
type Object struct {
	Ref      finding.Ref
	Resource cluster.Resource
	Meta     *metav1.PartialObjectMetadata // nil for an object that is known by name only
	Whole    *unstructured.Unstructured    // nil unless spec and status were read too
}

// Named returns an object that is known by name and was not read.
func Named(resource cluster.Resource, namespace, name string) *Object {
	return &Object{Resource: resource, Ref: finding.Ref{
		APIVersion: resource.APIVersion(), Kind: resource.Kind, Namespace: namespace, Name: name,
	}}
}

// FromMetadata returns an object whose metadata was read.
func FromMetadata(resource cluster.Resource, meta *metav1.PartialObjectMetadata) *Object {
	object := Named(resource, meta.Namespace, meta.Name)
	object.Ref.UID = string(meta.UID)
	object.Meta = meta
	return object
}

// FromWhole returns an object that was read as a whole.
func FromWhole(resource cluster.Resource, whole *unstructured.Unstructured) (*Object, error) {
	meta, err := As[metav1.PartialObjectMetadata](whole)
	if err != nil {
		return nil, err
	}
	object := FromMetadata(resource, meta)
	object.Whole = whole
	return object, nil
}

// ReadWhole reports whether spec or status of a kind are needed. All others, Secrets too, are read as metadata only.
func ReadWhole(kind schema.GroupKind) bool {
	switch kind.String() {
	case "Pod", "Namespace", "PersistentVolumeClaim", "PersistentVolume", "ResourceClaim.resource.k8s.io",
		"CustomResourceDefinition.apiextensions.k8s.io", "VolumeAttachment.storage.k8s.io":
		return true
	}
	return !cluster.ServedByKubernetes(kind.Group) // whose status is all that their controller says
}

// Terminating reports whether deletion was requested.
func (o *Object) Terminating() bool { return o.Meta != nil && o.Meta.DeletionTimestamp != nil }

// RequestedAt is when deletion was requested: a Pod's deletionTimestamp is its grace later
// (docs/deletion.md#what-deletiontimestamp-means).
func (o *Object) RequestedAt() time.Time {
	if !o.Terminating() {
		return time.Time{}
	}
	return o.Meta.DeletionTimestamp.Add(-time.Duration(o.GraceSeconds()) * time.Second)
}

// GraceSeconds returns metadata.deletionGracePeriodSeconds, or 0.
func (o *Object) GraceSeconds() int64 {
	if o.Meta == nil || o.Meta.DeletionGracePeriodSeconds == nil {
		return 0
	}
	return *o.Meta.DeletionGracePeriodSeconds
}

// Holds returns what keeps the object from going, or, while it was not deleted, what would.
func (o *Object) Holds() []finding.Hold {
	if o.Meta == nil {
		return nil
	}
	holds := []finding.Hold{}
	graceful := o.GraceSeconds() > 0 || !o.Terminating() && o.PodNode() != "" ||
		o.Terminating() && len(o.Meta.Finalizers) == 0
	if o.Is("", "Pod") && graceful {
		holds = append(holds, finding.Hold{Type: finding.GracePeriod})
	}
	if o.Is("", "Namespace") && o.Whole != nil {
		finalizers, _, _ := unstructured.NestedStringSlice(o.Whole.Object, "spec", "finalizers")
		for _, finalizer := range finalizers {
			holds = append(holds, finding.Hold{Type: finding.SpecFinalizer, Name: finalizer})
		}
	}
	seen := map[string]bool{}
	for _, finalizer := range o.Meta.Finalizers {
		if !seen[finalizer] { // the list may have it twice (docs/deletion.md#finalizers-of-kubernetes)
			holds = append(holds, finding.Hold{Type: finding.Finalizer, Name: finalizer})
		}
		seen[finalizer] = true
	}
	if o.Is("apiextensions.k8s.io", "CustomResourceDefinition") && !o.Terminating() && !seen[CleanupFinalizer] {
		holds = append(holds, finding.Hold{Type: finding.Finalizer, Name: CleanupFinalizer})
	}
	return holds
}

// CleanupFinalizer holds a CustomResourceDefinition until its instances are deleted. The API server sets it at deletion
// (k8s v1.37 apiextensions-apiserver/pkg/registry/customresourcedefinition/etcd.go:Delete).
const CleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io"

// Undeletable reports whether an object is one of the namespaces that the API server never deletes (k8s v1.37
// apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
func (o *Object) Undeletable() bool {
	never := []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic}
	return o.Is("", "Namespace") && slices.Contains(never, o.Ref.Name)
}

// Is reports whether an object is of a kind.
func (o *Object) Is(group, kind string) bool {
	return o.Resource.Group == group && o.Resource.Kind == kind
}

// PodNode returns the name of the Node that a pod was bound to, if it was read.
func (o *Object) PodNode() string {
	if o.Whole == nil {
		return ""
	}
	name, _, _ := unstructured.NestedString(o.Whole.Object, "spec", "nodeName")
	return name
}

// As decodes a whole object into its typed form.
func As[T any](whole *unstructured.Unstructured) (*T, error) {
	typed := new(T)
	return typed, runtime.DefaultUnstructuredConverter.FromUnstructured(whole.Object, typed)
}

// ObservedOf is evidence that is at an object itself.
func ObservedOf(object *Object, observed string) finding.Evidence {
	return object.Ref.Observed("%s", observed)
}

// Target is an object that is asked about.
type Target struct {
	Resource        cluster.Resource
	Namespace, Name string
}

// Same reports whether two targets are one object.
func (t Target) Same(other Target) bool {
	return t.Namespace == other.Namespace && t.Name == other.Name &&
		t.Resource.GroupResource() == other.Resource.GroupResource()
}

// UnreadError says that a target, or what it would be among, can't be read because of what is in storage.
type UnreadError struct {
	Says string          // what can't be read, and why, in whole sentences
	Ask  finding.Command // tells all about that, and what to do
	Err  error           // the API server's own
}

// Error implements error.
func (e *UnreadError) Error() string {
	return e.Says + "\nTo see what to do, run: " + e.Ask.String()
}

// Unwrap returns the API server's error.
func (e *UnreadError) Unwrap() error { return e.Err }

// GoneError says that a target vanished while it was being looked at: its deletion is over.
type GoneError struct {
	Ref       finding.Ref
	Recreated bool // an object of the same name has taken its place
}

// Error implements error.
func (e *GoneError) Error() string {
	if e.Recreated {
		return fmt.Sprintf("%s was deleted while this command ran, and another object with its name was created."+
			" For that one, run the command again", e.Ref)
	}
	return fmt.Sprintf("%s is gone: its deletion finished while this command ran", e.Ref)
}
