package session

import (
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// Survey is everything Terminating in the cluster, and whose all is that has owners: one pass over everything.
type Survey struct {
	Unlisted []cluster.Unlisted // the kinds that could not be listed: of these, nothing is known

	indexes []*ownerIndex
	once    sync.Once            // of what follows, which is made when it is first asked for
	byName  map[string][]*Object // Terminating
	byUID   map[string]*Object   // Terminating, or with owners
	seen    map[string]bool      // of those, Terminating
	bearers map[string][]Bearer  // by what their labels and annotations say
}

// Bearer is a Terminating object, and the label or annotation by which it bears something.
type Bearer struct {
	Object *Object
	Key    string
}

// longestBorne is the longest value of a label or annotation that may be a uid. Labels have no longer ones.
const longestBorne = 63

// Survey reads what is Terminating, and what has owners, once in a run: what a scan or a look for dependents has read
// isn't read again. What may not be listed in all namespaces is listed in one, if it is given.
func (s *Session) Survey(ctx context.Context, namespace string) (*Survey, error) {
	return s.surveys.Get(namespace, func() (*Survey, error) {
		all, err := s.Owners.Index(ctx, Part{Scope: Namespaced})
		if err != nil {
			return nil, err
		}
		outside, err := s.Owners.Index(ctx, Part{Scope: ClusterScoped})
		if err != nil {
			return nil, err
		}
		survey := &Survey{Unlisted: slices.Concat(all.unread, outside.unread), indexes: []*ownerIndex{all, outside}}
		forbidden := func(unlisted cluster.Unlisted) bool { return apierrors.IsForbidden(unlisted.Err) }
		if namespace == "" || !slices.ContainsFunc(all.unread, forbidden) {
			return survey, nil
		}
		near, err := s.Owners.Index(ctx, Part{Scope: Namespaced, Namespace: namespace})
		if err != nil {
			return nil, err
		}
		survey.Unlisted, survey.indexes = slices.Concat(near.unread, outside.unread), append(survey.indexes, near)
		return survey, nil
	})
}

// prepare sorts what was found by what is asked for.
func (v *Survey) prepare() {
	v.once.Do(func() {
		v.byName, v.byUID, v.bearers = map[string][]*Object{}, map[string]*Object{}, map[string][]Bearer{}
		v.seen = map[string]bool{}
		for _, index := range v.indexes {
			for _, dependents := range index.byOwner {
				for _, dependent := range dependents {
					v.byUID[dependent.Ref.UID] = dependent
				}
			}
		}
		for _, index := range v.indexes {
			for uid, object := range index.terminating {
				if v.seen[uid] {
					continue // it is part of two of them
				}
				v.seen[uid], v.byUID[uid] = true, object
				v.byName[object.Ref.Name] = append(v.byName[object.Ref.Name], object)
				for key, value := range object.bears() {
					v.bearers[value] = append(v.bearers[value], Bearer{Object: object, Key: key})
				}
			}
		}
	})
}

// bears goes through the values of an object's labels and annotations that may be a uid.
func (o *Object) bears() func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for i, all := range []map[string]string{o.Meta.Labels, o.Meta.Annotations} {
			for key, value := range all {
				bears := value != "" && len(value) <= longestBorne && (i == 0 || statuses.BearsUID(key))
				if bears && !yield(key, value) {
					return
				}
			}
		}
	}
}

// Named returns what is Terminating and has a name.
func (v *Survey) Named(name string) []*Object {
	v.prepare()
	return v.byName[name]
}

// Known returns what has a uid, if it is Terminating or has owners.
func (v *Survey) Known(uid string) (*Object, bool) {
	v.prepare()
	object, known := v.byUID[uid]
	return object, known
}

// Bearers returns what is Terminating and has a uid for a label or an annotation.
func (v *Survey) Bearers(uid string) []Bearer {
	v.prepare()
	return v.bearers[uid]
}

// Owned returns what refers to a uid as its owner's, wherever it is, Terminating or not.
func (v *Survey) Owned(uid string) (owned []*Object) {
	for _, index := range v.indexes {
		owned = append(owned, index.byOwner[uid]...)
	}
	return owned
}

// Above returns the uids of what an object belongs to: its owners, theirs, and what its labels and annotations bear.
func (v *Survey) Above(object *Object) map[string]bool {
	v.prepare()
	above := map[string]bool{}
	for _, value := range object.bears() {
		if _, known := v.byUID[value]; known {
			above[value] = true
		}
	}
	for queue := []*Object{object}; len(queue) > 0; queue = queue[1:] {
		for _, owner := range queue[0].Meta.OwnerReferences {
			uid := string(owner.UID)
			if next, known := v.byUID[uid]; known && !above[uid] {
				queue = append(queue, next)
			}
			above[uid] = true
		}
	}
	return above
}
