package attribution

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// namedKind is the other kind of the held object's API group whose plural a finalizer begins with, as
// backups.shop.example.com/protect on a Database.
func namedKind(of criteria) (named schema.GroupResource, found bool) {
	first, is := strings.CutSuffix(naming.Domain(of.finalizer), "."+of.resource.Group)
	own := []string{of.resource.Resource, strings.ToLower(of.resource.Kind)}
	if !is || of.resource.Group == "" || strings.Contains(first, ".") || slices.Contains(own, first) {
		return named, false
	}
	return schema.GroupResource{Group: of.resource.Group, Resource: first}, true
}

// preferNamedKind leaves out who manages the held object's kind and not the one that the finalizer names, where others
// manage that: two controllers of a project may have rights on one kind. Who set the finalizer stays.
func preferNamedKind(s *search, grants *rbac.Grants) {
	kind, found := namedKind(s.criteria)
	if !found || s.criteria.known != nil {
		return
	}
	manages := func(c *candidate) bool {
		return slices.ContainsFunc(grants.Access(kind, s.criteria.namespace), func(access *rbac.Access) bool {
			has := access.Write || access.Status || access.Finalizers || len(access.Elsewhere) > 0
			return access.Subject == c.account && has
		})
	}
	if !slices.ContainsFunc(s.subjects.writers, manages) {
		return
	}
	s.subjects.writers = slices.DeleteFunc(s.subjects.writers, func(c *candidate) bool {
		other := !manages(c) && !c.signs.HasAny(signs.BySetter)
		if other {
			s.note(c.account.String(), "may update the kind, but not "+kind.String()+", which the finalizer is named after")
			s.possible = append(s.possible, *c.accountRef())
		}
		return other
	})
}
