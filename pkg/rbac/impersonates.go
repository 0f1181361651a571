package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Impersonators returns the accounts that may act as another one, or as a User, by rules that say so: wildcards tell
// nothing of anybody. They are sorted by name.
func (g *Grants) Impersonators(account Subject) (by []Subject) {
	all := accessList{}
	for _, bound := range g.bindings {
		if bound.ordinary || bound.namespace != "" && bound.namespace != account.Namespace ||
			!slices.ContainsFunc(bound.rules, func(rule rbacv1.PolicyRule) bool { return impersonates(rule, account) }) {
			continue
		}
		for _, one := range bound.subjects {
			if subject := subjectOf(one); subject.Account() && subject != account {
				all.of(subject)
			}
		}
	}
	for _, one := range all.sorted() {
		by = append(by, one.Subject)
	}
	return by
}

// impersonates reports whether a rule lets someone act as an account or a User (k8s v1.37
// apiserver/pkg/endpoints/filters/impersonation/impersonation.go:WithImpersonation).
func impersonates(rule rbacv1.PolicyRule, account Subject) bool {
	resource := "users"
	if account.Account() {
		resource = "serviceaccounts"
	}
	return (account.Account() || account.Kind == rbacv1.UserKind) && slices.Contains(rule.Verbs, "impersonate") &&
		slices.Contains(rule.APIGroups, "") && slices.Contains(rule.Resources, resource) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, account.Name))
}
