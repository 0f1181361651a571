package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// decision is what the search for a controller came to, about whichever candidate.
type decision struct {
	state     PresenceState // nothing where what was readable doesn't tell
	candidate *candidate    // nil if the decision is about no controller
}

// nobody is the state of a controller to which nothing leads.
const nobody PresenceState = "Nobody"

// suspect reports whether enough points at a candidate that may not remove the finalizer to say that it should be able
// to: rights that only those have who manage the kind, or what it wrote, holds, answers or is told. That it reads the
// kind, and a name, are not enough, where another program is known to have set the finalizer or to have led.
func (s *search) suspect(c *candidate) bool {
	if c.access != nil && (c.access.Finalizers || c.access.Status || len(c.access.Elsewhere) > 0) {
		return true
	}
	if s.forOtherDuty(c) {
		return false
	}
	strong := []string{"HoldsLease", "AnswersFor", "MentionsName", "NamedAsRole"}
	if len(s.unbound()) > 0 { // an account has lost these rights
		strong = append(strong, "NamedAsProjectsOperator")
	}
	// What may not even read the kind has only a name in common with who set the finalizer: one of its own, then.
	operates := naming.LooksLikeOperator(c.name()) || naming.LooksLikeOperator(c.account.Name)
	if c.access != nil || operates && !naming.Generic(c.name()) {
		strong = append(strong, "NamedAsManager", "SetTheFinalizer")
	}
	for _, clue := range c.clues {
		if slices.Contains(strong, clue.Situation) {
			return true
		}
	}
	if s.lostRights(c) {
		return true
	}
	another := len(s.criteria.managers) > 0 || c.led != "" || len(s.gone) > 0 // program is known of, if only by its name
	return c.leads || c.access != nil && operates && len(c.clues) > 0 && !another
}

// mayDoEverything reports whether a candidate to whom other traces lead may remove the finalizer because it may do all.
func mayDoEverything(subjects subjects, c *candidate) bool {
	return slices.ContainsFunc(subjects.ordinary, func(other *candidate) bool { return other.account == c.account })
}

// forOtherDuty reports whether a candidate's name says that it has another duty than to reconcile.
func (s *search) forOtherDuty(c *candidate) bool {
	return s.otherDuty(c.name()) || s.otherDuty(c.account.Name)
}

// otherDuty reports whether a name says that a program has another duty than to reconcile, beside what it says of the
// kind: the proxy-operator of Proxies reconciles them, and their proxy-exporter doesn't.
func (s *search) otherDuty(name string) bool {
	kind := wordsOfKind(s.criteria, s.byDomain)
	rest := slices.DeleteFunc(naming.NameWords(name), func(word string) bool { return slices.Contains(kind, word) })
	return naming.NamedForOtherDuty(strings.Join(rest, "-"))
}

// among decides between those whom RBAC lets remove the finalizer.
func (s *search) among(ctx context.Context, candidates []*candidate) (found decision) {
	var alive, down *candidate
	defer func() { s.rememberRivals(found.candidate, candidates) }()
	for _, c := range candidates[:min(len(candidates), mostCandidates)] {
		switch {
		case !s.examine(ctx, c), c.state == candidateUnclear:
			s.possible, s.shared = append(s.possible, c.unclear...), c.unclear
			return decision{}
		case c.state == candidateAlive:
			alive = better(alive, c)
		case c.state == candidateDown:
			down = better(down, c)
		default:
			s.gone = append(s.gone, c)
		}
		if alive != nil && (alive.leads || len(alive.clues) > 0) && !anotherIsMeant(s.finder, s.criteria, alive) {
			break
		}
	}
	wroteIt := down != nil && len(s.criteria.managers) > 0 && down.wroteEntry() && !alive.wroteEntry()
	switch {
	case alive != nil && !wroteIt && (down == nil || down.score <= alive.score):
		return decision{Running, alive}
	case down != nil:
		return decision{Down, down}
	case len(candidates) > mostCandidates: // not everybody was looked at
		for _, c := range candidates[mostCandidates:] {
			s.possible = append(s.possible, *c.ref())
		}
		return decision{}
	}
	return decision{state: Missing}
}

// wroteEntry reports whether a candidate has the name of who wrote the entry.
func (c *candidate) wroteEntry() bool {
	return c != nil && c.hasClue("NamedAsManager", "SetTheFinalizer")
}

func (c *candidate) hasClue(situations ...string) bool {
	return slices.ContainsFunc(c.clues,
		func(clue finding.Phrase) bool { return slices.Contains(situations, clue.Situation) })
}

// anotherIsMeant reports whether there is an objection to a candidate that has nothing but its rights: another program
// wrote the entry, or the catalogue names other workloads. That it leads means nothing if it is known for other tasks.
func anotherIsMeant(finder *Finder, criteria criteria, c *candidate) bool {
	if c == nil || c.leads && !knownForOthers(finder, criteria, c) || c.wroteEntry() ||
		c.hasClue("MentionsName", "HoldsLease", "AnswersFor") {
		return false
	}
	described := c.hasClue("DescribedByName", "DescribedByLabels", "DescribedByContainer")
	return !described && (len(criteria.managers) > 0 ||
		criteria.known != nil && criteria.driver == "" && searchable(criteria))
}

// bound reports whether something specific binds a candidate to the finalizer: more than that it may update everything,
// or objects that many may update, and bears a general name.
func bound(criteria criteria, byDomain bool, c *candidate) bool {
	own := c.access != nil && (c.access.Write || len(c.access.Elsewhere) > 0)
	if criteria.known != nil || c.operates != nil || own && !byDomain {
		return true
	}
	general := []string{"NamedAsKind", "NamedAsOperator", "ChangesKindElsewhere"}
	return slices.ContainsFunc(c.clues, func(clue finding.Phrase) bool {
		return !slices.Contains(general, clue.Situation)
	})
}

// knownForOthers reports whether the catalogue names a candidate's workload, where it is usually installed, as the one
// that removes other finalizers than this.
func knownForOthers(finder *Finder, criteria criteria, c *candidate) bool {
	if criteria.known == nil || c.workload == nil {
		return false
	}
	name := c.workload.Ref.Kind + "/" + c.workload.Ref.Name
	return !matchesAny(criteria.known.Workloads, name) &&
		slices.ContainsFunc(finder.Plugins.All(), func(other plugins.Finalizer) bool {
			return slices.Contains(other.Workloads, name) && matchesAny(other.Namespaces, c.namespace)
		})
}

// better returns the candidate at which more points, the first of equals; one may be nil.
func better(a, b *candidate) *candidate {
	if a == nil || b.score > a.score {
		return b
	}
	return a
}

// rememberRivals remembers who else may be the controller: not looked at, or there too, and as much points at them.
func (s *search) rememberRivals(chosen *candidate, candidates []*candidate) {
	if chosen == nil {
		return
	}
	for _, c := range candidates {
		if c != chosen && c.state != candidateGone && c.state != candidateIdle && 2*c.score >= chosen.score {
			s.rivals = append(s.rivals, c)
		}
	}
}
