package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
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
	if s.terms().forOtherDuty(c) {
		return false
	}
	operates := naming.LooksLikeOperator(c.name()) || naming.LooksLikeOperator(c.account.Name)
	switch {
	case c.signs.HasAny(signs.ByActs), s.lostRights(c):
		return true
	case len(s.unbound()) > 0 && c.signs.Has(signs.NamedAsProjectsOperator): // an account has lost these rights
		return true
	// What may not even read the kind has only a name in common with who set the finalizer: one of its own, then.
	case (c.access != nil || operates && !naming.Generic(c.name())) && c.signs.HasAny(signs.BySetter):
		return len(dutyElsewhere(s, c)) == 0
	}
	another := len(s.criteria.managers) > 0 || c.led != "" || len(s.gone) > 0 // program is known of, if only by its name
	named := c.signs.Has(
		signs.NamedAsKind, signs.NamedAsProject, signs.NamedAsKindsOperator, signs.NamedAsProjectsOperator,
	)
	return c.leads && len(operatesOthers(s, c)) == 0 || c.access != nil && operates && named && !another
}

// mayDoEverything reports whether a candidate to whom other traces lead may remove the finalizer because it may do all.
func mayDoEverything(subjects subjects, c *candidate) bool {
	return slices.ContainsFunc(subjects.ordinary, func(other *candidate) bool { return other.account == c.account })
}

// forOtherDuty reports whether a candidate's name says that it has another duty than to reconcile.
func (t terms) forOtherDuty(c *candidate) bool {
	return t.otherDuty(c.name()) || t.otherDuty(c.account.Name)
}

// otherDuty reports whether a name says that a program has another duty than to reconcile, beside what it says of the
// kind: the proxy-operator of Proxies reconciles them, and their proxy-exporter doesn't.
func (t terms) otherDuty(name string) bool {
	kind := t.ofKind()
	rest := slices.DeleteFunc(naming.NameWords(name), func(word string) bool { return slices.Contains(kind, word) })
	return naming.NamedForOtherDuty(strings.Join(rest, "-"))
}

// among decides between those whom RBAC lets remove the finalizer.
func (s *search) among(ctx context.Context, candidates []*candidate) decision {
	looked, clear := s.examineFirst(ctx, candidates)
	if !clear {
		return decision{}
	}
	ranked := rank(looked)
	unseen := setterUnseen(s, ranked.found, candidates) && !alone(s, ranked.found)
	if (ranked.contested() || unseen) && s.releaseOfKind(ctx) {
		if looked, clear = examineOwner(ctx, s, looked, candidates[len(looked):]); !clear {
			return decision{}
		}
		ranked = rank(looked)
	}
	if !addOperator(ctx, s, &ranked, candidates) {
		return decision{}
	}
	s.gone = append(s.gone, slices.DeleteFunc(ranked.gone, (*candidate).mayOnlyAsAll)...)
	if ranked.found.state == Missing && len(candidates) > len(looked) { // not everybody was looked at
		for _, c := range candidates[len(looked):] {
			s.possible = append(s.possible, *c.ref())
		}
		return decision{}
	}
	rest := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool {
		return slices.Contains(ranked.looked, c)
	})
	ranked.addUnexamined(rest)
	s.equals, s.rivals = ranked.equals, ranked.rivals(rest)
	return unlessOtherDuty(s, ranked)
}

// unlessOtherDuty is a decision, unless the chosen one is down and named for another duty, as a dashboard that may
// delete objects is, and nothing else ties it to the finalizer, while another one runs.
func unlessOtherDuty(s *search, ranked ranking) decision {
	c := ranked.found.candidate
	if ranked.found.state != Down || c.wroteEntry() || c.tied() || !s.terms().forOtherDuty(c) {
		return ranked.found
	}
	at := slices.IndexFunc(ranked.looked, func(other *candidate) bool {
		return other.state == candidateAlive && !s.terms().forOtherDuty(other)
	})
	if at < 0 {
		return ranked.found
	}
	other := ranked.looked[at]
	s.rivals = slices.DeleteFunc(s.rivals, func(rival *candidate) bool { return rival == other })
	return decision{Running, other}
}

// mayOnlyAsAll reports whether a candidate may change the kind only because it may change everything, and has not set
// the finalizer: if it is gone, that says nothing about the finalizer.
func (c *candidate) mayOnlyAsAll() bool {
	return c.access != nil && !c.access.Write && c.access.Ordinary.Write && !c.wroteEntry()
}

// examineOwner adds which of the candidates were installed with the kind. If none of the ones that were looked at was,
// it looks at some of the rest, until one is.
func examineOwner(ctx context.Context, s *search, looked, rest []*candidate) (all []*candidate, clear bool) {
	owns := func(c *candidate) bool {
		c.addRelease(s.leads.installed)
		return c.signs.Has(signs.OfSameRelease)
	}
	if len(slices.DeleteFunc(slices.Clone(looked), owns)) < len(looked) {
		return looked, true
	}
	for _, c := range rest[:min(len(rest), mostCandidates)] {
		c.nominated = c.score()
		if !s.examine(ctx, c) || c.state == candidateUnclear {
			return nil, false
		}
		if looked = append(looked, c); owns(c) {
			break
		}
	}
	return looked, true
}

// examineFirst examines candidates, the likeliest first, until one runs to which more points than to the rest. It
// answers false where it isn't clear how one of them fares.
func (s *search) examineFirst(ctx context.Context, candidates []*candidate) (looked []*candidate, clear bool) {
	for i, c := range candidates[:min(len(candidates), mostCandidates)] {
		c.nominated = c.score()
		if !s.examine(ctx, c) || c.state == candidateUnclear {
			for _, one := range c.unclear {
				s.possible = append(s.possible, *one.ref())
			}
			s.shared = c.unclear
			return nil, false
		}
		looked = append(looked, c)
		decided := c.state == candidateAlive && (c.leads || len(c.signs) > 0) &&
			!anotherIsMeant(s.finder, s.criteria, c)
		if last := i+1 == len(candidates); decided && (last || candidates[i+1].score() < c.score()) {
			break
		}
	}
	return looked, true
}

// anotherIsMeant reports whether there is an objection to a candidate that has nothing but its rights: another program
// wrote the entry, or the catalogue names other workloads. That it leads means nothing if it is known for other tasks,
// and that it wrote the entry means nothing if it is one that sets it for another program.
func anotherIsMeant(finder *Finder, criteria criteria, c *candidate) bool {
	if c == nil {
		return false
	}
	others := knownForOthers(finder, criteria, c)
	setsIt := c.wroteEntry() && !(others && criteria.known.AddedBy != criteria.known.RemovedBy)
	if c.leads && !others || setsIt || c.signs.HasAny(signs.ByActs) {
		return false
	}
	return !c.signs.HasAny(signs.ByCatalogue) && (len(criteria.managers) > 0 ||
		criteria.known != nil && criteria.driver == "" && searchable(criteria))
}

// bound reports whether something specific binds a candidate to the finalizer: more than that it may update everything,
// or objects that many may update, and bears a general name.
func bound(criteria criteria, byDomain bool, c *candidate) bool {
	own := c.access != nil && (c.access.Write || len(c.access.Elsewhere) > 0)
	if criteria.known != nil || c.operates != nil || own && !byDomain && !c.notSetter {
		return true
	}
	return c.signs.HasAny(signs.Specific)
}

// knownForOthers reports whether the catalogue names a candidate's workload, where it is usually installed or with its
// labels, as the one that removes other finalizers than this.
func knownForOthers(finder *Finder, criteria criteria, c *candidate) bool {
	if criteria.known == nil || c.workload == nil {
		return false
	}
	name := c.workload.Ref.Kind + "/" + c.workload.Ref.Name
	return !matchesAny(criteria.known.Workloads, name) &&
		slices.ContainsFunc(finder.Plugins.All(), func(other plugins.Finalizer) bool {
			return matchesAny(other.Workloads, name) &&
				(matchesAny(other.Namespaces, c.namespace) || bearsLabels(other, c.workload.Whole))
		})
}
