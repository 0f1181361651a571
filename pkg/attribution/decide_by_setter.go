package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// nominatedByMore reports whether more than one word of its name points at a candidate that may do everything.
func (c *candidate) nominatedByMore() bool {
	return c.wroteEntry() || c.signs.hasAny(byTie) || c.namedAsItsOperator()
}

// namedAsItsOperator reports whether a candidate's name is that of an operator of the kind, or of its project.
func (c *candidate) namedAsItsOperator() bool {
	return c.signs.has(namedAsKind, namedAsProject) && c.signs.has(namedAsOperator)
}

// byHandAlone reports whether a person set the finalizer and made its name up, as far as is seen: then a program that
// is gone says nothing about it.
func byHandAlone(s *search) bool {
	return s.criteria.known == nil && s.criteria.setByHand && naming.IsBareWord(s.criteria.finalizer)
}

// setterUnseen reports whether a program that says who it is set the finalizer, none of the candidates is that one, and
// nothing but its rights leads to the one that was found.
func setterUnseen(s *search, found decision, candidates []*candidate) bool {
	c := found.candidate
	if c == nil || s.criteria.known != nil || len(s.criteria.managers) == 0 {
		return false
	}
	others := slices.Concat(candidates, s.subjects.ordinary, s.subjects.limited, s.gone)
	return !c.tied() && !slices.ContainsFunc(others, (*candidate).wroteEntry)
}

// alone reports whether a candidate is the only one with rights of its own on the kind. Programs write under names that
// nothing else of them has, so it is the controller all the same. If its name has the setter's in it, the setter was
// another program.
func alone(s *search, found decision) bool {
	return len(s.subjects.writers) == 1 && found.candidate == s.subjects.writers[0] &&
		!naming.Mentions(found.candidate.name(), s.criteria.managers...)
}

// withoutSetter looks for the program that set the finalizer among all workloads. If it isn't there, whoever has the
// rights may have nothing to do with the finalizer: that it is down explains nothing, and what it says counts.
func withoutSetter(ctx context.Context, s *search, found decision) decision {
	its := s.decideByTraces(ctx)
	if its.candidate.wroteEntry() || len(s.failed) > 0 || s.leads.user != "" {
		s.equals, s.rivals = nil, nil
		return its
	}
	s.leads.setterUnseen, s.equals, s.rivals, s.subjects.namesakes = true, nil, nil, nil
	if found.state == Running {
		found.candidate.notSetter = true
		return found
	}
	s.possible = append(s.possible, *found.candidate.ref())
	return decision{}
}
