package follow

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// answer takes in what a look has found, and returns whether that is anything new, besides that less is left.
func (s *story) answer(at time.Time, answer *Answer) (differs bool) {
	for _, one := range answer.Gone {
		if target := one.Objects[0]; s.vanished(at, target) == nothing && !s.gone[target.UID] {
			s.gone[target.UID] = true // by a name alone
			s.tell(report.Change{At: at, What: report.IsGone, Objects: one.Objects})
		}
	}
	s.compare(at, answer)
	said := map[finding.Ref]string{}
	for _, item := range answer.Items {
		place := item.Target.Place()
		said[place] = item.key
		if item.Target != (finding.Ref{}) {
			s.targets[place] = item
		}
		if s.items[place] != item.key {
			s.tell(report.Change{At: at, What: report.NowSays, Text: item.Text})
		}
	}
	s.items = said
	if answer.Unread <= s.unread {
		for _, one := range s.causes {
			if _, there := s.things[one.object]; there && !slices.Contains(answer.causes, one) {
				about := []finding.Ref{one.object}
				s.tell(report.Change{At: at, What: report.IsCleared, Objects: about, Reason: one.reason})
			}
		}
	}
	s.causes, s.unread, s.told = slices.Clone(answer.causes), answer.Unread, true
	return slices.ContainsFunc(s.pending, func(one report.Change) bool { return !one.Counts() })
}

// compare puts what an answer speaks of in the place of what the one before spoke of.
func (s *story) compare(at time.Time, answer *Answer) {
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
		switch {
		case known == nil || known.ref.UID != node.UID:
			if node.Terminating && s.told {
				s.tell(report.Change{At: at, What: report.HasJoined, Objects: []finding.Ref{node.Ref}})
			}
			known = &next
		case known.terminating && !node.Terminating: // it was not described this time: a deletion is never undone
		case known.version == "" || next.version != "":
			s.update(at, known, next)
		}
		now[place] = known
	}
	for place, known := range s.things {
		switch {
		case now[place] != nil || !known.terminating || s.isTarget(known.ref):
		case answer.Complete:
			s.vanished(at, known.ref)
		case !answer.Over: // else nothing waits any more
			s.tell(report.Change{At: at, What: report.IsPassed, Objects: []finding.Ref{known.ref}})
		}
	}
	s.things = now
}

func finalizersOf(node graph.Node) (names []string) {
	for _, hold := range node.Holds {
		if hold.Type == finding.Finalizer {
			names = append(names, hold.Name)
		}
	}
	return names
}
