package session

import (
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// How objects whose spec and status matter are read when there are many: up to fewWhole of a kind, or fewNear of them
// in one namespace, one by one, more in a list, if that has no more than listedEach objects for each that is wanted:
// what is read and dropped must not cost more than the requests it saves. So many requests go side by side.
const (
	fewWhole     = 6
	fewNear      = 2
	listedEach   = 12
	prefetchWide = 12
)

// Refetch reads some objects whole, if their spec or status matter to mechanisms, side by side. It returns the objects
// that are still there; one that can't be read stays as it is.
func (s *Session) Refetch(ctx context.Context, objects []*Object) []*Object {
	s.Wholes(ctx, slices.DeleteFunc(slices.Clone(objects), func(object *Object) bool {
		return !ReadWhole(object.Resource.GroupKind())
	}))
	return slices.DeleteFunc(slices.Clone(objects), func(object *Object) bool {
		if !ReadWhole(object.Resource.GroupKind()) {
			return false
		}
		_, err := s.Whole(ctx, object)
		return apierrors.IsNotFound(err)
	})
}

// Wholes reads objects whole, side by side; one that can't be read stays as it is.
func (s *Session) Wholes(ctx context.Context, objects []*Object) {
	groups := map[string][]*Object{}
	var lists, gets []func()
	for _, object := range objects {
		if object.Whole == nil {
			groups[object.Resource.String()] = append(groups[object.Resource.String()], object)
			gets = append(gets, func() { _, _ = s.Whole(ctx, object) })
		}
	}
	for _, group := range groups {
		if len(group) > fewWhole {
			lists = append(lists, func() { s.gather(ctx, group) })
		}
	}
	SideBySide(lists)
	SideBySide(gets) // of what no list has brought
}

// gather reads many objects of one kind in one list, or, where that would be too long, in one of each
// namespace in which several of them are, and not many others as far as a scan has told.
func (s *Session) gather(ctx context.Context, group []*Object) {
	wanted, namespaces := map[string]bool{}, map[string]int{}
	for _, object := range group {
		wanted[object.Ref.Path()] = true
		namespaces[object.Ref.Namespace]++
	}
	list := func(namespace string, count int) bool {
		want := func(one *unstructured.Unstructured) bool { return wanted[placeOf(one)] }
		return s.Reader.Gather(ctx, group[0].Resource, namespace, listedEach*count, want)
	}
	if len(namespaces) > 1 && list("", len(group)) {
		return
	}
	var lists []func()
	for namespace, count := range namespaces {
		if count > fewNear && s.countOf(group[0].Resource, namespace) <= listedEach*count {
			lists = append(lists, func() { list(namespace, count) })
		}
	}
	SideBySide(lists)
}

func placeOf(one *unstructured.Unstructured) string {
	return finding.Ref{Namespace: one.GetNamespace(), Name: one.GetName()}.Path()
}

// WithSpecs reads the Namespaces among some objects whole: their finalizers are part of their specs.
func (s *Session) WithSpecs(ctx context.Context, objects []*Object) []*Object {
	byKind := map[bool][]*Object{}
	for _, object := range objects {
		byKind[object.Is("", "Namespace")] = append(byKind[object.Is("", "Namespace")], object)
	}
	return append(s.Refetch(ctx, byKind[true]), byKind[false]...)
}

// RowKey is by what Rows returns an object's row.
func RowKey(resource cluster.Resource, namespace, name string) string {
	return resource.QualifiedName() + " " + namespace + "/" + name
}

// Rows returns what kubectl get prints of some objects, by RowKey: side by side, many of a kind and namespace in one
// request. Secrets and ConfigMaps have nothing there that matters. An object that can't be read has no row, or, in a
// recording, one that says so.
func (s *Session) Rows(ctx context.Context, objects []*Object) map[string]cluster.Row {
	rows := map[string]cluster.Row{}
	if s.Tabler == nil {
		return rows
	}
	groups := map[kindIn][]*Object{}
	for _, object := range objects {
		if !object.Is("", "Secret") && !object.Is("", "ConfigMap") && object.Resource.Resource != "" {
			at := kindIn{object.Resource.String(), object.Ref.Namespace}
			groups[at] = append(groups[at], object)
		}
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
				printed, err := s.Tabler.Rows(ctx, group[0].Resource, group[0].Ref.Namespace, name)
				if s.Reader.Source().Changes() {
					s.Reader.Failed(group[0].Resource, group[0].Ref.Namespace, name, err)
				}
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
