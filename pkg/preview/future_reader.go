package preview

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// state is what a deletion has made of an object so far.
type state struct {
	gone bool
	// finalizers are the ones that the API server adds when deletion is requested; what is not gone is Terminating.
	finalizers []string
	grace      int64 // seconds, of a Pod
	// renewed is what was deleted before, and waits for something else: what lets it go then is not late yet.
	renewed bool
}

// after is the cluster as it would be at some moment of a deletion that was not requested: what is gone by then is not
// found, and what is left of it is Terminating. It is a cluster.Reader in front of the one that knows the cluster as it
// is, so that everything which explains a deletion explains this one too.
type after struct {
	cluster.Reader
	at     time.Time        // when deletion was requested
	states map[string]state // by uid, of what is deleted
	opened map[string]bool  // by uid, of what doesn't block its owners any more
	scans  *cluster.Memo[scanned, []*metav1.PartialObjectMetadata]
}

// scanned is a list of metadata that was read: one moment of a deletion has the same lists as the next.
type scanned struct {
	resource, namespace string
	selector            cluster.Selector
}

func keyOf(object metav1.Object) string {
	return cmp.Or(string(object.GetUID()), object.GetNamespace()+"/"+object.GetName())
}

// Get implements cluster.Reader.
func (a *after) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	whole, err := a.Reader.Get(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	if whole = a.whole(resource, whole); whole == nil {
		return nil, apierrors.NewNotFound(resource.GroupResource(), name)
	}
	return whole, nil
}

// Metadata implements cluster.Reader.
func (a *after) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	meta, err := a.Reader.Metadata(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	if meta = a.metadata(resource, meta); meta == nil {
		return nil, apierrors.NewNotFound(resource.GroupResource(), name)
	}
	return meta, nil
}

// List implements cluster.Reader.
func (a *after) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	listed, err := a.Reader.List(ctx, resource, namespace, selector)
	var left []unstructured.Unstructured
	for i := range listed {
		if whole := a.whole(resource, &listed[i]); whole != nil {
			left = append(left, *whole)
		}
	}
	return left, err
}

// ListUpTo implements cluster.Reader.
func (a *after) ListUpTo(
	ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (bool, error) {
	return a.Reader.ListUpTo(ctx, resource, namespace, most, func(whole *unstructured.Unstructured) {
		if whole = a.whole(resource, whole); whole != nil {
			visit(whole)
		}
	})
}

// EachMetadata implements cluster.Reader. What is Terminating only here passes a Keep of the Reader behind for what
// holds it, and is kept for later moments.
func (a *after) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	behind := selector
	if behind.Keep&cluster.KeepTerminating != 0 && behind.Keep&cluster.KeepSlim == 0 {
		behind.Keep |= cluster.KeepHeld | cluster.KeepOwned
		if heldBesides(resource) {
			behind.Keep = cluster.KeepAll
		}
	}
	key := scanned{resource.QualifiedName(), namespace, behind}
	all, err := a.scans.Get(key, func() (all []*metav1.PartialObjectMetadata, err error) {
		err = a.Reader.EachMetadata(ctx, resource, namespace, behind, func(meta *metav1.PartialObjectMetadata) {
			all = append(all, meta)
		})
		return all, err
	})
	for _, meta := range all {
		if meta = a.metadata(resource, meta); meta != nil && selector.Keep.Keeps(meta) {
			visit(meta)
		}
	}
	return err
}

// Now implements cluster.Reader: every moment is that at which deletion was requested.
func (a *after) Now() time.Time { return a.at }

// heldBesides reports whether objects of a kind are held by more than the finalizers in their metadata.
func heldBesides(resource cluster.Resource) bool {
	held := []string{"Pod", "Namespace", "CustomResourceDefinition.apiextensions.k8s.io"}
	return slices.Contains(held, resource.GroupKind().String())
}

func (a *after) metadata(resource cluster.Resource, meta *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	switch key := keyOf(meta); {
	case a.states[key].gone:
		return nil
	case a.changes(key):
		meta = meta.DeepCopy()
		a.change(meta)
	}
	return meta
}

// whole is an object as it would be, or nil. What events say has happened, although they are deleted with a namespace.
func (a *after) whole(resource cluster.Resource, whole *unstructured.Unstructured) *unstructured.Unstructured {
	switch key := keyOf(whole); {
	case resource.Resource == "events" || !a.changes(key):
		return whole
	case a.states[key].gone:
		return nil
	}
	whole = whole.DeepCopy()
	a.change(whole)
	if resource.Group == "" && resource.Kind == "Namespace" && whole.GetDeletionTimestamp() != nil {
		_ = unstructured.SetNestedField(whole.Object, string(corev1.NamespaceTerminating), "status", "phase")
	}
	return whole
}

func (a *after) changes(key string) bool {
	_, deleted := a.states[key]
	return deleted || a.opened[key]
}

func (a *after) change(object metav1.Object) {
	if is, deleted := a.states[keyOf(object)]; deleted {
		is.mark(a.at, object)
	}
	if !a.opened[keyOf(object)] {
		return
	}
	references := slices.Clone(object.GetOwnerReferences())
	for i := range references {
		references[i].BlockOwnerDeletion = new(bool)
	}
	object.SetOwnerReferences(references)
}

// marked returns an object as it is once its deletion was requested.
func (s state) marked(at time.Time, object *session.Object) *session.Object {
	changed := *object
	changed.Meta, changed.Whole = object.Meta.DeepCopy(), nil
	s.mark(at, changed.Meta)
	return &changed
}

// mark does to an object what the API server does when deletion is requested (k8s v1.37
// staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go:BeforeDelete).
func (s state) mark(at time.Time, object metav1.Object) {
	before := object.GetDeletionTimestamp() != nil
	if before && !s.renewed {
		return // that was requested before
	}
	until := metav1.NewTime(at.Add(time.Duration(s.grace) * time.Second))
	grace := s.grace
	object.SetDeletionTimestamp(&until)
	object.SetDeletionGracePeriodSeconds(&grace)
	if before {
		return
	}
	if generation := object.GetGeneration(); generation > 0 { // what was said so far is about the former
		object.SetGeneration(generation + 1)
	}
	finalizers := slices.DeleteFunc(slices.Clone(object.GetFinalizers()), ownership.IsPolicy)
	for _, name := range s.finalizers {
		if !slices.Contains(finalizers, name) {
			finalizers = append(finalizers, name)
		}
	}
	object.SetFinalizers(finalizers)
}

func outlivesPolicy(finalizer string) bool { return !ownership.IsPolicy(finalizer) }
