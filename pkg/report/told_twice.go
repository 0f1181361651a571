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

// groupByAwaited groups objects by what they wait for, the largest group first.
func groupByAwaited(items []ListItem) [][]ListItem {
	groups := groupBy(items, func(item ListItem) string { return item.Key })
	slices.SortFunc(groups, func(a, b []ListItem) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Awaits, b[0].Awaits))
	})
	return groups
}
