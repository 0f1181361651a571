package cluster

import (
	"cmp"
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scanWidth is how many lists are fetched side by side. Most have next to nothing in them, so what they
// take is the way to the server and back; its priority and fairness holds back what is too much.
const scanWidth = 16

// Unlisted is a resource that a scan could not list, and why.
type Unlisted struct {
	Resource
	Err error
}

// Scan is ScanFor without a selector.
func Scan(
	ctx context.Context, reader Reader, resources []Resource, namespace string,
	visit func(Resource, *metav1.PartialObjectMetadata),
) (unread []Unlisted) {
	return ScanFor(ctx, reader, resources, namespace, Selector{}, visit)
}

// Probe lists several resources as ScanFor does, only to see which of them can't be.
func Probe(
	ctx context.Context, reader Reader, resources []Resource, namespace string, selector Selector,
) (unread []Unlisted) {
	return ScanFor(ctx, reader, resources, namespace, selector, func(Resource, *metav1.PartialObjectMetadata) {})
}

// ScanFor reads the metadata of the objects of several resources that a selector selects, side by side, and calls visit
// with each, one at a time. A resource that can't be listed is left out and returned; "not found" and
// "method not allowed" mean that there is nothing to list.
func ScanFor(
	ctx context.Context, reader Reader, resources []Resource, namespace string, selector Selector,
	visit func(Resource, *metav1.PartialObjectMetadata),
) (unread []Unlisted) {
	var mu sync.Mutex
	var lists sync.WaitGroup
	places := make(chan struct{}, scanWidth)
	for _, resource := range resources {
		places <- struct{}{}
		lists.Go(func() {
			defer func() { <-places }()
			err := reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
				if !selector.Keep.Keeps(object) {
					return // a Reader that has everything at hand need not drop anything
				}
				mu.Lock()
				defer mu.Unlock()
				visit(resource, object)
			})
			if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
				mu.Lock()
				defer mu.Unlock()
				unread = append(unread, Unlisted{Resource: resource, Err: err})
			}
		})
	}
	lists.Wait()
	slices.SortFunc(unread, func(a, b Unlisted) int { return cmp.Compare(a.QualifiedName(), b.QualifiedName()) })
	return unread
}
