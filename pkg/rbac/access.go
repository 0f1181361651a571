package rbac

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Access is what one subject may do with a resource in a namespace.
type Access struct {
	Subject
	Level
	// Ordinary is what the subject may do through wildcards for all groups, and roles that Kubernetes
	// brings for people. It says nothing of whose business the resource is.
	Ordinary  Level
	Elsewhere []string // other namespaces in which the subject may change the resource
	there     Level    // what it may do in these
	Via       []string // the bindings that name the resource or its group
	Role      string   // where these rights would have to be changed: a role of the first in Via, KIND NAMESPACE/NAME
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

// Verb is the verb by which the subject may change the resource here, whatever grants it.
func (a *Access) Verb() string {
	all := a.Level
	all.join(a.Ordinary)
	return all.Verb()
}

// VerbElsewhere is the verb by which the subject may change the resource in other namespaces.
func (a *Access) VerbElsewhere() string { return a.there.Verb() }

type accessList map[Subject]*Access

func (l accessList) of(subject Subject) *Access {
	if l[subject] == nil {
		l[subject] = &Access{Subject: subject}
	}
	return l[subject]
}

// sorted returns them by name.
func (l accessList) sorted() []*Access {
	return slices.SortedFunc(maps.Values(l), func(a, b *Access) int {
		return cmp.Compare(a.Subject.String(), b.Subject.String())
	})
}

func (a *Access) add(bound binding, level, wild Level, namespace, group string) {
	if bound.namespace != "" && bound.namespace != namespace {
		if level.Write && !bound.ordinary {
			a.Elsewhere = append(a.Elsewhere, bound.namespace)
			a.there.join(level)
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
	a.Via = append(a.Via, bound.role+" via "+bound.name)
	a.Role = cmp.Or(a.Role, bound.editable(group))
}

// Operators returns who may change anything of an API group, or read it, wherever that is, by rules that name the
// group.
func (g *Grants) Operators(group string) []*Access {
	all := accessList{}
	for _, bound := range g.bindings {
		level := levelInGroup(bound.rules, group)
		if bound.ordinary || level == (Level{}) {
			continue
		}
		for _, subject := range bound.subjects {
			access := all.of(subjectOf(subject))
			access.via(bound, group)
			access.join(level)
		}
	}
	return all.sorted()
}

// Reads says how an account may read a resource, or anything of a group with ResourceAll, in whichever namespace: by
// rules that name the group, or only by those for all groups and roles that Kubernetes brings for people.
func (g *Grants) Reads(account Subject, resource schema.GroupResource) (named, asAll bool) {
	for _, bound := range g.bindings {
		if !slices.ContainsFunc(bound.subjects, func(one rbacv1.Subject) bool {
			subject := subjectOf(one)
			return subject == account || subject.Includes(account.Namespace)
		}) {
			continue
		}
		level, wild := levelOf(bound.rules, resource)
		if resource.Resource == rbacv1.ResourceAll {
			level, wild = levelInGroup(bound.rules, resource.Group), levelInGroup(bound.rules, rbacv1.APIGroupAll)
		}
		named = named || level.Read && !bound.ordinary
		asAll = asAll || wild.Read || level.Read && bound.ordinary
	}
	return named, asAll
}

func levelInGroup(rules []rbacv1.PolicyRule, group string) (level Level) {
	for _, rule := range rules {
		for _, resource := range rule.Resources {
			if name, _, _ := strings.Cut(resource, "/"); slices.Contains(rule.APIGroups, group) {
				level.join(levelOfRule(rule, name))
			}
		}
	}
	return level
}

// Groups returns the API groups that rules name, built-in ones and wildcards too.
func (g *Grants) Groups() (groups []string) {
	for _, bound := range g.bindings {
		for _, rule := range bound.rules {
			groups = append(groups, rule.APIGroups...)
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// GroupsOf returns the API groups that rules for an account name, wildcards too, and whether any role is bound to it at
// all: itself, or as one of its namespace's ServiceAccounts. What every account may, says nothing of one.
func (g *Grants) GroupsOf(account Subject) (groups []string, bound bool) {
	for _, one := range g.bindings {
		if !slices.ContainsFunc(one.subjects, func(other rbacv1.Subject) bool {
			subject := subjectOf(other)
			return subject == account || subject.GroupNamespace() == account.Namespace && account.Namespace != ""
		}) {
			continue
		}
		bound = true
		for _, rule := range one.rules {
			groups = append(groups, rule.APIGroups...)
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups), bound
}

// Accounts returns the ServiceAccounts that bindings name.
func (g *Grants) Accounts() (accounts []Subject) {
	for _, bound := range g.bindings {
		for _, one := range bound.subjects {
			if subject := subjectOf(one); subject.Account() {
				accounts = append(accounts, subject)
			}
		}
	}
	return accounts
}

// LocalBindings says which namespaces have bindings of their own that may lead to a resource's controller, or roles
// that lack one, and in a text to compare which these are. All other namespaces are alike.
func (g *Grants) LocalBindings(resource schema.GroupResource) map[string]string {
	local := map[string][]string{}
	for _, bound := range g.bindings {
		if bound.namespace == "" {
			continue
		}
		for _, subject := range bound.leadsTo(resource) {
			local[bound.namespace] = append(local[bound.namespace], bound.role+" for "+subject.String())
		}
	}
	for _, role := range g.loose {
		if role.namespace != "" && role.writes(resource) {
			local[role.namespace] = append(local[role.namespace], role.name+" for nobody")
		}
	}
	texts := map[string]string{}
	for namespace, granted := range local {
		slices.Sort(granted)
		texts[namespace] = strings.Join(slices.Compact(granted), ", ")
	}
	return texts
}

// HasLocalBindings reports whether a namespace is one of those.
func (g *Grants) HasLocalBindings(resource schema.GroupResource, namespace string) bool {
	return namespace != "" && (slices.ContainsFunc(g.bindings, func(bound binding) bool {
		return bound.namespace == namespace && len(bound.leadsTo(resource)) > 0
	}) || slices.ContainsFunc(g.loose, func(role looseRole) bool {
		return role.namespace == namespace && role.writes(resource)
	}))
}

// leadsTo returns the accounts that a binding allows to be the controller of a resource, or to change it.
func (b *binding) leadsTo(resource schema.GroupResource) (subjects []Subject) {
	level, wild := levelOf(b.rules, resource)
	if level == (Level{}) && !wild.Write {
		return nil
	}
	for _, one := range b.subjects {
		if subject := subjectOf(one); subject.Account() || subject.Programs() || level.Write || wild.Write {
			subjects = append(subjects, subject)
		}
	}
	return subjects
}
