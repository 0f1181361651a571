package session

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// FinalizerSeen is a finalizer that objects of a kind have.
type FinalizerSeen struct {
	Name    string
	Objects []*Object
}

// FinalizersOn returns the finalizers of a kind's objects, in the order in which they come: those of the first hundred
// that have any, in all namespaces, or in one if no others may be listed. It returns an error where it saw none of
// them; a list that it could not finish adds what it had.
func (s *Session) FinalizersOn(
	ctx context.Context, resource cluster.Resource, namespace string,
) (seen []FinalizerSeen, err error) {
	const enough = 100
	listing, stop := context.WithCancel(ctx)
	defer stop()
	known := map[string]bool{}
	visit := func(meta *metav1.PartialObjectMetadata) {
		if len(known) >= enough || known[string(meta.UID)] || len(meta.Finalizers) == 0 {
			return
		}
		object := FromMetadata(resource, meta)
		for _, name := range meta.Finalizers {
			at := slices.IndexFunc(seen, func(one FinalizerSeen) bool { return one.Name == name })
			if at < 0 {
				at, seen = len(seen), append(seen, FinalizerSeen{Name: name})
			}
			seen[at].Objects = append(seen[at].Objects, object)
		}
		if known[string(meta.UID)] = true; len(known) == enough {
			stop()
		}
	}
	selector := cluster.Selector{Keep: cluster.KeepHeld, Recent: true}
	err = s.Reader.Fresh().EachMetadata(listing, resource, "", selector, visit)
	if apierrors.IsForbidden(err) && resource.Namespaced && namespace != "" {
		err = s.Reader.Fresh().EachMetadata(listing, resource, namespace, selector, visit)
	}
	if len(seen) > 0 {
		return seen, nil
	}
	return nil, err
}
