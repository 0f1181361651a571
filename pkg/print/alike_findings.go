package print

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// alikeFindings groups findings in their order: what one program is to blame for, and the same steps repair, is one
// for a person, whatever the kinds and finalizers.
func alikeFindings(findings []result.Finding) [][]result.Finding {
	type fault struct {
		number   int // of a finding that is alone
		severity result.Severity
		reason   finding.Reason
		key      string
	}
	number := 0
	return groupBy(findings, func(f result.Finding) fault {
		number++
		if f.AtFault == "" {
			return fault{number: number}
		}
		parts := []any{f.AtFault, f.Certainty}
		for _, remedy := range f.Remedies {
			parts = append(parts, remedy.Action, remedy.Command)
		}
		return fault{severity: f.Severity, reason: f.Reason, key: finding.KeyOf(parts...)}
	})
}

// foremostFindings are the first ones of the groups.
func foremostFindings(groups [][]result.Finding) []result.Finding {
	return finding.Each(groups, func(alike []result.Finding) result.Finding { return alike[0] })
}

// alsoBlocked are the objects of findings that are one for a person, but for the first one's.
func alsoBlocked(alike []result.Finding) []finding.Ref {
	first := findingObjects(alike[0])
	all := slices.Clone(first)
	for _, reported := range alike[1:] {
		all = append(all, findingObjects(reported)...)
	}
	return unique(all)[len(unique(first)):]
}
