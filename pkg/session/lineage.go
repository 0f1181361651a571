package session

import (
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// mostGenerations is how far a lineage goes up, and mostAncestors how many owners are read for one.
const (
	mostGenerations = 32
	mostAncestors   = 500
)

// Lineage is who depends on whom as far as objects of some kinds show that: they, their owners, the owners of these,
// and so on. It takes a few lists, where everything that depends on an object takes one of each kind.
type Lineage struct {
	index *ownerIndex
	// Unread are kinds that could not be listed: of their objects, and of what these depend on, nothing is known.
	Unread []cluster.Unlisted
	// Cut reports whether there are more owners than are read.
	Cut bool
}

// Below returns the objects that name one as an owner, as far as a lineage shows.
func (l *Lineage) Below(owner *Object) []*Object {
	below := slices.Clone(l.index.byOwner[owner.Ref.UID])
	slices.SortFunc(below, func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) })
	return below
}

// Lineage reads who depends on whom in a namespace, or with an empty one in all of the cluster, once. What a recording
// doesn't have was not looked at when it was made, and is not reported as unread.
func (o *Owners) Lineage(ctx context.Context, kinds []cluster.Resource, namespace string) *Lineage {
	found, _ := o.lineages.Get(namespace, func() (*Lineage, error) {
		line := &Lineage{index: newOwnerIndex()}
		var level []*Object
		selector := cluster.Selector{Keep: cluster.KeepOwned}
		for _, unlisted := range cluster.ScanFor(ctx, o.session.Reader.Fresh(), kinds, namespace, selector,
			func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
				level = append(level, FromMetadata(resource, meta))
			}) {
			if !cluster.NeverAsked(unlisted.Err) {
				o.session.Reader.Failed(unlisted.Resource, namespace, "", unlisted.Err)
				line.Unread = append(line.Unread, unlisted)
			}
		}
		o.climb(ctx, line, level)
		return line, nil
	})
	return found
}

// climb adds some objects to a lineage, and their owners, generation by generation.
func (o *Owners) climb(ctx context.Context, line *Lineage, level []*Object) {
	known, left := map[string]bool{}, mostAncestors
	for _, object := range level {
		known[object.Ref.UID] = true
	}
	for generation := 0; len(level) > 0; generation++ {
		var above []*Object
		for _, object := range level {
			line.index.add(object)
			for _, reference := range object.Meta.OwnerReferences {
				if uid := string(reference.UID); !known[uid] {
					known[uid] = true
					above = o.owner(ctx, object, reference, above)
				}
			}
		}
		if generation >= mostGenerations || len(above) > left || ctx.Err() != nil {
			line.Cut = line.Cut || len(above) > 0
			return
		}
		left -= len(above)
		level = metadataOf(ctx, o.session.Reader, line, above)
	}
}

// owner adds the owner that a reference names, by name only, if the cluster serves its kind.
func (o *Owners) owner(
	ctx context.Context, dependent *Object, reference metav1.OwnerReference, all []*Object,
) []*Object {
	kind := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind).GroupKind()
	resource, served := o.session.ServedKinds(ctx).OfKind(kind)
	if !served {
		return all
	}
	namespace := ""
	if resource.Namespaced {
		namespace = dependent.Ref.Namespace
	}
	named := Named(resource, namespace, reference.Name)
	named.Ref.UID = string(reference.UID)
	return append(all, named)
}

// metadataOf reads the metadata of objects that are known by name: a few of a kind and namespace one by one, more in a
// list. It returns the ones that are there under their uid, and have owners themselves.
func metadataOf(ctx context.Context, reader *cluster.CachedReader, line *Lineage, named []*Object) (found []*Object) {
	groups := map[kindIn][]*Object{}
	for _, object := range named {
		at := kindIn{object.Resource.String(), object.Ref.Namespace}
		groups[at] = append(groups[at], object)
	}
	var mu sync.Mutex
	var reads []func()
	read := func(object *Object, ask func() ([]*Object, error)) {
		reads = append(reads, func() {
			some, err := ask()
			mu.Lock()
			defer mu.Unlock()
			if found = append(found, some...); err != nil && !apierrors.IsNotFound(err) && !cluster.NeverAsked(err) {
				line.Unread = append(line.Unread, cluster.Unlisted{Resource: object.Resource, Err: err})
			}
		})
	}
	for _, group := range groups {
		if len(group) > fewWhole {
			read(group[0], func() ([]*Object, error) { return listOwners(ctx, reader, group) })
			continue
		}
		for _, object := range group {
			read(object, func() ([]*Object, error) { return readOwner(ctx, reader, object) })
		}
	}
	SideBySide(reads)
	return slices.DeleteFunc(found, func(object *Object) bool { return len(object.Meta.OwnerReferences) == 0 })
}

func readOwner(ctx context.Context, reader *cluster.CachedReader, named *Object) ([]*Object, error) {
	found := named
	if whole, known := reader.Known(named.Resource, named.Ref.Namespace, named.Ref.Name); known && whole != nil {
		read, err := FromWhole(named.Resource, whole)
		if err != nil {
			return nil, err
		}
		found = read
	} else {
		meta, err := reader.Metadata(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
		if err != nil {
			return nil, err
		}
		found = FromMetadata(named.Resource, meta)
	}
	if found.Ref.UID != named.Ref.UID {
		return nil, nil
	}
	return []*Object{found}, nil
}

func listOwners(ctx context.Context, reader *cluster.CachedReader, group []*Object) (found []*Object, err error) {
	wanted := map[string]bool{}
	for _, object := range group {
		wanted[object.Ref.UID] = true
	}
	selector := cluster.Selector{Keep: cluster.KeepOwned}
	err = reader.EachMetadata(ctx, group[0].Resource, group[0].Ref.Namespace, selector,
		func(meta *metav1.PartialObjectMetadata) {
			if wanted[string(meta.UID)] {
				found = append(found, FromMetadata(group[0].Resource, meta))
			}
		})
	return found, err
}

// Indexed reports whether something has read who refers to an object, whatever its kind: KnownReferrers then knows all.
func (o *Owners) Indexed(owner *Object) bool {
	known := func(part Part) bool {
		_, read := o.indexes.Lookup(part)
		return read
	}
	if owner.Ref.Namespace == "" {
		return known(Part{Scope: Namespaced}) && known(Part{Scope: ClusterScoped})
	}
	return known(Part{Scope: Namespaced}) || known(Part{Scope: Namespaced, Namespace: owner.Ref.Namespace})
}

// KnownLineage is the lineage that has been read of an object's namespace; nil for none.
func (o *Owners) KnownLineage(owner *Object) *Lineage {
	for _, namespace := range []string{"", owner.Ref.Namespace} {
		if line, known := o.lineages.Lookup(namespace); known {
			return line
		}
	}
	return nil
}
