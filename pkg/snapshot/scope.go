package snapshot

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// listsAtOnce is how many lists are fetched side by side.
const listsAtOnce = 8

// Scope is a part of a cluster: one namespace and what has none, or everything.
type Scope struct {
	// Namespace is empty for all of them.
	Namespace string
	// Done is called after each resource, with how many there are.
	Done func(done, of int)
}

// First lists what has to be recorded first (kinds.go:early).
func (r *Recorder) First(ctx context.Context, scope Scope) error {
	catalog, err := r.Catalog(ctx)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for _, name := range early() {
		if resource, served := catalog.Find(name); served && slices.Contains(resource.Verbs, "list") {
			all.Go(func() { r.list(ctx, resource, scope) })
		}
	}
	all.Wait()
	return ctx.Err()
}

// Rest lists everything in a scope that was not listed before: metadata, and whole objects of the
// kinds that mechanisms read whole. What can't be listed is written down as that.
func (r *Recorder) Rest(ctx context.Context, scope Scope) error {
	catalog, err := r.Catalog(ctx)
	if err != nil {
		return err
	}
	lists := catalog.Listable(false)
	var all sync.WaitGroup
	places := make(chan struct{}, listsAtOnce)
	var done atomic.Int32
	for _, resource := range lists {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			r.list(ctx, resource, scope)
			if now := int(done.Add(1)); scope.Done != nil {
				scope.Done(now, len(lists))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// list reads one resource within the scope. In a scope of one namespace that is also the Leases of
// the control plane and of the nodes: by them every diagnosis tells who is alive.
func (r *Recorder) list(ctx context.Context, resource cluster.Resource, scope Scope) {
	namespaces := []string{""}
	if resource.Namespaced && scope.Namespace != "" {
		namespaces = []string{scope.Namespace}
		if resource.GroupResource() == cluster.Leases().GroupResource() {
			namespaces = append(namespaces, metav1.NamespaceSystem, "kube-node-lease")
		}
	}
	for _, namespace := range namespaces {
		r.mu.Lock()
		known := r.lists[listed{placeOf(resource), namespace}] || r.lists[listed{placeOf(resource), ""}]
		r.mu.Unlock()
		if known || ctx.Err() != nil {
			continue
		}
		// The error is part of the recording, which is all that is to be done about it.
		_ = r.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
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

// wholes lists whole objects of several kinds side by side, unless that was done. A failure is recorded.
func (r *Recorder) wholes(ctx context.Context, resources []cluster.Resource, scope Scope) {
	var all sync.WaitGroup
	places := make(chan struct{}, listsAtOnce)
	for _, resource := range resources {
		namespace := scope.Namespace
		if !resource.Namespaced {
			namespace = ""
		}
		r.mu.Lock()
		known := r.wholeLists[listed{placeOf(resource), namespace}] || r.wholeLists[listed{placeOf(resource), ""}]
		r.wholeLists[listed{placeOf(resource), namespace}] = true
		r.mu.Unlock()
		if known {
			continue
		}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			_ = r.each(ctx, resource, namespace, cluster.KeepTerminating, func(*metav1.PartialObjectMetadata) {})
		})
	}
	all.Wait()
}

// custom tells whether a kind is none of Kubernetes' own.
func custom(resource cluster.Resource) bool { return !cluster.ServedByKubernetes(resource.Group) }
