package report

import (
	"cmp"
	"slices"
	"strings"
)

// What a person would be told twice is found by its words: what is told has no keys yet.

// nameless is a text without the names of a finalizer and of its domain.
func nameless(text, finalizer string) string {
	text = strings.ReplaceAll(text, finalizer, "\x00finalizer")
	if domain, _, found := strings.Cut(finalizer, "/"); found && domain != "" {
		text = strings.ReplaceAll(text, domain, "\x00domain")
	}
	return text
}

// toldByObjection tells whether an objection says what a reason for a removal does.
func toldByObjection(why string, objections []Objection) bool {
	return slices.ContainsFunc(objections, func(one Objection) bool { return strings.HasSuffix(why, ": "+one.Message) })
}

// toldAbove are the guards of a plan in words that don't repeat the objections above them.
func toldAbove(plan *RemovalReport) []Guard {
	guards := slices.Clone(plan.Guards)
	for i := range guards {
		for _, item := range plan.Items {
			for _, entry := range item.Entries {
				for _, objection := range entry.Objected {
					guards[i].Why = strings.ReplaceAll(guards[i].Why, ": "+objection.Message, " (told above).")
				}
			}
		}
	}
	return guards
}

// tellsGuard tells whether something was said that says why a guard refused.
func tellsGuard(said string, guard Guard) bool { return strings.Contains(said, guard.Why) }

// groupByAwaited groups objects by what they wait for, the largest group first.
func groupByAwaited(items []ListItem) [][]ListItem {
	groups := groupBy(items, func(item ListItem) string { return item.Awaits })
	slices.SortFunc(groups, func(a, b []ListItem) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Awaits, b[0].Awaits))
	})
	return groups
}
