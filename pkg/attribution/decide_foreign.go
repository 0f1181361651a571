package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// foreign reports whether the finalizer is another project's than the custom kind, as far as its domain tells: that has
// nothing in common with the kind's API group, and names the kind nowhere.
func (t criteria) foreign() bool {
	return t.known == nil && !t.kindOfKubernetes() &&
		naming.Foreign(t.finalizer, t.resource.Group, t.resource.Resource, t.resource.Kind)
}

// decideForeign looks for the controller of another project's finalizer on a custom kind. The manager of the kind is it
// only if something else binds it to the finalizer. Otherwise the domain decides, as on a kind of Kubernetes' own,
// which many may write. If nothing matches the domain, the manager of the kind may be the controller all the same,
// under another name; but that it is down, or may not update the kind, then explains nothing.
func (s *search) decideForeign(ctx context.Context) decision {
	before := *s
	if !s.rankByRights(ctx) {
		return decision{}
	}
	found := s.decide(ctx)
	c, another := found.candidate, len(s.criteria.managers) > 0
	if gone := firstGone(s.gone); len(s.failed) > 0 || c.boundTo(s.leads.domain) ||
		found.state == Missing && gone.boundTo(s.leads.domain) {
		return found
	}
	before.byDomain = true
	if its := before.decideByDomain(ctx); its != (decision{}) || !before.leads.nothing {
		before.evidence = slices.Concat(s.evidence, before.evidence)
		before.lookedAt = append(before.lookedAt, s.lookedAt...)
		*s = before
		return its
	}
	s.evidence, s.failed = append(s.evidence, before.evidence...), before.failed
	s.lookedAt = append(s.lookedAt, before.lookedAt...)
	switch {
	case c != nil && (found.state != Running || another || s.criteria.setByHand):
		c.ofKindOnly, s.rivals = true, nil
		return decision{"", c}
	case found.state == Missing && (another || s.criteria.setByHand || len(s.gone) > 0):
		s.leads.nothing, s.gone = true, nil // that whoever managed the kind is gone says nothing about this finalizer
		return decision{}
	}
	return found
}

// boundTo reports whether something binds a candidate to a finalizer of a domain beside its rights on the kind: who
// wrote the entry, what it is told, or its name.
func (c *candidate) boundTo(domain string) bool {
	if c == nil {
		return false
	}
	words := slices.DeleteFunc(naming.Project(domain), naming.Vague)
	return c.wroteEntry() || c.signs.Has(signs.MentionsFinalizer) ||
		naming.NamedAfter(c.namespace, c.name(), words...) || naming.NamedAfter(c.namespace, c.account.Name, words...)
}

// ofOtherPart reports whether nothing leads to a candidate that may not remove the finalizer but that it manages the
// kind, while the finalizer's domain names another part of the kind's project: that it has lost rights, or is down,
// explains nothing then.
func ofOtherPart(s *search, c *candidate) bool {
	t := s.criteria
	return t.known == nil && naming.OfOtherPart(t.finalizer, t.resource.Group, t.resource.Resource, t.resource.Kind) &&
		!c.boundTo(naming.Domain(t.finalizer)) && !c.signs.HasAny(signs.ByActs)
}
