package attribution

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// observeRights adds to the evidence what RBAC grants, and remembers it if it grants no account enough.
func (s *search) observeRights(resource string) {
	say := func(format string, args ...any) { s.note("RBAC", fmt.Sprintf(format, args...)) }
	for _, one := range s.subjects.writers[:min(len(s.subjects.writers), mostCandidates)] {
		via := finding.Some(one.access.Via, 2)
		say("%s can %s %s (%s)%s", one.account, one.access.Verb(), resource, via, clueClause(s.session, one))
	}
	if more := len(s.subjects.writers) - mostCandidates; more > 0 {
		say("%d more ServiceAccounts can change %s", more, resource)
	}
	if len(s.subjects.outside) > 0 {
		outside := finding.Some(s.subjects.outside, mostNamed)
		say("%s can change %s; a controller of theirs would run outside the cluster", outside, resource)
	}
	if s.subjects.everyone != nil {
		group := "every ServiceAccount"
		if s.subjects.everyone.Namespace != "" {
			group += " in " + s.subjects.everyone.Namespace
		}
		say("%s, %s, can change %s", s.subjects.everyone.Group, group, resource)
	}
	if len(s.subjects.writers) > 0 || s.subjects.everyone != nil {
		return
	}
	s.subjects.noRights = &finding.Phrase{Situation: "NobodyHasRights", Details: finding.AbsenceDetails{
		Resource: resource, Outside: len(s.subjects.outside) > 0, Ordinary: accounts(s.subjects.ordinary),
		Unbound: s.unbound(),
	}}
	s.note("RBAC", voiceAsOf(s.session).Observed(*s.subjects.noRights))
	observeUnbound(s, resource)
	for _, one := range s.subjects.limited[:min(len(s.subjects.limited), mostCandidates)] {
		rights := voiceAsOf(s.session).Phrase(one.rights(resource))
		say("%s %s (%s)%s", one.account, rights, finding.Some(one.access.Via, 2), clueClause(s.session, one))
	}
}

// rights is what an account may do that may not do enough.
func (c *candidate) rights(resource string) finding.Phrase {
	clue := finding.Clue{Resource: resource}
	switch {
	case c.access.Write, c.access.Ordinary.Write:
		clue.Verb = c.access.Verb()
		return finding.Phrase{Situation: "MayUpdate", Details: clue}
	case c.access.Finalizers:
		clue.Verb = c.access.FinalizersVerb()
		return finding.Phrase{Situation: "MayUpdateFinalizers", Details: clue}
	case c.access.Status:
		clue.Verb = c.access.StatusVerb()
		return finding.Phrase{Situation: "MayUpdateStatus", Details: clue}
	case len(c.access.Elsewhere) > 0:
		clue.Names, clue.Verb = c.access.Elsewhere, c.access.VerbElsewhere()
		return finding.Phrase{Situation: "MayUpdateElsewhere", Details: clue}
	case c.operates != nil || c.byNameOnly || !c.access.Read:
		return finding.Phrase{Situation: "MayNotUpdate", Details: clue}
	case c.access.Makes:
		return finding.Phrase{Situation: "MayMakeAndRead", Details: clue}
	}
	return finding.Phrase{Situation: "MayOnlyRead", Details: clue}
}

func accounts(candidates []*candidate) []string {
	return finding.Each(candidates, func(one *candidate) string { return one.account.String() })
}

// clueClause completes an observation of a candidate by what else points at it.
func clueClause(reads *session.Session, c *candidate) string {
	told := c.signs.Phrases()
	if len(told) == 0 {
		return ""
	}
	return "; it " + finding.And(voiceAsOf(reads).Phrases(told))
}
