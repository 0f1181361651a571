package preview

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// askedTogether divides objects into parts that are asked about at a time. What owns one another is in one part: each
// part's answer follows all that its objects wait for.
func (c *cascade) askedTogether(objects []*session.Object) (parts [][]*session.Object) {
	if len(objects) <= askedAtOnce {
		return [][]*session.Object{objects}
	}
	places := map[string]int{} // by uid, of what was not put into a part yet
	for i, object := range objects {
		places[object.Ref.UID] = i
	}
	var part []int
	flush := func() {
		slices.Sort(part)
		of := make([]*session.Object, len(part))
		for i, place := range part {
			of[i] = objects[place]
		}
		parts, part = append(parts, of), nil
	}
	for _, object := range objects {
		family := c.family(object, objects, places)
		if len(part) > 0 && len(part)+len(family) > askedAtOnce {
			flush()
		}
		part = append(part, family...)
	}
	flush()
	return parts
}

// family takes the places of an object, and of all that it is joined with by owner references.
func (c *cascade) family(object *session.Object, objects []*session.Object, places map[string]int) (family []int) {
	for stack := []string{object.Ref.UID}; len(stack) > 0; {
		uid := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		place, open := places[uid]
		if !open {
			continue
		}
		delete(places, uid)
		family = append(family, place)
		for _, reference := range objects[place].Meta.OwnerReferences {
			stack = append(stack, string(reference.UID))
		}
		for _, dependent := range c.byOwner[uid] {
			stack = append(stack, dependent.Ref.UID)
		}
	}
	return family
}

// takes reports whether a controller, the account as which it runs or rights, which may be that one's, are deleted.
func (c *cascade) takes(controller attribution.Presence) bool {
	its := func(object *session.Object) bool {
		return object.Resource.Group == rbacv1.GroupName || slices.ContainsFunc(
			[]*finding.Ref{controller.Controller, controller.Account},
			func(ref *finding.Ref) bool { return ref != nil && ref.SameAs(object.Ref) })
	}
	for uid := range c.states {
		if object := c.byUID[uid]; object != nil && its(object) {
			return true
		}
	}
	return false
}
