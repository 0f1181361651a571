package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// looseRole is a role that nothing binds to anybody.
type looseRole struct {
	name      string // KIND NAMESPACE/NAME
	namespace string // empty for a ClusterRole
	rules     []rbacv1.PolicyRule
}

func (r looseRole) writes(resource schema.GroupResource) bool {
	level, _ := levelOf(r.rules, resource)
	return level.Write
}

// loosen remembers the roles that no binding with a subject names. It leaves out the roles of Kubernetes itself, and
// the parts of an aggregated role, which are bound as that role.
func (g *Grants) loosen(roles []*rbacv1.Role, clusterRoles []*rbacv1.ClusterRole) {
	bound := map[string]bool{}
	for _, one := range g.bindings {
		bound[one.role] = bound[one.role] || len(one.subjects) > 0
	}
	for _, role := range clusterRoles {
		for _, source := range aggregated(role, clusterRoles) {
			bound["ClusterRole "+source.Name] = true
		}
	}
	add := func(one looseRole, ofKubernetes bool) {
		if !bound[one.name] && !ofKubernetes {
			g.loose = append(g.loose, one)
		}
	}
	for _, role := range clusterRoles {
		ofKubernetes := role.Labels["kubernetes.io/bootstrapping"] != "" || strings.HasPrefix(role.Name, "system:")
		add(looseRole{name: "ClusterRole " + role.Name, rules: role.Rules}, ofKubernetes)
	}
	for _, role := range roles {
		name := "Role " + role.Namespace + "/" + role.Name
		add(looseRole{name, role.Namespace, role.Rules}, strings.HasPrefix(role.Name, "system:"))
	}
}

// Unbound returns the roles that would let an account change a resource in a namespace, by rules that name its group,
// and that nothing binds to anybody: KIND NAMESPACE/NAME. What a controller lost is there, and what was never bound.
func (g *Grants) Unbound(resource schema.GroupResource, namespace string) (roles []string) {
	for _, role := range g.loose {
		if role.writes(resource) && (role.namespace == "" || role.namespace == namespace) {
			roles = append(roles, role.name)
		}
	}
	return roles
}

// Roleless is a binding of a role that doesn't exist: it grants nothing.
type Roleless struct {
	Binding, Role string // KIND NAMESPACE/NAME
}

// Roleless returns the bindings that would give an account the rights of a role in a namespace, if that role existed.
func (g *Grants) Roleless(account Subject, namespace string) (bindings []Roleless) {
	for _, one := range g.bindings {
		names := func(other rbacv1.Subject) bool { return subjectOf(other) == account }
		if one.roleless && (one.namespace == "" || one.namespace == namespace) &&
			slices.ContainsFunc(one.subjects, names) {
			bindings = append(bindings, Roleless{Binding: one.name, Role: one.role})
		}
	}
	return bindings
}
