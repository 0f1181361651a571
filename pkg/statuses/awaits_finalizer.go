package statuses

import (
	"slices"
	"strings"
)

// AwaitsFinalizer reports whether a controller's words say that it waits for the removal of a finalizer, whose name has
// a domain: "waiting for finalizer backup.example.net/keep to be removed".
func AwaitsFinalizer(words, finalizer string) bool {
	before, after, named := strings.Cut(words, finalizer)
	if !named || !strings.Contains(finalizer, "/") || strings.HasSuffix(before, "/") || partOfName(before, after) ||
		denied(before) {
		return false
	}
	clause := Split(before)
	for i := len(clause) - 1; i >= 0; i-- {
		if clause[i].is(".", ";") {
			clause = clause[i+1:]
			break
		}
	}
	return slices.ContainsFunc([]string{
		"waiting for", "waits for", "wait for", "awaiting", "waiting on", "blocked by", "until", "held by",
	}, clause.has)
}

// partOfName reports whether the texts before and after a name are more of the same name.
func partOfName(before, after string) bool {
	more := func(r rune) bool { return inWord(r) || r == '-' }
	first, last := []rune(after), []rune(before)
	return len(first) > 0 && more(first[0]) && first[0] != '\'' ||
		len(last) > 0 && more(last[len(last)-1]) && last[len(last)-1] != '\''
}
