package uninstall

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// owned says which of some objects, that are all deleted, are deleted with others of them.
type owned struct {
	all      map[string]bool // by uid
	ownersOf func(*session.Object) []*session.Object
}

func uids(objects []*session.Object) map[string]bool {
	known := map[string]bool{}
	for _, object := range objects {
		known[object.Ref.UID] = true
	}
	return known
}

// above are the owners of an object, theirs and so on, the nearest first.
func (o *owned) above(object *session.Object) (owners []*session.Object) {
	seen, level := map[string]bool{object.Ref.UID: true}, []*session.Object{object}
	for range deepest {
		var next []*session.Object
		for _, below := range level {
			for _, owner := range o.ownersOf(below) {
				if !seen[owner.Ref.UID] {
					seen[owner.Ref.UID] = true
					next = append(next, owner)
				}
			}
		}
		owners, level = append(owners, next...), next
	}
	return owners
}

// goesWith reports whether an object is deleted with others: its owners are all among them, or go with them.
func (o *owned) goesWith(object *session.Object, deeper int) bool {
	owners := o.ownersOf(object)
	return len(owners) > 0 && deeper > 0 && !slices.ContainsFunc(owners, func(owner *session.Object) bool {
		return owner == object || !o.all[owner.Ref.UID] && !o.goesWith(owner, deeper-1)
	})
}

// tops are the objects that don't go with other ones, and circles of owners. What is owned is deleted with its owners,
// and a controller would create it again before that.
func (o *owned) tops(objects []*session.Object) (top []*session.Object) {
	first := map[string]bool{}
	for _, object := range objects {
		first[object.Ref.UID] = !o.goesWith(object, deepest)
	}
	belowFirst := func(owner *session.Object) bool { return first[owner.Ref.UID] }
	for _, object := range objects {
		if first[object.Ref.UID] || !slices.ContainsFunc(o.above(object), belowFirst) {
			top = append(top, object)
		}
	}
	return top
}
