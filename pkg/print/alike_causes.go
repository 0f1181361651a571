package print

import (
	"reflect"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// alikes groups causes, by their indexes: those of one object that differ in nothing but their finalizers are one.
func alikes(causes []result.RootCause) (groups [][]int) {
	about := map[finding.Ref][]int{} // the numbers of the groups about an object
	for number, cause := range causes {
		of := about[cause.Object]
		at := slices.IndexFunc(of, func(group int) bool { return alikeBut(causes[groups[group][0]], cause) })
		if at < 0 {
			about[cause.Object] = append(of, len(groups))
			groups = append(groups, []int{number})
		} else {
			groups[of[at]] = append(groups[of[at]], number)
		}
	}
	return groups
}

func alikeBut(a, b result.RootCause) bool {
	if a.Finalizer == "" || b.Finalizer == "" || len(a.Also)+len(b.Also) > 0 {
		return false
	}
	return a.Reason == b.Reason && a.Situation == b.Situation && a.Object == b.Object && a.Certainty == b.Certainty &&
		a.Count == b.Count && a.Frees == b.Frees && reflect.DeepEqual(a.Details, b.Details) &&
		slices.Equal(a.Others, b.Others) && slices.Equal(a.Candidates, b.Candidates) &&
		slices.Equal(a.Unread, b.Unread) &&
		len(a.Evidence) == len(b.Evidence) && slices.EqualFunc(a.Remedies, b.Remedies, finding.Remedy.SameStep)
}

// moreAlike is how many more objects share a cause that the same commands are for: those of its object's kind.
func moreAlike(c result.RootCause) int {
	alike := c.Count - 1
	for _, other := range c.Others {
		if other.Kind != c.Object.Kind {
			alike--
		}
	}
	return alike
}

func causeObjects(c result.RootCause) []finding.Ref {
	return append([]finding.Ref{c.Object}, c.Others...)
}
