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
	for _, one := range s.pending {
		if one.What == result.IsGone {
			gone[one.Objects[0].Place()] = true
		}
	}
	for _, one := range s.pending {
		if one.What != result.IsGone && len(one.Objects) > 0 && gone[one.Objects[0].Place()] {
			continue
		}
		alike := func(other result.Change) bool {
			return one.Alike(other) && !s.isTarget(one.Objects[0]) && !s.isTarget(other.Objects[0])
		}
		if i := slices.IndexFunc(all, alike); i >= 0 {
			all[i].Objects = append(all[i].Objects, one.Objects...)
		} else {
			one.Objects = slices.Clone(one.Objects)
			all = append(all, one)
		}
	}
	s.pending = nil
	slices.SortStableFunc(all, func(a, b result.Change) int { return int(a.What) - int(b.What) })
	return all
}
