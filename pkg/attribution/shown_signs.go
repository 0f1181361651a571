package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// withSigns adds to what an answer says of a controller which signs point at each program that was considered.
func withSigns(answer session.Answer, programs []finding.ProgramSigns) session.Answer {
	for cause := range answer.AllCauses() {
		cause.Signs, cause.Evidence = programs, finding.QuotedOnce(cause.Evidence)
	}
	for _, notes := range [][]finding.Finding{answer.Progress, answer.Open} {
		for i := range notes {
			notes[i].Signs, notes[i].Evidence = programs, finding.QuotedOnce(notes[i].Evidence)
		}
	}
	return answer
}

// considered are the programs that were considered as the controller: the chosen one first, then the ones to which more
// points, and behind each the ones that share its ServiceAccount. The first of those with rights on the kind are among
// them that were not looked at.
func considered(s search, found decision) (programs []finding.ProgramSigns) {
	chosen := found.candidate
	met := slices.Clone(s.met)
	for _, c := range s.subjects.writers {
		if !slices.Contains(met, c) && len(met) < mostConsidered {
			met = append(met, c)
		}
	}
	sortByScore(met)
	is := func(c *candidate) bool { return chosen != nil && *c.ref() == *chosen.ref() }
	slices.SortStableFunc(met, func(a, b *candidate) int { return session.FalseFirst(!is(a), !is(b)) })
	for _, c := range met {
		state := c.fares()
		if is(c) && c.quiet != nil && found.state != Running {
			state = c.quiet.status
		}
		programs = append(programs, finding.ProgramSigns{
			Program: *c.ref(), Chosen: is(c), State: state, Score: c.score(),
			Signs: slices.Concat(c.granted.Shown(), c.signs.Shown()),
		})
		for _, other := range c.sharing {
			programs = append(programs, finding.ProgramSigns{
				Program: other.ref(c.namespace), State: finding.Phrase{Situation: "SharesAccount"},
				Score: other.signs.Score(), Signs: other.signs.Shown(),
			})
		}
	}
	return programs
}

// mostConsidered is how many programs an answer tells the signs of.
const mostConsidered = 8

// meet remembers that a candidate was examined.
func meet(s *search, c *candidate) {
	s.finder.remember(c)
	if !slices.Contains(s.met, c) {
		s.met = append(slices.Clip(s.met), c)
	}
}

// fares is how a candidate fares.
func (c *candidate) fares() finding.Phrase {
	if c.state == candidateDown {
		return c.status
	}
	return map[candidateState]finding.Phrase{
		"":                 {Situation: "NotExamined"},
		candidateAlive:     {Situation: "ProgramRuns"},
		candidateIdle:      {Situation: "ProgramIsIdle"},
		candidateGone:      {Situation: "AccountIsNotThere"},
		candidateElsewhere: {Situation: "ActsElsewhere"},
		candidateUnclear:   {Situation: "SharesWithOthers"},
	}[c.state]
}
