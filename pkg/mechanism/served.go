package mechanism

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// served returns a resource in the version that this cluster prefers, or false where it serves none:
// kinds differ in their version from release to release, or are younger than a server. Of a group
// that can't be discovered nothing is known.
func (w *World) served(ctx context.Context, group, name string) (resource cluster.Resource, found bool, err error) {
	catalog, err := w.Reader.Catalog(ctx)
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

// item is one object of a list, as it was read and in its typed form.
type item[T any] struct {
	object *Object
	typed  *T
}

// listServed returns the whole objects of a resource in a namespace, or in all: none where the
// cluster doesn't serve it.
func listServed[T any](ctx context.Context, w *World, group, name, namespace string, selector cluster.Selector) ([]item[T], error) {
	resource, found, err := w.served(ctx, group, name)
	if err != nil || !found {
		return nil, err
	}
	return listWhole[T](ctx, w, resource, namespace, selector)
}

// listWhole returns the whole objects of a resource in a namespace, or in all.
func listWhole[T any](ctx context.Context, w *World, resource cluster.Resource, namespace string, selector cluster.Selector) ([]item[T], error) {
	list, err := w.Reader.List(ctx, resource, namespace, selector)
	if apierrors.IsNotFound(err) {
		return nil, nil // the resource isn't served any more
	}
	if err != nil {
		return nil, err
	}
	items := make([]item[T], len(list))
	for i := range list {
		if items[i].object, err = FromWhole(resource, &list[i]); err != nil {
			return nil, err
		}
		if items[i].typed, err = as[T](&list[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}
