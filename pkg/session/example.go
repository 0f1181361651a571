package session

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Example returns an object of a kind that has a finalizer, one that is Terminating if there is one among the first
// that have it; nil for none. The list ends as soon as it is found. An error says that there may be one all the same.
func (s *Session) Example(
	ctx context.Context, resource cluster.Resource, finalizer string,
) (example *Object, err error) {
	if resource.Resource == "" || !slices.Contains(resource.Verbs, "list") {
		return nil, nil
	}
	const enough = 100
	listing, stop := context.WithCancel(ctx)
	defer stop()
	seen := 0
	selector := cluster.Selector{Keep: cluster.KeepHeld, Recent: true}
	err = s.Reader.Fresh().EachMetadata(listing, resource, "", selector, func(meta *metav1.PartialObjectMetadata) {
		if seen > enough || !slices.Contains(meta.Finalizers, finalizer) {
			return
		}
		seen++
		terminating := meta.DeletionTimestamp != nil
		if example == nil || terminating {
			example = FromMetadata(resource, meta)
		}
		if terminating || seen == enough {
			seen = enough + 1
			stop()
		}
	})
	if example != nil || apierrors.IsNotFound(err) {
		return example, nil
	}
	s.Reader.Failed(resource, "", "", err)
	return nil, err
}
