package follow

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// shelf is a Reader of objects that are named for the way in which they are read.
type shelf struct{ cluster.Reader }

func (shelf) Get(_ context.Context, _ cluster.Resource, _, name string) (*unstructured.Unstructured, error) {
	return whole(name), nil
}

func (shelf) Metadata(_ context.Context, _ cluster.Resource, _, name string) (*metav1.PartialObjectMetadata, error) {
	return meta(name), nil
}

func (shelf) List(
	context.Context, cluster.Resource, string, cluster.Selector,
) ([]unstructured.Unstructured, error) {
	return []unstructured.Unstructured{*whole("listed")}, nil
}

func (shelf) EachMetadata(
	_ context.Context, _ cluster.Resource, _ string, _ cluster.Selector, visit func(*metav1.PartialObjectMetadata),
) error {
	visit(meta("visited"))
	return nil
}

func (shelf) ListUpTo(
	_ context.Context, _ cluster.Resource, _ string, _ int, visit func(*unstructured.Unstructured),
) (bool, error) {
	visit(whole("gathered"))
	return true, nil
}

func meta(name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: name, UID: types.UID(name), ResourceVersion: "of " + name,
	}}
}

func whole(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetNamespace("shop")
	object.SetName(name)
	object.SetResourceVersion("of " + name)
	return object
}

// TestNoted reads in each way there is, and finds the version of each object noted.
func TestNoted(t *testing.T) {
	noted, ctx, kind := NewNoted(shelf{}), t.Context(), configMaps()
	_, got := noted.Get(ctx, kind, "shop", "got")
	_, read := noted.Metadata(ctx, kind, "shop", "read")
	_, listed := noted.List(ctx, kind, "shop", cluster.Selector{})
	visited := noted.EachMetadata(ctx, kind, "shop", cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
	_, gathered := noted.ListUpTo(ctx, kind, "shop", 1, func(*unstructured.Unstructured) {})
	for name, err := range map[string]error{
		"got": got, "read": read, "listed": listed, "visited": visited, "gathered": gathered,
	} {
		if version := noted.Versions()[named(name).Place()]; err != nil || version != "of "+name {
			t.Errorf("of %s it notes %q (%v)", name, version, err)
		}
	}
}
