package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"unique"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Inventory is who is there: every object of an area by name, and those with owners or finalizers with their metadata.
type Inventory struct {
	Owned    []*Object          // sorted
	Held     []*Object          // with finalizers, sorted
	Unlisted []cluster.Unlisted // the kinds that could not be listed: no one of these is counted
	Asked    int                // kinds to list

	resources []cluster.Resource // sorted, as everything else here
	places    map[uid]place
}

// uid is the hash of a uid. There is one for everything in the cluster, so it is small, as is place.
type uid [16]byte

func hashed(text string) uid {
	sum := sha256.Sum256([]byte(text))
	return uid(sum[:len(uid{})])
}

// place is where an object is: its kind by number, its namespace and name.
type place struct {
	resource  uint16
	namespace unique.Handle[string] // which many objects have in common
	name      string
}

// Inventory reads who is there, without annotations and labels, and with managedFields of one of many alike. What
// Census has read isn't read again.
func (s *Session) Inventory(ctx context.Context, area Area) (*Inventory, error) {
	if known, found := s.counted(area); found {
		return known.inventory, nil
	}
	servedKinds, err := s.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	servedKinds.AskAll()
	listed := servedKinds.Listable(area.Namespace != "")
	counting := newCounting(listed)
	selector := cluster.Selector{Keep: cluster.KeepSlim | cluster.KeepSample}
	return counting.result(s.scanAll(ctx, listed, area.Namespace, selector, counting.add)), nil
}

// counting gathers who is there.
type counting struct {
	inventory   *Inventory
	kinds       map[schema.GroupResource]int
	owned, held [][]*Object // by kind
}

func newCounting(listed []cluster.Resource) *counting {
	c := &counting{
		inventory: &Inventory{Asked: len(listed), resources: slices.Clone(listed), places: map[uid]place{}},
		kinds:     map[schema.GroupResource]int{},
		owned:     make([][]*Object, len(listed)), held: make([][]*Object, len(listed)),
	}
	slices.SortStableFunc(c.inventory.resources, func(a, b cluster.Resource) int {
		return cmp.Compare(a.QualifiedName(), b.QualifiedName())
	})
	for i, resource := range c.inventory.resources {
		c.kinds[resource.GroupResource()] = i
	}
	return c
}

func (c *counting) add(object *Object) {
	key, kind := hashed(object.Ref.UID), c.kinds[object.Resource.GroupResource()]
	if _, known := c.inventory.places[key]; known || object.Ref.UID == "" {
		return // one kind can be served by two groups, and lists can start again
	}
	c.inventory.places[key] = place{uint16(kind), unique.Make(object.Ref.Namespace), object.Ref.Name}
	object.shareTexts()
	if len(object.Meta.OwnerReferences) > 0 { // of others, the place is all that is kept
		c.owned[kind] = append(c.owned[kind], object)
	}
	if len(object.Meta.Finalizers) > 0 {
		c.held[kind] = append(c.held[kind], object)
	}
}

func (c *counting) result(unlisted []cluster.Unlisted) *Inventory {
	c.inventory.Unlisted = unlisted
	c.inventory.Owned, c.inventory.Held = inOrder(c.owned), inOrder(c.held)
	return c.inventory
}

// Listing is every object of an area with its metadata, without annotations and labels, and with managedFields of one
// of many alike.
type Listing struct {
	Objects  []*Object          // sorted by kind and name, each once
	Unlisted []cluster.Unlisted // the kinds that could not be listed
	Asked    int                // kinds to list
}

// Listing lists everything in an area. It is an error if it is not known what there is to list.
func (s *Session) Listing(ctx context.Context, area Area) (*Listing, error) {
	servedKinds, err := s.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	servedKinds.AskAll()
	listed := servedKinds.Listable(area.Namespace != "")
	kinds, seen := map[schema.GroupResource]int{}, map[string]bool{}
	for i, resource := range listed {
		kinds[resource.GroupResource()] = i
	}
	objects := make([][]*Object, len(listed))
	selector := cluster.Selector{Keep: cluster.KeepSlim | cluster.KeepSample}
	unlisted := s.scanAll(ctx, listed, area.Namespace, selector, func(object *Object) {
		if uid := cmp.Or(object.Ref.UID, object.Ref.String()); !seen[uid] {
			seen[uid] = true
			object.shareTexts()
			kind := kinds[object.Resource.GroupResource()]
			objects[kind] = append(objects[kind], object)
		}
	})
	return &Listing{Objects: inOrder(objects), Unlisted: unlisted, Asked: len(listed)}, nil
}

// shareTexts lets an object use the same memory as others for texts that many have in common.
func (o *Object) shareTexts() {
	share := func(text string) string { return unique.Make(text).Value() }
	o.Ref.APIVersion, o.Ref.Namespace = share(o.Ref.APIVersion), share(o.Ref.Namespace)
	o.Meta.Namespace = o.Ref.Namespace
	for i, name := range o.Meta.Finalizers {
		o.Meta.Finalizers[i] = share(name)
	}
}

func inOrder(byKind [][]*Object) []*Object {
	for _, objects := range byKind {
		slices.SortFunc(objects, func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) })
	}
	return slices.Concat(byKind...)
}

// Find returns the object with a uid, by name only.
func (i *Inventory) Find(uid string) (*Object, bool) {
	at, known := i.places[hashed(uid)]
	if !known {
		return nil, false
	}
	object := Named(i.resources[at.resource], at.namespace.Value(), at.name)
	object.Ref.UID = uid
	return object, true
}

// Crowd is how many objects of a kind there are in each namespace, and the name of the first of them there.
type Crowd struct {
	Resource cluster.Resource
	In       []Local
}

// Local is a crowd in one namespace.
type Local struct {
	Namespace, First string
	Count            int
}

// Crowds counts everything that is there, by kind and namespace, sorted.
func (i *Inventory) Crowds() (crowds []Crowd) {
	type where struct {
		resource  uint16
		namespace unique.Handle[string]
	}
	type sum struct {
		count int
		first string
	}
	sums := map[where]*sum{}
	for _, at := range i.places {
		key := where{at.resource, at.namespace}
		if one := sums[key]; one == nil {
			sums[key] = &sum{1, at.name}
		} else {
			one.count, one.first = one.count+1, min(one.first, at.name)
		}
	}
	order := slices.SortedFunc(maps.Keys(sums), func(a, b where) int { // as the resources are sorted by their names
		return cmp.Or(cmp.Compare(a.resource, b.resource), cmp.Compare(a.namespace.Value(), b.namespace.Value()))
	})
	for n, at := range order {
		if n == 0 || order[n-1].resource != at.resource {
			crowds = append(crowds, Crowd{Resource: i.resources[at.resource]})
		}
		last := &crowds[len(crowds)-1]
		last.In = append(last.In, Local{at.namespace.Value(), sums[at].first, sums[at].count})
	}
	return crowds
}

// StillOwned reports whether an object is still there with a reference, and is not being deleted: the
// garbage collector may have acted since the inventory. An object that can't be read is taken for there.
func StillOwned(ctx context.Context, reader *cluster.CachedReader, object *Object, owner string) bool {
	meta, err := reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if err != nil {
		return !apierrors.IsNotFound(err)
	}
	owns := func(reference metav1.OwnerReference) bool { return string(reference.UID) == owner }
	return string(meta.UID) == object.Ref.UID && slices.ContainsFunc(meta.OwnerReferences, owns)
}
