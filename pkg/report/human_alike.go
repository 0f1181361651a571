package report

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// alikes groups the causes of a diagnosis, by their indexes: those of one object that are told in the same words but
// for their finalizers are told together.
func alikes(causes []RootCause) (groups [][]int) {
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

// alikeBut tells whether nothing but the finalizer tells two causes apart.
func alikeBut(a, b RootCause) bool {
	if a.Finalizer == "" || b.Finalizer == "" || len(a.Also)+len(b.Also) > 0 || a.Reason != b.Reason ||
		a.Object != b.Object || a.Certainty != b.Certainty || a.Count != b.Count || a.Frees != b.Frees ||
		!slices.Equal(a.Others, b.Others) || !slices.Equal(a.Candidates, b.Candidates) || !slices.Equal(a.Unread, b.Unread) {
		return false
	}
	same := func(one, other string) bool { return nameless(one, a.Finalizer) == nameless(other, b.Finalizer) }
	return same(a.Message, b.Message) &&
		slices.EqualFunc(a.Evidence, b.Evidence, func(one, other finding.Evidence) bool {
			return one.Source == other.Source && same(one.Observed, other.Observed)
		}) &&
		slices.EqualFunc(a.Remedies, b.Remedies, func(one, other finding.Remedy) bool {
			return one.Risk == other.Risk && same(one.Action, other.Action) && same(one.Loses, other.Loses) &&
				same(one.Command.String(), other.Command.String())
		})
}

// numbers writes the numbers of causes: "cause 1", "causes 1 and 2".
func numbers(group []int) string {
	if len(group) == 1 {
		return fmt.Sprintf("cause %d", group[0]+1)
	}
	return "causes " + finding.And(finding.Each(group, func(number int) string { return fmt.Sprint(number + 1) }))
}
