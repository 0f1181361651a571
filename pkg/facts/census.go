package facts

import (
	"cmp"
	"context"
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
	places    map[string]place // by uid
	unlisted  map[string]bool
}

// place is where an object stands. There is one for everything in the cluster, so it is small.
type place struct {
	resource        uint16
	namespace, name string
}

// Census reads who is there. It leaves out managedFields and annotations.
func (w *World) Census(ctx context.Context, area Area) (*Census, error) {
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	census := &Census{area: area, resources: catalog.Listable(area.Namespace != ""), places: map[string]place{}, unlisted: map[string]bool{}}
	census.Asked = len(census.resources)
	numbers := map[string]uint16{}
	for i, resource := range census.resources {
		numbers[resource.String()] = uint16(i)
	}
	selector := cluster.Selector{Keep: cluster.KeepSlim}
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
	if _, known := c.places[object.Ref.UID]; known || object.Ref.UID == "" {
		return // one kind can be served by two groups, and lists can start again
	}
	c.places[object.Ref.UID] = place{resource: resource, namespace: object.Ref.Namespace, name: object.Ref.Name}
	if len(object.Meta.OwnerReferences) > 0 {
		c.Owned = append(c.Owned, object)
	}
	if len(object.Meta.Finalizers) > 0 {
		c.Held = append(c.Held, object)
	}
}

// Find returns the object with a uid, by name only.
func (c *Census) Find(uid string) (*Object, bool) {
	at, known := c.places[uid]
	if !known {
		return nil, false
	}
	object := Named(c.resources[at.resource], at.namespace, at.name)
	object.Ref.UID = uid
	return object, true
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
