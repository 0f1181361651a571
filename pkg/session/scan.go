package session

import (
	"cmp"
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Area is a part of the cluster that is scanned: one namespace, or with an empty one all of them and
// what has none. Labels narrow it further.
type Area struct {
	Namespace string
	Labels    string
}

// Scan is what one pass over everything found.
type Scan struct {
	Terminating []*Object // each once, sorted
	// Unlisted are the kinds that could not be listed: of these, nothing is known.
	Unlisted []cluster.Unlisted
	// Asked is how many kinds there are to list.
	Asked int
}

// Scan reads the metadata of everything in an area once and returns what is Terminating. A namespace
// itself is part of its area. With dependents, what has owners is kept as well, so that nobody who asks
// for dependents afterwards has to read it again.
func (s *Session) Scan(ctx context.Context, area Area, dependents bool) (*Scan, error) {
	catalog, err := s.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	builder := &scanBuilder{
		scan: &Scan{}, seen: map[string]bool{}, counts: map[kindIn]int{},
		indexes: map[scope]*ownerIndex{Namespaced: newOwnerIndex(), ClusterScoped: newOwnerIndex()},
	}
	selector := cluster.Selector{Labels: area.Labels, Keep: cluster.KeepTerminating}
	if dependents = dependents && area.Labels == ""; dependents {
		selector.Keep |= cluster.KeepOwned
	}
	resources := catalog.Deletable(area.Namespace != "")
	builder.scan.Asked = len(resources)
	add := func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		builder.add(FromMetadata(resource, meta))
	}
	unlisted := cluster.ScanFor(ctx, s.Reader, resources, area.Namespace, selector, add)
	for _, one := range unlisted {
		stored, err := s.listStored(ctx, one.Resource, area.Namespace, one.Err)
		if err != nil || area.Labels != "" {
			builder.scan.Unlisted = append(builder.scan.Unlisted, one)
			continue
		}
		for _, object := range stored {
			builder.add(object)
		}
	}
	if area.Namespace != "" {
		builder.addNamespace(ctx, s, area)
	}
	if dependents {
		s.keepIndexes(catalog, area, builder)
		s.keepCounts(builder)
	}
	slices.SortFunc(builder.scan.Terminating, func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) })
	return builder.scan, nil
}

// scanBuilder is a scan while it is made.
type scanBuilder struct {
	scan    *Scan
	seen    map[string]bool
	indexes map[scope]*ownerIndex
	counts  map[kindIn]int
}

// kindIn is the objects of one kind in a namespace.
type kindIn struct{ resource, namespace string }

func (g *scanBuilder) add(object *Object) {
	uid := cmp.Or(object.Ref.UID, object.Ref.String()) // a manifest may lack it
	if object.Terminating() && !g.seen[uid] {          // one kind can be served by two groups, and lists can start again
		g.seen[uid] = true
		g.scan.Terminating = append(g.scan.Terminating, object)
	}
	g.counts[kindIn{object.Resource.String(), object.Ref.Namespace}]++
	index := g.indexes[scopeOf(object.Resource)]
	for _, owner := range object.Meta.OwnerReferences {
		index.add(string(owner.UID), object)
	}
	if !object.Terminating() {
		object.Meta.ManagedFields = nil // most of what there is to read of an object, and told of stuck ones only
	}
}

// addNamespace reads the namespace of an area. One that isn't there has nothing in it.
func (g *scanBuilder) addNamespace(ctx context.Context, s *Session, area Area) {
	namespace, err := s.Read(ctx, cluster.Namespaces(), "", area.Namespace)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		g.scan.Unlisted = append(g.scan.Unlisted, cluster.Unlisted{Resource: cluster.Namespaces(), Err: err})
	case area.Labels == "": // a selector of labels selects what is in it
		g.add(namespace)
	}
}

// keepIndexes remembers the owner references that were seen.
func (s *Session) keepIndexes(catalog *cluster.Catalog, area Area, g *scanBuilder) {
	watched := map[string]bool{}
	for _, resource := range catalog.Owned() {
		watched[resource.String()] = true
	}
	for kind, index := range g.indexes {
		if kind == ClusterScoped && area.Namespace != "" {
			continue // these were not read
		}
		for _, one := range g.scan.Unlisted {
			if scopeOf(one.Resource) == kind && watched[one.String()] {
				index.unread = append(index.unread, one)
			}
		}
		s.indexes.Put(Part{Scope: kind, Namespace: area.Namespace}, index)
	}
}

// keepCounts remembers how many objects were seen where.
func (s *Session) keepCounts(g *scanBuilder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts = g.counts
}

// countOf is how many objects of a kind there are in a namespace, as far as a scan has seen them: those that are
// Terminating or owned, which most pods are.
func (s *Session) countOf(resource cluster.Resource, namespace string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[kindIn{resource.String(), namespace}]
}

func scopeOf(resource cluster.Resource) scope {
	if resource.Namespaced {
		return Namespaced
	}
	return ClusterScoped
}

// nearIndex narrows an index of all namespaces to one. What may not be listed everywhere may well be
// listed there, and is.
func (s *Session) nearIndex(ctx context.Context, all *ownerIndex, namespace string) *ownerIndex {
	near := newOwnerIndex()
	for owner, dependents := range all.byOwner {
		for _, dependent := range dependents {
			if dependent.Ref.Namespace == namespace {
				near.byOwner[owner] = append(near.byOwner[owner], dependent)
			}
		}
	}
	var forbidden []cluster.Resource
	for _, one := range all.unread {
		if apierrors.IsForbidden(one.Err) {
			forbidden = append(forbidden, one.Resource)
		} else {
			near.unread = append(near.unread, one)
		}
	}
	owned := cluster.Selector{Keep: cluster.KeepOwned}
	near.unread = append(near.unread, s.scanOwned(ctx, near, forbidden, namespace, owned)...)
	return near
}
