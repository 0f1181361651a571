package session

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Example returns an object of a kind that has a finalizer: the newest of the first hundred that have it, or the newest
// Terminating one if some are Terminating; nil for none. The list ends with these. An error says that there may be one
// all the same.
func Example(
	ctx context.Context, reader *cluster.CachedReader, resource cluster.Resource, finalizer string,
) (example *Object, err error) {
	if resource.Resource == "" || !slices.Contains(resource.Verbs, "list") {
		return nil, nil
	}
	const enough = 100
	listing, stop := context.WithCancel(ctx)
	defer stop()
	seen := 0
	selector := cluster.Selector{Keep: cluster.KeepHeld, Recent: true}
	err = reader.Fresh().EachMetadata(listing, resource, "", selector, func(meta *metav1.PartialObjectMetadata) {
		if seen >= enough || !slices.Contains(meta.Finalizers, finalizer) {
			return
		}
		if seen++; example == nil || better(meta, example.Meta) {
			example = FromMetadata(resource, meta)
		}
		if seen == enough {
			stop()
		}
	})
	if example != nil || apierrors.IsNotFound(err) {
		return example, nil
	}
	reader.Failed(resource, "", "", err)
	return nil, err
}

// better reports whether an object is a better example than another one.
func better(metadata, other *metav1.PartialObjectMetadata) bool {
	if deleted := metadata.DeletionTimestamp != nil; deleted != (other.DeletionTimestamp != nil) {
		return deleted
	}
	return other.CreationTimestamp.Before(&metadata.CreationTimestamp)
}
