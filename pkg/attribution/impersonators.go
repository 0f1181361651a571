package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

// addImpersonators adds the program that set the finalizer to those who may remove it, if its own account may not, and
// may act as one that may. Others who may act as that one are no candidates: proxies may act as everyone.
func addImpersonators(ctx context.Context, s *search, grants *rbac.Grants) {
	known := func(account rbac.Subject) bool {
		return slices.ContainsFunc(slices.Concat(s.subjects.writers, s.subjects.ordinary), func(c *candidate) bool {
			return c.account == account
		})
	}
	rights := slices.Clone(s.subjects.users)
	for _, writer := range s.subjects.writers {
		rights = append(rights, writer.access)
	}
	for _, entitled := range rights {
		for _, account := range grants.Impersonators(entitled.Subject) {
			set := func(manager string) bool { return sameProgram(manager, account.Name) }
			if known(account) || !slices.ContainsFunc(s.criteria.managers, set) {
				continue
			}
			access := *entitled
			access.Subject = account
			c := s.candidate(ctx, &access)
			c.granted, c.through = nil, entitled.Subject // the rights are another's
			s.subjects.writers = append(s.subjects.writers, c)
			s.subjects.limited = slices.DeleteFunc(s.subjects.limited, func(other *candidate) bool {
				return other.account == account
			})
		}
	}
}

// sender is as whom a candidate would remove the finalizer: the account that it impersonates, or its own.
func (c *candidate) sender() rbac.Subject {
	if c.through != (rbac.Subject{}) {
		return c.through
	}
	return c.account
}

// rightsThrough says that a candidate may act as an account that may change a resource.
func (c *candidate) rightsThrough(resource string) *finding.Phrase {
	as := refOf(c.through)
	clue := finding.Clue{Account: &as, Resource: resource, Verb: c.access.Verb()}
	return &finding.Phrase{Situation: "MayActAs", Details: clue}
}
