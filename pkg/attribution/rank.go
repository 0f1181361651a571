package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// ranking is what follows from the signs of examined candidates.
type ranking struct {
	found decision
	// equals are others that are there and at which as much points as at the chosen one.
	equals []*candidate
	gone   []*candidate // that are not there, the setter first
	looked []*candidate
}

// rank decides between candidates that were examined, the likeliest first, whom RBAC lets remove the finalizer.
//
//   - Who set the finalizer is its controller, before anyone who only has the same rights: if that one is down, that is
//     the answer, and if it is gone, another one is the controller only if something else ties it to the finalizer.
//   - Else more signs decide, and of equals the one that runs.
func rank(looked []*candidate) ranking {
	r := ranking{looked: looked}
	var alive, down *candidate
	for _, c := range looked {
		switch c.state {
		case candidateElsewhere:
		case candidateAlive:
			alive = better(alive, c)
		case candidateDown:
			down = better(down, c)
		default:
			r.gone = append(r.gone, c)
		}
	}
	slices.SortStableFunc(r.gone, func(a, b *candidate) int {
		return session.FalseFirst(!a.wroteEntry(), !b.wroteEntry())
	})
	setterIsDown := down.wroteEntry() && !alive.wroteEntry()
	setterIsGone := len(r.gone) > 0 && r.gone[0].wroteEntry() && !alive.tied() && !down.tied()
	switch {
	case alive == nil && down == nil, setterIsGone:
		r.found = decision{state: Missing}
	case alive != nil && !setterIsDown && (down == nil || down.score() <= alive.score()):
		r.found = decision{Running, alive}
	default:
		r.found = decision{Down, down}
	}
	if chosen := r.found.candidate; chosen != nil {
		for _, c := range looked {
			there := c == alive || c.state == chosen.state || c == down
			if c != chosen && there && c.score() == chosen.score() && (!setterIsDown || c.wroteEntry()) {
				r.equals = append(r.equals, c)
			}
		}
	}
	return r
}

// contested reports whether no sign tells the chosen candidate from another one that was examined.
func (r ranking) contested() bool {
	chosen := r.found.candidate
	return chosen != nil && len(r.looked) > 1 && !chosen.wroteEntry() && !chosen.tied() ||
		len(r.equals) > 0
}

// rivals are who else may be the controller, the likelier first: not looked at, or there too, and not much less
// points at them. Where the setter was chosen, no one else is; where it is gone, they are who has the same rights.
func (r ranking) rivals(rest []*candidate) (others []*candidate) {
	chosen := r.found.candidate
	if chosen.wroteEntry() {
		return nil
	}
	for _, c := range slices.Concat(r.looked, rest) {
		there := c != chosen && c.state != candidateGone && c.state != candidateIdle && c.state != candidateElsewhere
		if there && !slices.Contains(r.equals, c) && (chosen == nil || signs.RivalTimes*c.score() >= chosen.score()) {
			others = append(others, c)
		}
	}
	return others
}

// addUnexamined adds to the equals who were not looked at, and at whom as much points as at the chosen one before that
// was looked at, if nothing that was found there ties it to the finalizer.
func (r *ranking) addUnexamined(rest []*candidate) {
	chosen := r.found.candidate
	if chosen == nil || chosen.wroteEntry() || chosen.tied() {
		return
	}
	for _, c := range rest {
		if c.score() == chosen.nominated {
			r.equals = append(r.equals, c)
		}
	}
}

// better returns the candidate at which more points, the first of equals; one may be nil.
func better(a, b *candidate) *candidate {
	if a == nil || b.score() > a.score() {
		return b
	}
	return a
}

// wroteEntry reports whether a candidate has the name of who wrote the entry.
func (c *candidate) wroteEntry() bool {
	return c != nil && c.signs.HasAny(signs.BySetter)
}

// tied reports whether something ties a candidate to the finalizer or its kind beside its rights and the names that
// neighbours bear too.
func (c *candidate) tied() bool {
	return c != nil && (c.leads || c.signs.HasAny(signs.ByTie) ||
		c.signs.Has(signs.NamedAsKind) && c.signs.Has(signs.NamedAsOperator))
}
