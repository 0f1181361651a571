package attribution

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// terms are by which names, words and Leases the finalizer's project and the held kind are known.
type terms struct {
	criteria *criteria
	leads    *leads
	byDomain bool
}

func (s *search) terms() terms { return terms{&s.criteria, &s.leads, s.byDomain} }

// ofProject are the words by which that project goes.
func (t terms) ofProject() []string {
	owners := func(word string) bool { return slices.Contains(t.leads.owner, word) }
	named := func(group string) []string {
		if registered := naming.Registered(group); t.leads.catalogued && len(naming.Project(registered)) > 0 {
			group = registered // what is below it may be the name of anything: acme of acme.cert-manager.io
		}
		return naming.Project(group)
	}
	if !t.byDomain {
		return slices.DeleteFunc(named(t.leads.project.Group), owners)
	}
	words := named(t.leads.domain)
	for _, group := range t.leads.related {
		words = append(words, naming.Project(group)...)
	}
	return slices.DeleteFunc(words, func(word string) bool { return naming.Vague(word) || owners(word) })
}

// knowsOwner reports whether the catalogue has a finalizer below the registered domain of another one.
func knowsOwner(known *plugins.Set, domain string) bool {
	registered := naming.Registered(domain)
	if known == nil || domain == "" || naming.Shared(registered) {
		return false
	}
	return slices.ContainsFunc(known.Names(), func(name string) bool {
		its := naming.Domain(name)
		return its == registered || strings.HasSuffix(its, "."+registered)
	})
}

// ownerWords are the words of a domain that say whose several projects are, acme of db.acme.io and mq.acme.io, and so
// lead to none of them. What a group has for its whole name is the name of its project.
func ownerWords(criteria criteria, grants *rbac.Grants, domain string, groups []string) []string {
	registered := naming.Registered(domain)
	if slices.Contains(groups, registered) {
		return nil
	}
	words := naming.Project(registered)
	relatives := slices.DeleteFunc(slices.Clone(groups), func(group string) bool {
		return naming.RelationOf(domain, group) == naming.Unrelated
	})
	if ofManyPrograms(grants, relatives) || setByRelative(criteria, grants, domain, relatives, words) {
		return words
	}
	return slices.DeleteFunc(words, func(word string) bool { return !naming.Vague(word) })
}

// ofOwner reports whether a domain is only that of the owner of several projects.
func (l *leads) ofOwner(domain string) bool {
	return len(l.owner) > 0 && domain == naming.Registered(domain)
}

// ofManyPrograms reports whether several programs operate some API groups: no account operates all the groups that any
// account operates. The groups then have an owner in common, such as a company, and no controller.
func ofManyPrograms(grants *rbac.Grants, groups []string) bool {
	var common []rbac.Subject
	for _, group := range groups {
		var accounts []rbac.Subject
		for _, access := range grants.Operators(group) {
			if access.Account() && (access.Write || access.Finalizers || access.Status) {
				accounts = append(accounts, access.Subject)
			}
		}
		if len(accounts) == 0 {
			continue
		}
		if common == nil {
			common = accounts
		}
		common = slices.DeleteFunc(common, func(subject rbac.Subject) bool { return !slices.Contains(accounts, subject) })
		if len(common) == 0 {
			return true
		}
	}
	return false
}

// setByRelative reports whether the finalizer was set by a program of the same owner as the operators of the owner's
// other API groups, and by none of these: billing-operator, and they are called logistics-operator.
func setByRelative(criteria criteria, grants *rbac.Grants, domain string, groups, owner []string) bool {
	var operators []string
	for _, group := range groups {
		if group == domain {
			continue
		}
		for _, access := range grants.Operators(group) {
			if access.Account() && (access.Write || access.Finalizers || access.Status) {
				operators = append(operators, access.Name)
			}
		}
	}
	own := func(name string) []string {
		return slices.DeleteFunc(naming.NameWords(name), func(word string) bool {
			return naming.Generic(word) || slices.Contains(owner, word)
		})
	}
	setter := slices.Concat(finding.Each(criteria.managers, own)...)
	return len(setter) > 0 && len(operators) > 0 && !slices.ContainsFunc(operators, func(operator string) bool {
		words := own(operator)
		same := func(word string) bool { return slices.Contains(setter, word) }
		return len(words) == 0 || slices.ContainsFunc(words, same)
	})
}

// names are the words of the project, and the API group itself, unless many projects share it.
func (t terms) names() []string {
	words := t.ofProject()
	if group := t.leads.project.Group; group != "" && !naming.Shared(group) && !t.leads.ofOwner(group) {
		words = append(words, group)
	}
	return words
}

// mentioned says what of the finalizer or its project a pod template is told, and as which sign. An API group or
// the finalizer is what a controller works with; a mere domain may be a host that others call, and settles nothing.
func (t terms) mentioned(template corev1.PodTemplateSpec) (name string, kind signs.Kind) {
	names := func(name string) bool { return name != "" && session.Names(template, name) }
	if !naming.IsBareWord(t.criteria.finalizer) && names(t.criteria.finalizer) {
		return t.criteria.finalizer, signs.MentionsFinalizer
	}
	if names(t.criteria.class) {
		return t.criteria.class, signs.MentionsClass
	}
	groups := []string{t.leads.project.Group}
	if t.byDomain {
		groups = slices.DeleteFunc(slices.Clone(t.leads.related), naming.Shared)
	}
	if i := slices.IndexFunc(groups, names); i >= 0 {
		return groups[i], signs.MentionsGroup
	}
	if t.byDomain && !naming.Shared(t.leads.domain) && !t.leads.ofOwner(t.leads.domain) && names(t.leads.domain) {
		return t.leads.domain, signs.MentionsDomain
	}
	return "", ""
}

// mayBeController reports whether a program that wrote to an object of Kubernetes' own may be the finalizer's
// controller: it wrote the entry. The kubelet and others write the status.
func mayBeController(search search, setters []writers.Setter, manager string) bool {
	if search.criteria.known == nil && (writers.Setter{Manager: manager}).Copied() {
		return false
	}
	return !search.byDomain || search.criteria.known != nil && matchesAny(search.criteria.known.Managers, manager) ||
		slices.ContainsFunc(setters, func(setter writers.Setter) bool { return setter.Manager == manager })
}

// made reports whether a webhook is the project's: made for one of its API groups, or named after its domain.
func (t terms) made(hook session.RegisteredHook) bool {
	if !t.byDomain {
		return concernsGroup(hook, t.leads.project.Group)
	}
	named := t.leads.domain != "" && !naming.Shared(t.leads.domain) && !t.leads.ofOwner(t.leads.domain) &&
		strings.HasSuffix(hook.Hook.Name, "."+t.leads.domain)
	return named || slices.ContainsFunc(t.leads.related, func(group string) bool { return concernsGroup(hook, group) })
}

func concernsGroup(hook session.RegisteredHook, group string) bool {
	other := func(rule admissionregistrationv1.RuleWithOperations) bool {
		return !slices.Equal(rule.APIGroups, []string{group})
	}
	return len(hook.Hook.Rules) > 0 && !slices.ContainsFunc(hook.Hook.Rules, other)
}
