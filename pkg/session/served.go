package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

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
func ListServed[T any](ctx context.Context, s *Session, group, name, namespace string, selector cluster.Selector) ([]Item[T], error) {
	resource, found, err := s.Served(ctx, group, name)
	if err != nil || !found {
		return nil, err
	}
	return ListWhole[T](ctx, s, resource, namespace, selector)
}

// ListWhole returns the whole objects of a resource in a namespace, or in all. They are decoded once.
func ListWhole[T any](ctx context.Context, s *Session, resource cluster.Resource, namespace string, selector cluster.Selector) ([]Item[T], error) {
	key := typedList[T]{resource.String(), namespace, selector}
	s.mu.Lock()
	if s.typed == nil {
		s.typed = map[any]any{}
	}
	list, known := s.typed[key].(func() ([]Item[T], error))
	if !known {
		list = sync.OnceValues(func() ([]Item[T], error) { return listWhole[T](ctx, s, resource, namespace, selector) })
		s.typed[key] = list
	}
	s.mu.Unlock()
	items, err := list()
	return slices.Clone(items), err
}

// typedList is by what a Session keeps a list in its typed form.
type typedList[T any] struct {
	resource, namespace string
	selector            cluster.Selector
}

func listWhole[T any](ctx context.Context, s *Session, resource cluster.Resource, namespace string, selector cluster.Selector) ([]Item[T], error) {
	list, err := s.Reader.List(ctx, resource, namespace, selector)
	if apierrors.IsNotFound(err) {
		return nil, nil // the resource isn't served any more
	}
	if err != nil {
		return nil, err
	}
	items := make([]Item[T], len(list))
	for i := range list {
		if items[i].Object, err = FromWhole(resource, &list[i]); err != nil {
			return nil, err
		}
		if items[i].Typed, err = As[T](&list[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}
