package report

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Headline is a list in one sentence.
func Headline(list *List) string {
	counts := map[Verdict]int{}
	for _, item := range list.Items {
		counts[item.Verdict]++
	}
	var parts []string
	for _, verdict := range []Verdict{Stuck, Undetermined, Progressing} {
		if counts[verdict] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[verdict], strings.ToLower(string(verdict))))
		}
	}
	text := finding.Plural(len(list.Items), "object") + " are Terminating"
	if len(list.Items) == 1 {
		text = "1 object is Terminating"
	}
	switch only := len(parts) == 1 && counts[list.Items[0].Verdict] == len(list.Items); {
	case only && len(list.Items) == 1:
		text += " and " + strings.ToLower(string(list.Items[0].Verdict))
	case only:
		text += ", all " + strings.ToLower(string(list.Items[0].Verdict))
	case len(parts) > 0:
		text += ": " + strings.Join(parts, ", ")
	}
	unknown := 0
	for _, cause := range list.RootCauses {
		if cause.unknown() {
			unknown++
		}
	}
	parts = nil
	if known := len(list.RootCauses) - unknown; known > 0 {
		parts = append(parts, finding.Plural(known, "root cause"))
	}
	if unknown > 0 {
		parts = append(parts, finding.Plural(unknown, "unknown cause"))
	}
	if len(parts) > 0 {
		text += " (" + finding.And(parts) + ")"
	}
	return text + "." + inPart(list.Unreadable)
}
