package uninstall

import (
	"cmp"
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// survey is everything in the cluster, with labels and annotations.
type survey struct {
	objects  []*session.Object // sorted, but for what was added after the lists
	byUID    map[string]*session.Object
	ofKind   map[string][]*session.Object // by resource
	unlisted map[string]bool              // resources that could not be listed
}

// newSurvey lists everything, once. It is an error if it is not known what there is to list.
func newSurvey(ctx context.Context, reader cluster.Reader) (*survey, error) {
	served, err := reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	served.AskAll()
	s := &survey{
		byUID: map[string]*session.Object{}, ofKind: map[string][]*session.Object{}, unlisted: map[string]bool{},
	}
	everything := cluster.Selector{Keep: cluster.KeepSlim | cluster.KeepSample}
	unlisted := cluster.ScanFor(ctx, reader, served.Listable(false), "", everything,
		func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
			s.add(session.FromMetadata(resource, meta))
		})
	for _, one := range unlisted {
		s.unlisted[one.QualifiedName()] = true
	}
	byName := func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) }
	slices.SortFunc(s.objects, byName)
	for _, objects := range s.ofKind {
		slices.SortFunc(objects, byName)
	}
	return s, ctx.Err()
}

func (s *survey) add(object *session.Object) {
	key := keyOf(object)
	if _, known := s.byUID[key]; known || object.Is("", "Event") || object.Is("events.k8s.io", "Event") {
		return // one kind can be served by two groups, and lists can start again
	}
	s.byUID[key] = object
	s.objects = append(s.objects, object)
	kind := object.Resource.QualifiedName()
	s.ofKind[kind] = append(s.ofKind[kind], object)
}

func keyOf(object *session.Object) string { return cmp.Or(object.Ref.UID, object.Ref.String()) }

// find returns an object by its kind and name.
func (s *survey) find(target session.Target) *session.Object {
	for _, object := range s.ofKind[target.Resource.QualifiedName()] {
		if object.Ref.Name == target.Name && object.Ref.Namespace == target.Namespace {
			return object
		}
	}
	return nil
}

// each returns the objects to which something applies.
func (s *survey) each(applies func(*session.Object) bool) (found []*session.Object) {
	for _, object := range s.objects {
		if applies(object) {
			found = append(found, object)
		}
	}
	return found
}

// owners are the owners of an object that exist.
func (s *survey) owners(object *session.Object) (owners []*session.Object) {
	for _, reference := range object.Meta.OwnerReferences {
		if owner := s.byUID[string(reference.UID)]; owner != nil {
			owners = append(owners, owner)
		}
	}
	return owners
}

// topOwner is the object that controls another one, all the way up; the object itself where there is none.
func (s *survey) topOwner(object *session.Object) *session.Object {
	for range deepest {
		reference := metav1.GetControllerOf(object.Meta)
		if reference == nil {
			break
		}
		owner := s.byUID[string(reference.UID)]
		if owner == nil {
			break
		}
		object = owner
	}
	return object
}

// deepest is how many owners deep an object is looked for above another.
const deepest = 8
