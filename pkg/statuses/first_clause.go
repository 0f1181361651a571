package statuses

import (
	"regexp"
	"slices"
)

// FirstClause is the part of words that says what failed, before why it did: "failed to delete Bolt x" of "failed to
// delete Bolt x: timeout". It is empty where that part says already what something is held up by.
func FirstClause(words string) string {
	first := regexp.MustCompile(`: |, |; | because | since | as | while | until `).Split(words, 3)
	clause := first[0]
	if len(first) > 1 && !IsStatement(clause) { // a reason, or the name of an object
		clause += " " + first[1]
	}
	said := Split(clause)
	if slices.ContainsFunc([]string{
		"block", "blocks", "blocked", "still", "in use", "attached", "depends", "dependent", "refers", "referenced", "exists",
		"waiting", "waits",
	}, said.has) {
		return ""
	}
	return clause
}
