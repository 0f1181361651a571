package session

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ListOnce is List, remembered: for what several finalizers wait for. The objects are the caller's own.
func (s *Session) ListOnce(ctx context.Context, resource cluster.Resource, namespace string) ([]*Object, error) {
	all, err := s.listed.Get(kindIn{resource.String(), namespace}, func() ([]*Object, error) {
		return s.List(ctx, resource, namespace)
	})
	return finding.Each(all, func(one *Object) *Object { return FromMetadata(one.Resource, one.Meta) }), err
}

// EachListed visits the metadata of all objects of a resource: from what ListOnce remembers, or from a list that isn't
// kept.
func (s *Session) EachListed(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	all, known := s.listed.Lookup(kindIn{resource.String(), namespace})
	if !known {
		return s.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	}
	for _, one := range all {
		visit(one.Meta)
	}
	return nil
}
