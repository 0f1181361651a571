package mechanism

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// How objects of which spec and status matter are read when there are many: up to fewWhole of a kind
// and namespace one by one, more in one list; and so many requests side by side.
const (
	fewWhole     = 6
	prefetchWide = 8
)

// Refetch reads those of some objects whole of which spec or status matter to mechanisms, side by side.
// It returns the objects that are still there; one that can't be read stays as it is.
func (w *World) Refetch(ctx context.Context, objects []*Object) []*Object {
	type place struct {
		resource  string
		namespace string
	}
	groups := map[place][]*Object{}
	for _, object := range objects {
		if ReadWhole(object.Resource.GroupKind()) && object.Whole == nil {
			at := place{object.Resource.String(), object.Ref.Namespace}
			groups[at] = append(groups[at], object)
		}
	}
	var reads []func()
	for _, group := range groups {
		if len(group) > fewWhole {
			reads = append(reads, func() { _, _ = w.Reader.List(ctx, group[0].Resource, group[0].Ref.Namespace, cluster.Selector{}) })
			continue
		}
		for _, object := range group {
			reads = append(reads, func() { _, _ = w.Whole(ctx, object) })
		}
	}
	sideBySide(reads)
	var there []*Object
	for _, object := range objects {
		if ReadWhole(object.Resource.GroupKind()) {
			if _, err := w.Whole(ctx, object); apierrors.IsNotFound(err) {
				continue
			}
		}
		there = append(there, object)
	}
	return there
}

// WithSpecs reads the Namespaces among some objects whole: their finalizers are part of their specs.
func (w *World) WithSpecs(ctx context.Context, objects []*Object) []*Object {
	var namespaces, others []*Object
	for _, object := range objects {
		if object.is("", "Namespace") {
			namespaces = append(namespaces, object)
		} else {
			others = append(others, object)
		}
	}
	return append(w.Refetch(ctx, namespaces), others...)
}

func sideBySide(tasks []func()) {
	var running sync.WaitGroup
	places := make(chan struct{}, prefetchWide)
	for _, task := range tasks {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			task()
		})
	}
	running.Wait()
}
