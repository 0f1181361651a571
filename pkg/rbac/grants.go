// Package rbac reads RBAC backwards: which accounts may do something to a resource, and which roles were meant to let
// them. It reads nothing itself.
//
// This package may change at any time.
package rbac

import (
	"cmp"
	"slices"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Grants is all that RBAC allows, ready to be asked backwards: not what an account may do, but which accounts may do
// something.
type Grants struct {
	// Read is when reading them began: what was created since may have rights that they lack. Zero: not known.
	Read time.Time

	bindings []binding
	loose    []looseRole
}

// binding is one role for some subjects, in one namespace or everywhere.
type binding struct {
	name      string // KIND NAMESPACE/NAME
	role      string
	namespace string // empty: everywhere
	subjects  []rbacv1.Subject
	rules     []rbacv1.PolicyRule
	ordinary  bool // the role comes with Kubernetes and is for people: cluster-admin, admin, edit
	roleless  bool // the role doesn't exist
	// sources are the roles that make up an aggregated one, whose own rules the control plane writes over in seconds
	// (k8s v1.37 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go:syncClusterRole).
	sources []*rbacv1.ClusterRole
}

// editable is the role in which rights on an API group would have to be changed: KIND NAMESPACE/NAME.
func (b *binding) editable(groups ...string) string {
	ofGroup := func(source *rbacv1.ClusterRole) bool {
		return slices.ContainsFunc(source.Rules, func(rule rbacv1.PolicyRule) bool {
			return slices.ContainsFunc(groups,
				func(group string) bool { return slices.Contains(rule.APIGroups, group) })
		})
	}
	if i := slices.IndexFunc(b.sources, ofGroup); i >= 0 {
		return "ClusterRole " + b.sources[i].Name
	}
	if len(b.sources) > 0 {
		return "ClusterRole " + b.sources[0].Name
	}
	return b.role
}

// aggregated returns the roles that make up one with an aggregation rule, sorted by name.
func aggregated(role *rbacv1.ClusterRole, all []*rbacv1.ClusterRole) (sources []*rbacv1.ClusterRole) {
	if role.AggregationRule == nil {
		return nil
	}
	for _, other := range all {
		matches := slices.ContainsFunc(role.AggregationRule.ClusterRoleSelectors, func(one metav1.LabelSelector) bool {
			selector, err := metav1.LabelSelectorAsSelector(&one)
			return err == nil && selector.Matches(labels.Set(other.Labels))
		})
		if matches && other.Name != role.Name {
			sources = append(sources, other)
		}
	}
	slices.SortFunc(sources, func(a, b *rbacv1.ClusterRole) int { return cmp.Compare(a.Name, b.Name) })
	return sources
}

// NewGrants joins bindings with their roles. What the roles named system: grant to parts of the control plane is left
// out: the garbage collector may patch everything, and removes no other controller's finalizer.
func NewGrants(
	roles []*rbacv1.Role, clusterRoles []*rbacv1.ClusterRole,
	roleBindings []*rbacv1.RoleBinding, clusterRoleBindings []*rbacv1.ClusterRoleBinding,
) *Grants {
	type roleKey struct{ namespace, name string }
	rules, ordinary := map[roleKey][]rbacv1.PolicyRule{}, map[string]bool{}
	sources := map[string][]*rbacv1.ClusterRole{}
	for _, role := range roles {
		rules[roleKey{role.Namespace, role.Name}] = role.Rules
	}
	for _, role := range clusterRoles {
		rules[roleKey{"", role.Name}] = role.Rules // aggregated ones hold what was aggregated
		sources[role.Name] = aggregated(role, clusterRoles)
		// Every API server creates these (k8s v1.37 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go).
		ordinary[role.Name] = role.Labels["kubernetes.io/bootstrapping"] != ""
	}
	grants := &Grants{}
	add := func(name, namespace string, ref rbacv1.RoleRef, subjects []rbacv1.Subject) {
		if strings.HasPrefix(ref.Name, "system:") {
			return
		}
		key, role := roleKey{name: ref.Name}, ref.Kind+" "+ref.Name
		if ref.Kind == "Role" {
			key.namespace, role = namespace, ref.Kind+" "+namespace+"/"+ref.Name
		}
		of, exists := rules[key]
		grants.bindings = append(grants.bindings, binding{
			name: name, role: role, namespace: namespace, subjects: subjects, rules: of, roleless: !exists,
			ordinary: ref.Kind == "ClusterRole" && ordinary[ref.Name],
		})
		if ref.Kind == "ClusterRole" {
			grants.bindings[len(grants.bindings)-1].sources = sources[ref.Name]
		}
	}
	for _, bound := range clusterRoleBindings {
		add("ClusterRoleBinding "+bound.Name, "", bound.RoleRef, bound.Subjects)
	}
	for _, bound := range roleBindings {
		add("RoleBinding "+bound.Namespace+"/"+bound.Name, bound.Namespace, bound.RoleRef, bound.Subjects)
	}
	grants.loosen(roles, clusterRoles)
	return grants
}
