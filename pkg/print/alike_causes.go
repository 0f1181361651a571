package print

import (
	"reflect"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// alikes groups causes, by their indexes: those of one object that differ in nothing but their finalizers are one.
func alikes(causes []result.RootCause) (groups [][]int) {
	for number, cause := range causes {
		at := slices.IndexFunc(groups, func(group []int) bool { return alikeBut(causes[group[0]], cause) })
		if at < 0 {
			groups = append(groups, []int{number})
		} else {
			groups[at] = append(groups[at], number)
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
