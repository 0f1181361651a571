package follow

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Noted is a Reader that notes which version it has seen of each object: of those an answer is made. A watch that finds
// another one knows that something has changed since.
type Noted struct {
	cluster.Reader
	mu       sync.Mutex
	versions map[finding.Ref]string
}

// NewNoted returns a Noted in front of a Reader, for one look.
func NewNoted(reader cluster.Reader) *Noted {
	return &Noted{Reader: reader, versions: map[finding.Ref]string{}}
}

// Versions returns the resourceVersion of each object that was read, by its place: the oldest, if there are several.
func (n *Noted) Versions() map[finding.Ref]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.versions
}

func (n *Noted) note(resource cluster.Resource, object metav1.Object) {
	n.mu.Lock()
	defer n.mu.Unlock()
	place := refOf(resource, object).Place()
	if _, known := n.versions[place]; !known {
		n.versions[place] = object.GetResourceVersion()
	}
}

// Get implements cluster.Reader.
func (n *Noted) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	object, err := n.Reader.Get(ctx, resource, namespace, name)
	if err == nil {
		n.note(resource, object)
	}
	return object, err
}

// Metadata implements cluster.Reader.
func (n *Noted) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	object, err := n.Reader.Metadata(ctx, resource, namespace, name)
	if err == nil {
		n.note(resource, object)
	}
	return object, err
}

// List implements cluster.Reader.
func (n *Noted) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	objects, err := n.Reader.List(ctx, resource, namespace, selector)
	for i := range objects {
		n.note(resource, &objects[i])
	}
	return objects, err
}

// EachMetadata implements cluster.Reader.
func (n *Noted) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	return n.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		n.note(resource, object)
		visit(object)
	})
}

// ListUpTo implements cluster.Reader.
func (n *Noted) ListUpTo(
	ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (all bool, err error) {
	return n.Reader.ListUpTo(ctx, resource, namespace, most, func(object *unstructured.Unstructured) {
		n.note(resource, object)
		visit(object)
	})
}
