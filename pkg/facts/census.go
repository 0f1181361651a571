package facts

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Census is who is there: every object of an area by name, and those with owners or finalizers with
// their metadata.
type Census struct {
	Owned []*Object // sorted
	Held  []*Object // with finalizers, sorted
	// Unlisted are the kinds that could not be listed: nobody of these is counted.
	Unlisted []cluster.Unlisted
	Asked    int // kinds to list

	area      Area
	resources []cluster.Resource
	places    map[uid]place
	odd       map[string]place  // by uids that are none of the usual form
	names     map[string]string // of namespaces, each once
	unlisted  map[string]bool
}

// uid is a UUID. There is one for everything in the cluster, so it is small, as is place.
type uid [16]byte

// place is where an object stands.
type place struct {
	resource        uint16
	namespace, name string
}

// Census reads who is there. It leaves out annotations and labels, and managedFields but of one
// of many that are alike.
func (w *World) Census(ctx context.Context, area Area) (*Census, error) {
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	census := &Census{area: area, resources: catalog.Listable(area.Namespace != ""), places: map[uid]place{}, odd: map[string]place{}, names: map[string]string{}, unlisted: map[string]bool{}}
	census.Asked = len(census.resources)
	numbers := map[string]uint16{}
	for i, resource := range census.resources {
		numbers[resource.String()] = uint16(i)
	}
	selector := cluster.Selector{Keep: cluster.KeepSlim | cluster.KeepSample}
	census.Unlisted = cluster.ScanFor(ctx, w.Reader, census.resources, area.Namespace, selector, func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		census.add(numbers[resource.String()], FromMetadata(resource, meta))
	})
	census.Unlisted = slices.DeleteFunc(census.Unlisted, func(one cluster.Unlisted) bool {
		stored, err := w.listStored(ctx, one.Resource, area.Namespace, one.Err)
		for _, object := range stored {
			census.add(numbers[one.String()], object)
		}
		return err == nil
	})
	for _, one := range census.Unlisted {
		census.unlisted[one.QualifiedName()] = true
	}
	byName := func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Resource.QualifiedName(), b.Resource.QualifiedName()), graph.Compare(a.Ref, b.Ref))
	}
	slices.SortFunc(census.Owned, byName)
	slices.SortFunc(census.Held, byName)
	return census, nil
}

func (c *Census) add(resource uint16, object *Object) {
	if _, known := c.place(object.Ref.UID); known || object.Ref.UID == "" {
		return // one kind can be served by two groups, and lists can start again
	}
	namespace, known := c.names[object.Ref.Namespace]
	if !known {
		namespace = object.Ref.Namespace
		c.names[namespace] = namespace
	}
	at := place{resource: resource, namespace: namespace, name: object.Ref.Name}
	if short, usual := parseUID(object.Ref.UID); usual {
		c.places[short] = at
	} else {
		c.odd[object.Ref.UID] = at
	}
	if len(object.Meta.OwnerReferences) > 0 {
		c.Owned = append(c.Owned, object)
	}
	if len(object.Meta.Finalizers) > 0 {
		c.Held = append(c.Held, object)
	}
}

// Find returns the object with a uid, by name only.
func (c *Census) Find(uid string) (*Object, bool) {
	at, known := c.place(uid)
	if !known {
		return nil, false
	}
	object := Named(c.resources[at.resource], at.namespace, at.name)
	object.Ref.UID = uid
	return object, true
}

func (c *Census) place(uid string) (at place, known bool) {
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
// garbage collector may have acted since the census. An object that can't be read is taken for there.
func (w *World) StillOwned(ctx context.Context, object *Object, owner string) bool {
	meta, err := w.Reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if err != nil {
		return !apierrors.IsNotFound(err)
	}
	return string(meta.UID) == object.Ref.UID && slices.ContainsFunc(meta.OwnerReferences, func(one metav1.OwnerReference) bool { return string(one.UID) == owner })
}
