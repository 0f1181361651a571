package follow

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// How many watches there are. A watch costs the API server next to nothing while nothing changes.
const (
	fewNames    = 3  // of one kind in one namespace that are watched one by one; more of them are watched as a kind
	mostWatches = 32 // what there are more is found out by looking
)

// place is a kind in a namespace.
type place struct {
	kind      schema.GroupKind
	namespace string
}

// scopesOf returns what has to be watched to learn of changes to some objects: the first of them first. It returns
// false where that would be more than may be watched, or where something isn't served.
func scopesOf(servedKinds *cluster.ServedKinds, objects []finding.Ref) (scopes []cluster.Scope, all bool) {
	names := map[place][]string{}
	var order []place
	for _, object := range objects {
		at := place{schema.GroupKind{Group: object.Group(), Kind: object.Kind}, object.Namespace}
		if names[at] == nil {
			order = append(order, at)
		}
		if object.Name != "" && !slices.Contains(names[at], object.Name) {
			names[at] = append(names[at], object.Name)
		}
	}
	everywhere := kindsEverywhere(order)
	all = true
	for _, at := range order {
		resource, served := servedKinds.OfKind(at.kind)
		if !served {
			all = false
			continue
		}
		scope := cluster.Scope{Resource: resource, Namespace: at.namespace}
		switch {
		case everywhere[at.kind]:
			scope.Namespace = ""
		case len(names[at]) > 0 && len(names[at]) <= fewNames:
			for _, name := range names[at] {
				scope.Name = name
				scopes = append(scopes, scope)
			}
			continue
		}
		if !slices.ContainsFunc(scopes,
			func(other cluster.Scope) bool { return keyOfScope(other) == keyOfScope(scope) }) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) > mostWatches {
		return scopes[:mostWatches], false
	}
	return scopes, all
}

// kindsEverywhere returns the kinds that are watched in all namespaces at once, if there would be too many watches
// otherwise: kinds with objects in more than a few namespaces.
func kindsEverywhere(places []place) map[schema.GroupKind]bool {
	everywhere := map[schema.GroupKind]bool{}
	if len(places) <= mostWatches/fewNames {
		return everywhere
	}
	counts := map[schema.GroupKind]int{}
	for _, at := range places {
		counts[at.kind]++
		everywhere[at.kind] = everywhere[at.kind] || counts[at.kind] > fewNames
	}
	return everywhere
}

// scopeKey tells scopes apart, whichever else is known of their resources.
type scopeKey struct {
	resource        schema.GroupVersionResource
	namespace, name string
}

func keyOfScope(scope cluster.Scope) scopeKey {
	return scopeKey{scope.Resource.GroupVersionResource, scope.Namespace, scope.Name}
}

// watches are the ones that run.
type watches struct {
	watcher   cluster.Watcher
	sightings chan cluster.Sighting
	refusals  chan scopeKey
	running   map[scopeKey]context.CancelFunc
	refused   map[scopeKey]bool
}

func newWatches(watcher cluster.Watcher) *watches {
	return &watches{
		watcher: watcher, sightings: make(chan cluster.Sighting), refusals: make(chan scopeKey),
		running: map[scopeKey]context.CancelFunc{}, refused: map[scopeKey]bool{},
	}
}

// follow has what is to be watched watched, and nothing else. It returns false where some of it can't be.
func (w *watches) follow(ctx context.Context, scopes []cluster.Scope) (all bool) {
	wanted := map[scopeKey]bool{}
	all = true
	for _, scope := range scopes {
		key := keyOfScope(scope)
		wanted[key] = true
		switch {
		case w.refused[key]:
			all = false
		case w.running[key] == nil:
			w.start(ctx, key, scope)
		}
	}
	for key, stop := range w.running {
		if !wanted[key] {
			stop()
			delete(w.running, key)
		}
	}
	return all
}

func (w *watches) start(ctx context.Context, key scopeKey, scope cluster.Scope) {
	ctx, w.running[key] = context.WithCancel(ctx)
	go func() {
		err := w.watcher.Watch(ctx, scope, func(sighting cluster.Sighting) {
			select {
			case w.sightings <- sighting:
			case <-ctx.Done():
			}
		})
		if err == nil {
			return
		}
		select {
		case w.refusals <- key:
		case <-ctx.Done():
		}
	}()
}

// refuse notes that something can't be watched.
func (w *watches) refuse(key scopeKey) {
	if stop := w.running[key]; stop != nil {
		stop()
		delete(w.running, key)
	}
	w.refused[key] = true
}

// objectsOf returns what an answer speaks of, its targets first, and then by how many of a kind there are.
func objectsOf(answer *Answer) (objects []finding.Ref) {
	for _, item := range answer.Items {
		if item.Target.Kind != "" {
			objects = append(objects, item.Target)
		}
	}
	first := len(objects)
	for _, node := range answer.nodes {
		objects = append(objects, node.Ref)
	}
	terminating := map[finding.Ref]bool{}
	for _, node := range answer.nodes {
		terminating[node.Ref] = node.Terminating
	}
	slices.SortStableFunc(objects[first:], func(a, b finding.Ref) int { // what is being deleted before its blockers
		return cmp.Compare(rank(terminating[a]), rank(terminating[b]))
	})
	return objects
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}
