package facts

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
	SideBySide(reads)
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
		if object.Is("", "Namespace") {
			namespaces = append(namespaces, object)
		} else {
			others = append(others, object)
		}
	}
	return append(w.Refetch(ctx, namespaces), others...)
}

// RowKey is by what Rows returns an object's row.
func RowKey(resource cluster.Resource, namespace, name string) string {
	return resource.QualifiedName() + " " + namespace + "/" + name
}

// Rows returns what kubectl get prints of some objects, by RowKey: side by side, many of a kind and
// namespace in one request. Secrets and ConfigMaps have nothing there that matters. What can't be read is
// left out.
func (w *World) Rows(ctx context.Context, objects []*Object) map[string]cluster.Row {
	type place struct{ resource, namespace string }
	groups := map[place][]*Object{}
	for _, object := range objects {
		if !object.Is("", "Secret") && !object.Is("", "ConfigMap") && object.Resource.Resource != "" {
			at := place{object.Resource.String(), object.Ref.Namespace}
			groups[at] = append(groups[at], object)
		}
	}
	rows := map[string]cluster.Row{}
	if w.Tabler == nil {
		return rows
	}
	var mu sync.Mutex
	var reads []func()
	for _, group := range groups {
		names := []string{""} // all of them
		if len(group) <= fewWhole {
			names = nil
			for _, object := range group {
				names = append(names, object.Ref.Name)
			}
		}
		for _, name := range names {
			reads = append(reads, func() {
				printed, err := w.Tabler.Rows(ctx, group[0].Resource, group[0].Ref.Namespace, name)
				mu.Lock()
				defer mu.Unlock()
				for _, row := range printed {
					if err == nil {
						rows[RowKey(group[0].Resource, row.Namespace, row.Name)] = row
					}
				}
			})
		}
	}
	SideBySide(reads)
	return rows
}

// SideBySide runs tasks at the same time and returns when all are done.
func SideBySide(tasks []func()) {
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
