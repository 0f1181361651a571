package cluster

import (
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scanWidth is how many lists are fetched side by side.
const scanWidth = 8

// Scan reads the metadata of all objects of several resources, side by side, and calls visit with
// each, one at a time. A resource that can't be listed is left out and returned; "not found" and
// "method not allowed" mean that there is nothing to list.
func Scan(ctx context.Context, reader Reader, resources []Resource, namespace string, visit func(Resource, *metav1.PartialObjectMetadata)) (unread []Resource) {
	var mu sync.Mutex
	var lists sync.WaitGroup
	places := make(chan struct{}, scanWidth)
	for _, resource := range resources {
		places <- struct{}{}
		lists.Go(func() {
			defer func() { <-places }()
			err := reader.EachMetadata(ctx, resource, namespace, Selector{}, func(object *metav1.PartialObjectMetadata) {
				mu.Lock()
				defer mu.Unlock()
				visit(resource, object)
			})
			if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
				mu.Lock()
				defer mu.Unlock()
				unread = append(unread, resource)
			}
		})
	}
	lists.Wait()
	slices.SortFunc(unread, func(a, b Resource) int {
		return slices.Compare([]string{a.Group, a.Resource}, []string{b.Group, b.Resource})
	})
	return unread
}
