package follow

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// answer takes in what a look has found, and returns whether that is anything new, besides that less is left.
func (s *story) answer(at time.Time, answer *Answer) (differs bool) {
	for _, change := range answer.Gone {
		if target := change.Objects[0]; s.vanished(at, target) == nothing && !s.gone[target.UID] {
			s.gone[target.UID] = true // by a name alone
			s.tell(result.Change{At: at, What: result.IsGone, Objects: change.Objects})
		}
	}
	newly := without(answer.gaps(), s.unread)
	if !s.told {
		newly = nil
	}
	s.compare(at, answer, newly)
	said := map[finding.Ref]string{}
	for _, item := range answer.Items {
		place := item.Target.Place()
		said[place] = item.key
		if item.Target != (finding.Ref{}) {
			s.targets[place] = item
		}
		if s.items[place] != item.key {
			s.tell(result.Change{At: at, What: result.NowSays, Text: item.Text})
		}
	}
	s.items = said
	s.told = true
	if len(newly) == 0 {
		for _, one := range s.causes {
			if answer.speaksOf(one.object) && s.things[one.object] != nil && !slices.Contains(answer.causes, one) {
				cleared := result.Change{At: at, What: result.IsCleared, Reason: one.reason, Objects: []finding.Ref{one.object}}
				if slices.ContainsFunc(answer.causes, one.besides) {
					cleared.Finalizer = one.finalizer
				}
				s.tell(cleared)
			}
		}
		s.causes = slices.Clone(answer.causes)
	}
	if !s.kept {
		s.unread = answer.gaps()
	}
	return slices.ContainsFunc(s.pending, func(change result.Change) bool { return !change.Counts() })
}

// compare puts what an answer speaks of in the place of what the one before spoke of. What it doesn't speak of is kept
// where it could read less: newly are the gaps that it has.
func (s *story) compare(at time.Time, answer *Answer, newly map[gap]bool) {
	now := map[finding.Ref]*thing{}
	for _, node := range answer.nodes {
		if s.gone[node.UID] && node.UID != "" {
			continue // the answer is older than what was seen
		}
		place := node.Place()
		next := thing{
			ref: node.Ref, terminating: node.Terminating, finalizers: finalizersOf(node),
			version: answer.Versions[place],
		}
		known := s.things[place]
		if known != nil && known.unread {
			known.unread = false
			s.tell(result.Change{At: at, What: result.IsReadAgain, Objects: []finding.Ref{node.Ref}})
		}
		switch {
		case known == nil || known.ref.UID != node.UID:
			if node.Terminating && s.told {
				s.tell(result.Change{At: at, What: result.HasJoined, Objects: []finding.Ref{node.Ref}})
			}
			known = &next
		case known.terminating && !node.Terminating: // it was not described this time: a deletion is never undone
		case known.version == "" || next.version != "":
			s.update(at, known, next)
		}
		now[place] = known
	}
	s.kept = false
	for place, known := range s.things {
		switch {
		case now[place] != nil || !known.terminating || s.isTarget(known.ref):
		case answer.hides(newly, known.ref):
			if !known.unread {
				s.tell(result.Change{At: at, What: result.IsUnread, Objects: []finding.Ref{known.ref}})
			}
			known.unread = true
			now[place], s.kept = known, true
		case s.isContent(known.ref): // the namespace's conditions lead to it, and may leave it out
			now[place] = known
		case len(newly) > 0 && !answer.listed: // what leads to it may be what could not be read
			now[place], s.kept = known, true
		case answer.Complete:
			s.vanished(at, known.ref)
		case !answer.Over: // else nothing waits any more
			s.tell(result.Change{At: at, What: result.IsPassed, Objects: []finding.Ref{known.ref}})
		}
	}
	s.things = now
}

// isContent reports whether an object is in a namespace that is a target, which it is in the way of as long as it is
// there. After a restart of the API server, the namespace's controller may miss its kind, and the conditions with it
// (docs/deletion.md#why-the-conditions-mislead).
func (s *story) isContent(object finding.Ref) bool {
	for place, target := range s.targets {
		if place.Kind == "Namespace" && place.Name == object.Namespace && !s.gone[target.Target.UID] {
			return true
		}
	}
	return false
}

// speaksOf reports whether an object is in an answer.
func (a *Answer) speaksOf(place finding.Ref) bool {
	return slices.ContainsFunc(a.nodes, func(node graph.Node) bool { return node.Place() == place })
}

// waiting returns the objects that are still in the way, as far as is known.
func (s *story) waiting() (refs []finding.Ref) {
	for _, one := range s.things {
		if one.terminating {
			refs = append(refs, one.ref)
		}
	}
	slices.SortFunc(refs, finding.Compare)
	return refs
}

func finalizersOf(node graph.Node) (names []string) {
	for _, hold := range node.Holds {
		if hold.Type == finding.Finalizer {
			names = append(names, hold.Name)
		}
	}
	return names
}
