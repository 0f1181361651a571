package snapshot

import (
	"context"
	"maps"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// listsAtOnce is how many lists are fetched side by side.
const listsAtOnce = 8

// Scope is a part of a cluster: one namespace and what has none, or everything.
type Scope struct {
	// Namespace is empty for all of them.
	Namespace string
}

// of returns the namespace that a resource is listed in.
func (s Scope) of(resource cluster.Resource) string {
	if resource.Namespaced {
		return s.Namespace
	}
	return ""
}

// First lists what has to be recorded first (kinds.go:early).
func (r *Recorder) First(ctx context.Context, scope Scope) error {
	catalog, err := r.Catalog(ctx)
	if err != nil {
		return err
	}
	var lists []cluster.Resource
	for _, name := range early() {
		if resource, served := catalog.Find(name); served && slices.Contains(resource.Verbs, "list") {
			lists = append(lists, resource)
		}
	}
	return sideBySide(ctx, lists, func(resource cluster.Resource) { r.list(ctx, resource, scope) })
}

// Rest lists everything in a scope that was not listed before: metadata, and whole objects of the
// kinds that mechanisms read whole. What can't be listed is written down as that.
func (r *Recorder) Rest(ctx context.Context, scope Scope) error {
	catalog, err := r.Catalog(ctx)
	if err != nil {
		return err
	}
	return sideBySide(ctx, catalog.Listable(false), func(resource cluster.Resource) { r.list(ctx, resource, scope) })
}

// sideBySide does something with each resource, with a few of them at a time.
func sideBySide(ctx context.Context, resources []cluster.Resource, do func(cluster.Resource)) error {
	var all sync.WaitGroup
	places := make(chan struct{}, listsAtOnce)
	for _, resource := range resources {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			do(resource)
		})
	}
	all.Wait()
	return ctx.Err()
}

// list reads one resource within the scope, unless it was read. In a scope of one namespace that is also the Leases of
// the control plane and of the nodes: by them every diagnosis tells who is alive.
func (r *Recorder) list(ctx context.Context, resource cluster.Resource, scope Scope) {
	namespaces := []string{scope.of(resource)}
	if namespaces[0] != "" && resource.GroupResource() == cluster.Leases().GroupResource() {
		namespaces = append(namespaces, metav1.NamespaceSystem, "kube-node-lease")
	}
	for _, namespace := range namespaces {
		if !r.begin(resource, namespace, metadata) && ctx.Err() == nil {
			// The error is part of the recording, which is all that is to be done about it.
			_ = r.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
		}
	}
}

// Whole lists whole objects of custom kinds of which something is being deleted: what holds it may be told by
// its status, and by what stands beside it.
func (r *Recorder) Whole(ctx context.Context, held []cluster.Resource, scope Scope) {
	r.wholes(ctx, slices.DeleteFunc(held, func(resource cluster.Resource) bool { return !custom(resource) }), scope)
}

// ReadWhole lists whole objects of the kinds of which some were asked for with their spec and status,
// where the lists of a scope hold the metadata alone: others of them may be asked for later.
func (r *Recorder) ReadWhole(ctx context.Context, scope Scope) {
	r.mu.Lock()
	asked := slices.Collect(maps.Values(r.asked))
	r.mu.Unlock()
	r.wholes(ctx, slices.DeleteFunc(asked, func(resource cluster.Resource) bool {
		return Whole(resource.GroupResource()) || neverWhole(resource.GroupResource())
	}), scope)
}

// wholes lists whole objects of several kinds, unless that was done. A failure is recorded.
func (r *Recorder) wholes(ctx context.Context, resources []cluster.Resource, scope Scope) {
	_ = sideBySide(ctx, resources, func(resource cluster.Resource) {
		if namespace := scope.of(resource); !r.begin(resource, namespace, whole) {
			_ = r.each(ctx, resource, namespace, cluster.KeepTerminating, func(*metav1.PartialObjectMetadata) {})
		}
	})
}

// custom tells whether a kind is none of Kubernetes' own.
func custom(resource cluster.Resource) bool { return !cluster.ServedByKubernetes(resource.Group) }
