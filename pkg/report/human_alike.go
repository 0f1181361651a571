package report

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// alikes groups the causes of a diagnosis, by their indexes: those of one object that differ in nothing but their
// finalizers are told together.
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
	if a.Finalizer == "" || b.Finalizer == "" || len(a.Also)+len(b.Also) > 0 {
		return false
	}
	return a.Reason == b.Reason && a.Situation == b.Situation && a.Object == b.Object && a.Certainty == b.Certainty &&
		a.Count == b.Count && a.Frees == b.Frees && reflect.DeepEqual(a.Details, b.Details) &&
		slices.Equal(a.Others, b.Others) && slices.Equal(a.Candidates, b.Candidates) && slices.Equal(a.Unread, b.Unread) &&
		len(a.Evidence) == len(b.Evidence) && slices.EqualFunc(a.Remedies, b.Remedies, finding.Remedy.SameStep)
}

// numbers writes the numbers of causes: "cause 1", "causes 1 and 2".
func numbers(group []int) string {
	if len(group) == 1 {
		return fmt.Sprintf("cause %d", group[0]+1)
	}
	return "causes " + finding.And(finding.Each(group, func(number int) string { return fmt.Sprint(number + 1) }))
}
