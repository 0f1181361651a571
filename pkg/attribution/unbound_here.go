package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// onlyElsewhere reports whether RBAC lets an account change the kind in other namespaces alone, and gives it no right
// on the kind in the held object's, which is not its own.
func onlyElsewhere(s *search, c *candidate) bool {
	access := c.access
	return access != nil && s.criteria.resource.Namespaced && !s.criteria.ofKind && len(access.Elsewhere) > 0 &&
		!access.Read && !access.Finalizers && !access.Status && !access.Ordinary.Read && !access.Ordinary.Write &&
		c.namespace != s.criteria.namespace
}

// ofPerhapsOthers reports whether an account that has rights in other namespaces alone may be a namesake of what set
// the finalizer: an instance, for other namespaces, of a program that had one for this, too. It has lost its right here
// if a role or a binding for it is left, if its template names the namespace, or if the finalizer was set under a name
// that no other instance would have.
func ofPerhapsOthers(ctx context.Context, s *search, c *candidate) bool {
	named := func(manager string) bool { return sameProgram(manager, c.account.Name) || alike(manager, c.name()) }
	if !onlyElsewhere(s, c) || !slices.ContainsFunc(s.criteria.managers, named) || setUnderOwnName(s, c) {
		return false
	}
	_, lost := s.finder.roleless(c, s.criteria.namespace)
	return !lost && c.lostRole(s.unbound()) == "" && !namesNamespace(ctx, s, c)
}

// setUnderOwnName reports whether the finalizer was set under an account's name, and that says more than what the
// program is: all instances of gear-operator have this name, and gear-operator-south is one of them.
func setUnderOwnName(s *search, c *candidate) bool {
	common := slices.Concat(s.terms().ofKind(), s.terms().ofProject())
	return slices.Contains(s.criteria.managers, c.account.Name) &&
		slices.ContainsFunc(naming.NameWords(c.account.Name), func(word string) bool {
			return !naming.Generic(word) && !naming.Vague(word) && !slices.Contains(common, word)
		})
}

// namesNamespace reports whether the template of a candidate limits it to namespaces that the held object's is among.
func namesNamespace(ctx context.Context, s *search, c *candidate) bool {
	template, known := c.template()
	if !known {
		return false
	}
	given, read := givenBy(ctx, s, c.namespace, template)
	return read && slices.ContainsFunc(limits.Of(s.criteria.resource, s.criteria.finalizer, c.namespace, template, given),
		func(one limits.Limit) bool {
			beyond, asked := s.criteria.beyond[one.Setting]
			return len(one.Namespaces) > 0 && !one.Except && !one.Unsure && asked && !beyond
		})
}
