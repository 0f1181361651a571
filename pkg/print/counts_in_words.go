package print

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// numbers writes the numbers of causes: "cause 1", "causes 1 and 2".
func numbers(group []int) string {
	if len(group) == 1 {
		return fmt.Sprintf("cause %d", group[0]+1)
	}
	return "causes " + finding.And(finding.Each(group, func(number int) string { return fmt.Sprint(number + 1) }))
}

func since(now time.Time, item result.ListItem) string {
	return finding.Voice{Now: now, Undated: item.Undated}.Ago(item.Deletion.RequestedAt)
}

// some names things: all of them, or, where that are many, a few and how many are left.
func some[T any](things []T, name func(T) string, few int, all bool, left string) string {
	if all || len(things) <= few+1 {
		return strings.Join(finding.Each(things, name), ", ")
	}
	return fmt.Sprintf("%s and %d %s", strings.Join(finding.Each(things[:few], name), ", "), len(things)-few, left)
}

func (d *drawing) age(at *time.Time) string {
	if at == nil {
		return ""
	}
	return finding.Voice{Now: d.tree.GeneratedAt, Undated: d.tree.Undated}.Ago(*at)
}

// certainty says in brackets how certain something is. Where it isn't at all, the reason says so.
func certainty(of finding.Certainty) string {
	if of == "" || of == finding.Unknown {
		return ""
	}
	return " (" + strings.ToLower(string(of)) + ")"
}

// outcomesInWords counts what would come of several deletions.
func outcomesInWords(items []result.Preview) string {
	words := []struct {
		outcome result.Outcome
		text    string
	}{
		{result.WouldBeRefused, "would be refused"}, {result.WouldHang, "would hang"}, {result.MayHang, "may hang"},
		{result.AlreadyDeleted, "were requested before"}, {result.WouldGo, "would finish"},
	}
	var parts []string
	for _, word := range words {
		count := 0
		for _, item := range items {
			if item.Outcome == word.outcome {
				count++
			}
		}
		switch count {
		case 0:
		case len(items):
			parts = append(parts, "all "+word.text)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", count, word.text))
		}
	}
	return fmt.Sprintf("Of %d deletions, %s.", len(items), finding.And(parts))
}
