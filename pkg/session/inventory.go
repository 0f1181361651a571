package session

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Inventory is who is there: every object of an area by name, and those with owners or finalizers with
// their metadata.
type Inventory struct {
	Owned []*Object // sorted
	Held  []*Object // with finalizers, sorted
	// Unlisted are the kinds that could not be listed: nobody of these is counted.
	Unlisted []cluster.Unlisted
	Asked    int // kinds to list

	area      Area
	resources []cluster.Resource // sorted, as everything else here
	places    map[uid]place
	odd       map[string]place // by uids that are none of the usual form
	texts     []string         // that many objects have in common, each once
	numbers   map[string]uint32
	unlisted  map[string]bool
}

// uid is a UUID. There is one for everything in the cluster, so it is small, as is place.
type uid [16]byte

// place is where an object stands: its kind and namespace by number, and its name.
type place struct {
	resource  uint16
	namespace uint32
	name      string
}

// Inventory reads who is there. It leaves out annotations and labels, and managedFields but of one
// of many that are alike.
func (s *Session) Inventory(ctx context.Context, area Area) (*Inventory, error) {
	catalog, err := s.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	listed := catalog.Listable(area.Namespace != "")
	inventory := &Inventory{
		Asked: len(listed), area: area, resources: slices.Clone(listed), places: map[uid]place{}, odd: map[string]place{},
		numbers: map[string]uint32{}, unlisted: map[string]bool{},
	}
	slices.SortStableFunc(inventory.resources, func(a, b cluster.Resource) int {
		return cmp.Compare(a.QualifiedName(), b.QualifiedName())
	})
	builder := newInventoryBuilder(inventory)
	selector := cluster.Selector{Keep: cluster.KeepSlim | cluster.KeepSample}
	add := func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		builder.add(builder.kinds[resource.GroupVersionResource], resource, meta)
	}
	inventory.Unlisted = cluster.ScanFor(ctx, s.Reader, listed, area.Namespace, selector, add)
	inventory.Unlisted = slices.DeleteFunc(inventory.Unlisted, func(one cluster.Unlisted) bool {
		stored, err := s.listStored(ctx, one.Resource, area.Namespace, one.Err)
		for _, object := range stored {
			builder.add(builder.kinds[one.GroupVersionResource], object.Resource, object.Meta)
		}
		return err == nil
	})
	for _, one := range inventory.Unlisted {
		inventory.unlisted[one.QualifiedName()] = true
	}
	inventory.Owned, inventory.Held = inOrder(builder.owned), inOrder(builder.held)
	return inventory, nil
}

// inventoryBuilder is an inventory while it is taken.
type inventoryBuilder struct {
	*Inventory
	kinds       map[schema.GroupVersionResource]uint16
	owned, held [][]*Object // by kind
}

func newInventoryBuilder(inventory *Inventory) *inventoryBuilder {
	c := &inventoryBuilder{
		Inventory: inventory, kinds: map[schema.GroupVersionResource]uint16{},
		owned: make([][]*Object, len(inventory.resources)), held: make([][]*Object, len(inventory.resources)),
	}
	for i, resource := range inventory.resources {
		c.kinds[resource.GroupVersionResource] = uint16(i)
	}
	return c
}

func (c *inventoryBuilder) add(kind uint16, resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
	at := place{resource: kind, namespace: c.number(meta.Namespace), name: meta.Name}
	if meta.UID == "" || !c.settle(string(meta.UID), at) {
		return // one kind can be served by two groups, and lists can start again
	}
	if len(meta.OwnerReferences)+len(meta.Finalizers) == 0 {
		return // its place is all that is kept of it
	}
	meta.Namespace = c.once(meta.Namespace)
	for i, name := range meta.Finalizers {
		meta.Finalizers[i] = c.once(name)
	}
	object := FromMetadata(resource, meta)
	object.Ref.APIVersion = c.once(object.Ref.APIVersion)
	if len(meta.OwnerReferences) > 0 {
		c.owned[kind] = append(c.owned[kind], object)
	}
	if len(meta.Finalizers) > 0 {
		c.held[kind] = append(c.held[kind], object)
	}
}

// settle gives a uid its place, unless it has one.
func (c *inventoryBuilder) settle(uid string, at place) bool {
	short, usual := parseUID(uid)
	if usual {
		if _, known := c.places[short]; known {
			return false
		}
		c.places[short] = at
		return true
	}
	if _, known := c.odd[uid]; known {
		return false
	}
	c.odd[uid] = at
	return true
}

// number is that of a text which many objects have in common.
func (c *inventoryBuilder) number(text string) uint32 {
	number, known := c.numbers[text]
	if !known {
		number = uint32(len(c.texts))
		c.numbers[text], c.texts = number, append(c.texts, text)
	}
	return number
}

// once returns a text where it was kept first.
func (c *inventoryBuilder) once(text string) string { return c.texts[c.number(text)] }

// inOrder sorts objects of each kind by name.
func inOrder(byKind [][]*Object) []*Object {
	for _, objects := range byKind {
		slices.SortFunc(objects, func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) })
	}
	return slices.Concat(byKind...)
}

// Find returns the object with a uid, by name only.
func (c *Inventory) Find(uid string) (*Object, bool) {
	at, known := c.place(uid)
	if !known {
		return nil, false
	}
	object := Named(c.resources[at.resource], c.texts[at.namespace], at.name)
	object.Ref.UID = uid
	return object, true
}

func (c *Inventory) place(uid string) (at place, known bool) {
	if short, usual := parseUID(uid); usual {
		at, known = c.places[short]
	} else {
		at, known = c.odd[uid]
	}
	return at, known
}

// parseUID packs a uid as API servers make them: a UUID in small letters. Others stay as they are, for two
// ways to write one UUID are two uids.
func parseUID(text string) (packed uid, usual bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return uid{}, false
	}
	digits := make([]byte, 0, 32)
	for i := range len(text) {
		switch {
		case text[i] >= 'A' && text[i] <= 'F':
			return uid{}, false
		case text[i] != '-':
			digits = append(digits, text[i])
		}
	}
	read, err := hex.Decode(packed[:], digits[:min(len(digits), 32)])
	return packed, err == nil && read == len(packed) && len(digits) == 32
}

// StillOwned tells whether an object is still there with a reference, and not on its way out: the
// garbage collector may have acted since the inventory. An object that can't be read is taken for there.
func (s *Session) StillOwned(ctx context.Context, object *Object, owner string) bool {
	meta, err := s.Reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if err != nil {
		return !apierrors.IsNotFound(err)
	}
	owns := func(one metav1.OwnerReference) bool { return string(one.UID) == owner }
	return string(meta.UID) == object.Ref.UID && slices.ContainsFunc(meta.OwnerReferences, owns)
}
