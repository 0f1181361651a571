package controller

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Grants is all that RBAC allows, ready to be asked backwards: not what somebody may do, but who may do something.
type Grants struct{ bindings []binding }

// binding is one role for some subjects, in one namespace or everywhere.
type binding struct {
	name      string // KIND NAMESPACE/NAME
	role      string
	namespace string // empty: everywhere
	subjects  []rbacv1.Subject
	rules     []rbacv1.PolicyRule
	ordinary  bool // the role comes with Kubernetes and is for people: cluster-admin, admin, edit
	// sources are the roles that make up an aggregated one, whose own rules the control plane writes over in seconds
	// (k8s v1.37 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go:syncClusterRole).
	sources []*rbacv1.ClusterRole
}

// editable is the role in which rights on an API group would have to be changed: KIND NAMESPACE/NAME.
func (b *binding) editable(groups ...string) string {
	ofGroup := func(source *rbacv1.ClusterRole) bool {
		return slices.ContainsFunc(source.Rules, func(rule rbacv1.PolicyRule) bool {
			return slices.ContainsFunc(groups, func(group string) bool { return slices.Contains(rule.APIGroups, group) })
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

// NewGrants joins bindings with their roles. What the roles named system: grant to parts of the control
// plane is left out: the garbage collector may patch everything, and removes nobody's finalizer.
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
		grants.bindings = append(grants.bindings, binding{
			name: name, role: role, namespace: namespace, subjects: subjects, rules: rules[key],
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
	return grants
}

// Subject is somebody to whom RBAC grants something.
type Subject struct {
	Kind      string // ServiceAccount, User or Group
	Namespace string // of a ServiceAccount
	Name      string
}

// String names the subject as people do.
func (s Subject) String() string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}

// subjectOf reads a subject: a ServiceAccount can also be bound by its user name.
func subjectOf(subject rbacv1.Subject) Subject {
	namespace, name, err := serviceaccount.SplitUsername(subject.Name)
	switch {
	case err == nil && subject.Kind == rbacv1.UserKind:
		return Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}
	case subject.Kind == rbacv1.ServiceAccountKind:
		return Subject{Kind: subject.Kind, Namespace: subject.Namespace, Name: subject.Name}
	}
	return Subject{Kind: subject.Kind, Name: subject.Name}
}

// Account tells whether the subject is a ServiceAccount.
func (s Subject) Account() bool { return s.Kind == rbacv1.ServiceAccountKind }

// Programs tells whether the subject is a group of ServiceAccounts.
func (s Subject) Programs() bool { return s.Includes(s.GroupNamespace()) }

// Includes tells whether the subject is a group that every ServiceAccount of a namespace is in.
func (s Subject) Includes(namespace string) bool {
	groups := append(serviceaccount.MakeGroupNames(namespace), user.AllAuthenticated)
	return s.Kind == rbacv1.GroupKind && slices.Contains(groups, s.Name)
}

// GroupNamespace is the namespace all of whose ServiceAccounts the subject stands for, or nothing.
func (s Subject) GroupNamespace() string {
	namespace, is := strings.CutPrefix(s.Name, serviceaccount.ServiceAccountGroupPrefix)
	if !is || s.Kind != rbacv1.GroupKind {
		return ""
	}
	return namespace
}

// Access is what one subject may do with a resource in a namespace.
type Access struct {
	Subject
	Level
	// Ordinary is what the subject may do through wildcards for all groups, and roles that Kubernetes
	// brings for people. It says nothing of whose business the resource is.
	Ordinary  Level
	Elsewhere []string // other namespaces in which the subject may change the resource
	Via       []string // the bindings that name the resource or its group
	Role      string   // where these rights would have to be changed: a role of the first in Via, KIND NAMESPACE/NAME
}

// Specific tells how specific the subject's rights are: explicit rules for finalizers outrank those for the
// resource, and these outrank those for its whole group (deletion-mechanics D-6).
func (a *Access) Specific() int {
	score := 0
	for _, one := range []struct {
		has    bool
		weight int
	}{{a.Finalizers, 8}, {a.Write, 2}, {a.Write && a.Named, 2}, {a.Status, 2}, {a.Watch, 1}} {
		if one.has {
			score += one.weight
		}
	}
	return score
}

// Access returns who may do anything with a resource in a namespace, or has rules for it in another, as sorted does.
func (g *Grants) Access(resource schema.GroupResource, namespace string) []*Access {
	all := accessList{}
	for _, bound := range g.bindings {
		level, wild := levelOf(bound.rules, resource)
		if level == wild && level == (Level{}) {
			continue
		}
		for _, one := range bound.subjects {
			if subject := subjectOf(one); subject != (Subject{Kind: rbacv1.GroupKind, Name: user.SystemPrivilegedGroup}) {
				all.of(subject).add(bound, level, wild, namespace, resource.Group)
			}
		}
	}
	return all.sorted()
}

type accessList map[Subject]*Access

func (l accessList) of(subject Subject) *Access {
	if l[subject] == nil {
		l[subject] = &Access{Subject: subject}
	}
	return l[subject]
}

// sorted returns the most specific first.
func (l accessList) sorted() []*Access {
	return slices.SortedFunc(maps.Values(l), func(a, b *Access) int {
		return cmp.Or(cmp.Compare(b.Specific(), a.Specific()), cmp.Compare(a.Subject.String(), b.Subject.String()))
	})
}

func (a *Access) add(bound binding, level, wild Level, namespace, group string) {
	if bound.namespace != "" && bound.namespace != namespace {
		if level.Write && !bound.ordinary {
			a.Elsewhere = append(a.Elsewhere, bound.namespace)
			a.via(bound, group)
		}
		return
	}
	switch {
	case bound.ordinary:
		a.Ordinary.join(level)
	case level != (Level{}):
		a.via(bound, group)
		a.join(level)
	}
	a.Ordinary.join(wild)
}

func (a *Access) via(bound binding, group string) {
	a.Via = append(a.Via, bound.role+" by "+bound.name)
	a.Role = cmp.Or(a.Role, bound.editable(group))
}
