package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// decide examines the candidates, the most specific source first: those who may remove the finalizer, those who may
// do something else with the kind, and last those to whom other traces than rights lead.
func (s *search) decide(ctx context.Context) decision {
	likely := slices.DeleteFunc(slices.Clone(s.subjects.ordinary), func(c *candidate) bool { return !c.nominatedByMore() })
	if candidates := slices.Concat(s.subjects.writers, likely); len(candidates) > 0 {
		found := s.among(ctx, candidates)
		switch {
		case found.state == Missing && len(s.subjects.writers)+len(s.gone) == 0:
			break // administrators that are gone say nothing
		case found.state == Missing && byHandAlone(s):
			return decision{}
		case found.state == Missing:
			return orAsUser(ctx, s, found)
		case setterUnseen(s, found, candidates) && !alone(s, found):
			return withoutSetter(ctx, s, found)
		case found.candidate != nil:
			found.candidate.unlikeSetter = setterUnseen(s, found, candidates)
			return found
		default:
			return found
		}
	}
	for _, c := range s.subjects.limited[:min(len(s.subjects.limited), mostCandidates)] {
		if s.subjects.everyone != nil {
			break // rights don't distinguish it from others
		}
		switch {
		case ofOtherNamespace(ctx, s, c):
			servesOthers(s, c)
		case !s.examine(ctx, c):
			return decision{}
		case c.state == candidateElsewhere:
		case !s.suspect(c): // to read a kind is what dashboards do too
			another := len(s.criteria.managers) > 0 && s.terms().forOtherDuty(c) // program set the finalizer
			if (c.state == candidateAlive || c.state == candidateDown) && !another {
				s.subjects.readers, s.subjects.readBy = true, append(s.subjects.readBy, *c.accountRef())
			}
		case c.state == candidateUnclear:
			return decision{}
		case (c.state == candidateAlive || c.state == candidateDown) && ofPerhapsOthers(ctx, s, c):
			return decision{candidate: c}
		case (c.state == candidateAlive || c.state == candidateDown) && ofOtherPart(s, c):
			c.ofKindOnly = true
			return decision{candidate: c}
		case c.state == candidateAlive:
			return decision{Forbidden, c}
		case c.state == candidateDown:
			return decision{Down, c}
		default:
			s.gone = append(s.gone, c)
		}
	}
	if naming.IsBareWord(s.criteria.finalizer) && len(s.gone)+len(s.elsewhere) == 0 && !s.criteria.setByProgram {
		return decision{} // a person may have made it up
	}
	return s.decideByTraces(ctx)
}

// decideByTraces decides about those to whom RBAC doesn't lead. Rights that all programs have say nothing of anybody,
// and allow it to whoever is found.
func (s *search) decideByTraces(ctx context.Context) decision {
	if static, read := byStaticPod(ctx, s); !read || static.candidate != nil {
		return static
	}
	found, read := s.traces(ctx)
	if !read {
		return decision{}
	}
	found = slices.DeleteFunc(found, func(c *candidate) bool { return knownElsewhere(s, c) })
	for _, c := range found[:min(len(found), mostCandidates)] {
		if !s.examine(ctx, c) || c.state == candidateUnclear {
			return decision{}
		}
		allowed := s.subjects.everyone != nil || mayDoEverything(s.subjects, c)
		switch {
		case c.state == candidateElsewhere:
		case c.state == candidateDown && downExplains(s, c, allowed):
			return decision{Down, c}
		case allowed && c.state != candidateDown:
			return decision{Running, c}
		case c.state == candidateDown, !s.suspect(c):
			s.subjects.namesakes = append(s.subjects.namesakes, c)
			s.evidence = append(s.evidence, c.evidence...)
			observeDuty(s, c)
			disownLeases(s, c)
		default:
			s.observeBare(c)
			return decision{Forbidden, c}
		}
	}
	if s.subjects.everyone != nil {
		return decision{} // any program in the cluster might
	}
	return unlessAsUser(s, decision{state: nobody})
}

// downExplains reports whether it explains a held object that a candidate of other traces than rights is down: not for
// a name alone, unless it is an operator's that may do the work. The kind's name alone is not enough where a program of
// another name set the finalizer.
func downExplains(s *search, c *candidate, allowed bool) bool {
	named := c.signs.Has(signs.NamedAsProjectsOperator) ||
		c.signs.Has(signs.NamedAsKindsOperator) && (len(s.criteria.managers) == 0 || c.signs.HasAny(signs.BySetter))
	return !s.terms().forOtherDuty(c) && len(dutyElsewhere(s, c)) == 0 &&
		(c.wroteEntry() || s.suspect(c) || allowed && named)
}

// orAsUser is a decision that no account's program is there, unless a User may be the controller's.
func orAsUser(ctx context.Context, s *search, missing decision) decision {
	static, read := byStaticPod(ctx, s)
	if !read || static.candidate != nil {
		return static
	}
	return unlessAsUser(s, missing)
}

// unlessAsUser is a decision that no program is there, unless the one that set the finalizer has the name of a User who
// may remove it: then it acts as that User, and may run anywhere.
func unlessAsUser(s *search, absent decision) decision {
	user, is := actsAsUser(s)
	if !is || slices.ContainsFunc(s.gone, (*candidate).wroteEntry) {
		return absent
	}
	s.leads.user = user.Name
	return decision{}
}
