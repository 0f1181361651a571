package follow

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// tell notes a change for the next telling.
func (s *story) tell(change result.Change) { s.pending = append(s.pending, change) }

// tellings returns what has happened since it was last asked: similar changes are one, and if an object is gone,
// nothing else is said about it.
func (s *story) tellings() []result.Change {
	var all []result.Change
	gone := map[finding.Ref]bool{}
	for _, change := range s.pending {
		if change.What == result.IsGone {
			gone[change.Objects[0].Place()] = true
		}
	}
	for _, change := range s.pending {
		if change.What != result.IsGone && len(change.Objects) > 0 && gone[change.Objects[0].Place()] {
			continue
		}
		alike := func(other result.Change) bool {
			return change.Alike(other) && !s.isTarget(change.Objects[0]) && !s.isTarget(other.Objects[0])
		}
		if i := slices.IndexFunc(all, alike); i >= 0 {
			all[i].Objects = append(all[i].Objects, change.Objects...)
		} else {
			change.Objects = slices.Clone(change.Objects)
			all = append(all, change)
		}
	}
	s.pending = nil
	slices.SortStableFunc(all, func(a, b result.Change) int { return int(a.What) - int(b.What) })
	return all
}
