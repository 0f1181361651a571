package zoo_test

import (
	"context"
	"slices"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// view is a cluster in which nothing is Terminating but some objects: what commands that look at a whole area see of a
// recording that was made of one target, in a cluster that other scenarios had broken, too. A scan of a kind
// that was not recorded finds those of it that are in view.
type view struct {
	cluster.Reader
	objects []finding.Ref
	// alive says that they are not deleted yet, except namespaces, in which nothing would stay as it is.
	alive bool
	// missed is set by a read that was not recorded, or not allowed: what rests on it is open.
	missed atomic.Bool
}

// again is the same view for another question.
func (v *view) again() *view { return &view{Reader: v.Reader, objects: v.objects} }

func (v *view) shows(resource cluster.Resource, object metav1.Object) bool {
	ref := finding.Ref{
		APIVersion: resource.APIVersion(), Kind: resource.Kind, Namespace: object.GetNamespace(), Name: object.GetName(),
	}
	return slices.ContainsFunc(v.objects, func(other finding.Ref) bool { return other.Place() == ref.Place() })
}

// revived is an object as it was before it was deleted, if that is how it is to be seen. It is the reader's own.
func (v *view) revived(resource cluster.Resource, object metav1.Object) {
	if v.alive && resource.Kind != "Namespace" && v.shows(resource, object) {
		object.SetDeletionTimestamp(nil)
		object.SetDeletionGracePeriodSeconds(nil)
	}
}

func (v *view) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	object, err := v.Reader.Get(ctx, resource, namespace, name)
	if err == nil {
		v.revived(resource, object)
	}
	return object, v.noting(err)
}

func (v *view) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	object, err := v.Reader.Metadata(ctx, resource, namespace, name)
	if err == nil {
		v.revived(resource, object)
	}
	return object, v.noting(err)
}

func (v *view) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	objects, err := v.Reader.List(ctx, resource, namespace, selector)
	for i := range objects {
		v.revived(resource, &objects[i])
	}
	return objects, v.noting(err)
}

func (v *view) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	scan := selector.Keep != cluster.KeepAll
	err := v.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		switch {
		case v.shows(resource, object):
			v.revived(resource, object)
		case scan && (object.DeletionTimestamp != nil || v.alive): // another scenario's, or what another question is about
			return
		}
		visit(object)
	})
	if scan && cluster.NotRecorded(err) {
		return nil
	}
	return v.noting(err)
}

func (v *view) noting(err error) error {
	if cluster.NotRecorded(err) || apierrors.IsForbidden(err) {
		v.missed.Store(true)
	}
	return err
}
