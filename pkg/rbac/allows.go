package rbac

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Allows reports whether RBAC lets a subject do by now what it was denied: itself, or as one of a group of
// ServiceAccounts. What roles named system: grant is not known here, nor are users' groups.
func (g *Grants) Allows(denied Denial) bool {
	for _, bound := range g.bindings {
		if bound.namespace != "" && bound.namespace != denied.Namespace {
			continue
		}
		for _, one := range bound.subjects {
			subject := subjectOf(one)
			is := subject == denied.Subject || denied.Subject.Account() && subject.Includes(denied.Subject.Namespace)
			if is && grantedBy(bound.rules, denied) {
				return true
			}
		}
	}
	return false
}

// grantedBy evaluates rules as the API server does (k8s v1.37 pkg/registry/rbac/validation/rule.go).
func grantedBy(rules []rbacv1.PolicyRule, denied Denial) bool {
	has := func(list []string, all string, value string) bool {
		for _, text := range list {
			if text == all || text == value {
				return true
			}
		}
		return false
	}
	_, sub, _ := strings.Cut(denied.Resource.Resource, "/")
	for _, rule := range rules {
		resource := has(rule.Resources, rbacv1.ResourceAll, denied.Resource.Resource) ||
			sub != "" && has(rule.Resources, rbacv1.ResourceAll, "*/"+sub)
		named := len(rule.ResourceNames) == 0 || denied.Name != "" && has(rule.ResourceNames, denied.Name, denied.Name)
		if resource && named && has(rule.Verbs, rbacv1.VerbAll, denied.Verb) &&
			has(rule.APIGroups, rbacv1.APIGroupAll, denied.Resource.Group) {
			return true
		}
	}
	return false
}

// RoleOf returns a role of a subject in which what it was denied would be missed, as KIND NAMESPACE/NAME: one that
// names the resource, or its API group, and is in force where it was denied. Empty where RBAC shows none.
func (g *Grants) RoleOf(denied Denial) (role string) {
	plain, _, _ := strings.Cut(denied.Resource.Resource, "/")
	best := 0
	for _, bound := range g.bindings {
		if bound.ordinary || bound.namespace != "" && bound.namespace != denied.Namespace {
			continue
		}
		for _, subject := range bound.subjects {
			if subjectOf(subject) != denied.Subject {
				continue
			}
			if near := nearness(bound.rules, denied.Resource.Group, plain); near > best {
				best, role = near, bound.editable(denied.Resource.Group)
			}
		}
	}
	return role
}

// nearness is how much rules have to do with a resource: they name it, they name its group, or they are there at all.
func nearness(rules []rbacv1.PolicyRule, group, resource string) (near int) {
	near = 1
	for _, rule := range rules {
		for _, name := range rule.Resources {
			plain, _, _ := strings.Cut(name, "/")
			for _, text := range rule.APIGroups {
				switch {
				case text == group && plain == resource:
					return 3
				case text == group && group != "":
					near = 2
				}
			}
		}
	}
	return near
}
