package session

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Served returns a resource in the version that this cluster prefers, or false where it serves none:
// kinds differ in their version from release to release, or are younger than a server. Of a group
// that can't be discovered nothing is known.
func (s *Session) Served(ctx context.Context, group, name string) (resource cluster.Resource, found bool, err error) {
	catalog, err := s.Reader.Catalog(ctx)
	if err != nil {
		return cluster.Resource{}, false, err
	}
	catalog.Ask(group)
	for _, resource := range catalog.Resources {
		if resource.Group == group && resource.GroupVersionResource.Resource == name {
			return resource, true, nil
		}
	}
	for _, version := range catalog.FailedVersions() {
		if version.Group == group {
			return cluster.Resource{}, false, fmt.Errorf("discover %s: %w", version, catalog.Failed[version])
		}
	}
	return cluster.Resource{}, false, catalog.Partial
}

// Item is one object of a list, as it was read and in its typed form.
type Item[T any] struct {
	Object *Object
	Typed  *T
}

// ListServed returns the whole objects of a resource in a namespace, or in all: none where the
// cluster doesn't serve it.
func ListServed[T any](
	ctx context.Context, s *Session, group, name, namespace string, selector cluster.Selector,
) ([]Item[T], error) {
	resource, found, err := s.Served(ctx, group, name)
	if err != nil || !found {
		return nil, err
	}
	return ListWhole[T](ctx, s, resource, namespace, selector)
}

// ListWhole returns the whole objects of a resource in a namespace, or in all. They are decoded once.
func ListWhole[T any](
	ctx context.Context, s *Session, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]Item[T], error) {
	type typedList struct { // by which the session keeps it
		kindIn
		selector cluster.Selector
	}
	key := typedList{kindIn: kindIn{resource.String(), namespace}, selector: selector}
	list, err := s.typed.Get(key, func() (any, error) {
		list, err := s.Reader.List(ctx, resource, namespace, selector)
		if apierrors.IsNotFound(err) {
			return nil, nil // the resource isn't served any more
		}
		items := make([]Item[T], len(list))
		for i := 0; i < len(list) && err == nil; i++ {
			if items[i].Object, err = FromWhole(resource, &list[i]); err == nil {
				items[i].Typed, err = As[T](&list[i])
			}
		}
		return items, err
	})
	if err != nil || list == nil {
		return nil, err
	}
	return slices.Clone(list.([]Item[T])), nil
}
