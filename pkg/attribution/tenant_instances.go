package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// ofOtherNamespace reports whether RBAC shows that an account serves another namespace than the held object's: it may
// change the kind in one other alone, which is its own or its tenant's, and read none here. One that has set this
// finalizer, under a name that says whose it is, has served more than that.
func ofOtherNamespace(ctx context.Context, s *search, c *candidate) bool {
	if !onlyElsewhere(s, c) {
		return false
	}
	only := slices.Compact(slices.Clone(c.access.Elsewhere))
	if len(only) != 1 || only[0] != c.namespace && !ofTenant(ctx, s, c, only[0]) {
		return false
	}
	return !slices.Contains(s.criteria.managers, c.account.Name) ||
		!naming.Mentions(c.account.Name, tenantWords(s, c.namespace)...)
}

// tenantWords are the words of a namespace's name that say whose it is.
func tenantWords(s *search, namespace string) []string {
	common := slices.Concat(s.terms().ofKind(), s.terms().ofProject())
	return slices.DeleteFunc(naming.NameWords(namespace), func(word string) bool {
		return naming.Generic(word) || naming.Vague(word) || slices.Contains(common, word)
	})
}

// ofTenant reports whether an account that lives elsewhere belongs to the tenant of a namespace: its name or that of
// its own namespace says so, or a label that the two namespaces have in common. Labels that can't be read say nothing.
func ofTenant(ctx context.Context, s *search, c *candidate, namespace string) bool {
	own := append(tenantWords(s, namespace), namespace)
	if naming.Mentions(c.account.Name, own...) || naming.Mentions(c.namespace, own...) {
		return true
	}
	lives, err := s.session.Read(ctx, cluster.Namespaces(), "", c.namespace)
	if err != nil {
		return false
	}
	serves, err := s.session.Read(ctx, cluster.Namespaces(), "", namespace)
	if err != nil {
		return false
	}
	for key, value := range lives.Meta.Labels {
		text := serves.Meta.Labels[key]
		if value != "" && naming.NamesTenant(key) && (value == text || value == namespace) {
			return true
		}
	}
	return false
}
