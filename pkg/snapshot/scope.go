package snapshot

import (
	"context"
	"maps"
	"slices"
	"strings"
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

// Held is a kind of objects in a namespace, one of which is being deleted.
type Held struct {
	Resource  cluster.Resource
	Namespace string
}

// mostPlaces is in how many namespaces a kind is listed one by one.
const mostPlaces = 20

// Whole lists whole objects of custom kinds where something of them is being deleted: what holds it may
// be told by its status, and by what stands beside it.
func (r *Recorder) Whole(ctx context.Context, held []Held, scope Scope) {
	places := map[place]map[string]bool{}
	var resources []cluster.Resource
	for _, one := range held {
		at := placeOf(one.Resource)
		if !custom(one.Resource) {
			continue
		}
		if places[at] == nil {
			places[at] = map[string]bool{}
			resources = append(resources, one.Resource)
		}
		places[at][one.Namespace] = true
	}
	for _, resource := range resources {
		namespaces := places[placeOf(resource)]
		if len(namespaces) > mostPlaces {
			namespaces = map[string]bool{scope.Namespace: true}
		}
		for namespace := range namespaces {
			if ctx.Err() == nil {
				_ = r.each(ctx, resource, namespace, cluster.KeepTerminating, func(*metav1.PartialObjectMetadata) {}) // a failure is recorded
			}
		}
	}
}

// ReadWhole lists whole objects of the kinds of which some were asked for with their spec and status,
// where the lists of a scope hold the metadata alone: others of them may be asked for later.
func (r *Recorder) ReadWhole(ctx context.Context, scope Scope) {
	r.mu.Lock()
	asked := slices.Collect(maps.Values(r.wholes))
	r.mu.Unlock()
	for _, resource := range asked {
		if Whole(resource.GroupResource()) || neverWhole(resource.GroupResource()) || ctx.Err() != nil {
			continue
		}
		namespace := scope.Namespace
		if !resource.Namespaced {
			namespace = ""
		}
		r.mu.Lock()
		known := r.wholeLists[listed{placeOf(resource), namespace}] || r.wholeLists[listed{placeOf(resource), ""}]
		r.mu.Unlock()
		if !known {
			_ = r.each(ctx, resource, namespace, cluster.KeepTerminating, func(*metav1.PartialObjectMetadata) {}) // a failure is recorded
		}
	}
}

// custom tells whether a kind is none of Kubernetes' own.
func custom(resource cluster.Resource) bool { return customGroup(resource.Group) }

func customGroup(group string) bool {
	return strings.Contains(group, ".") && (!strings.HasSuffix(group, ".k8s.io") || strings.HasSuffix(group, ".x-k8s.io"))
}
