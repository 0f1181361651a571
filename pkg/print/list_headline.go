package print

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Headline is a list in one sentence.
func Headline(list *result.List) string {
	counts := map[result.Verdict]int{}
	for _, item := range list.Items {
		counts[item.Verdict]++
	}
	var parts []string
	for _, verdict := range []result.Verdict{result.Stuck, result.Undetermined, result.Progressing} {
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
		text += alone(list.Items[0].Verdict)
	case only:
		text += together(list.Items[0].Verdict)
	case len(parts) > 0:
		text += ": " + strings.Join(parts, ", ")
	}
	if causes := causesInWords(list.RootCauses); causes != "" {
		text += " (" + causes + ")"
	}
	return text + "." + inPart(list.Unreadable)
}

// alone continues the sentence about one object, and together that about several of one verdict.
func alone(verdict result.Verdict) string {
	switch verdict {
	case result.Undetermined:
		return "; it is not clear what blocks it"
	case result.Progressing:
		return "; its deletion is in progress"
	}
	return " and " + strings.ToLower(string(verdict))
}

func together(verdict result.Verdict) string {
	switch verdict {
	case result.Undetermined:
		return "; it is not clear what blocks them"
	case result.Progressing:
		return "; their deletion is in progress"
	}
	return ", all " + strings.ToLower(string(verdict))
}

// causesInWords counts causes as their headings number them, in one row, and says how many of them are unknown.
func causesInWords(causes []result.RootCause) string {
	unknown := 0
	for _, cause := range causes {
		if isUnknown(cause) {
			unknown++
		}
	}
	switch all := len(causes); {
	case all == 0:
		return ""
	case unknown == 0:
		return finding.Plural(all, "root cause")
	case unknown == all:
		return finding.Plural(all, "unknown cause")
	default:
		return fmt.Sprintf("%d causes, %d of them unknown", all, unknown)
	}
}
