package judge

import (
	"regexp"
	"strings"
	"testing"
)

// Length holds an answer of why or preview to forty lines about one cause, and eighty about any number: what people read
// in a terminal, all that is lost included. A script to hand on doesn't count.
func Length(t *testing.T, human string) {
	t.Helper()
	human, _, _ = strings.Cut(human, "\nFOR AN ADMINISTRATOR\n")
	if lines, most := strings.Count(human, "\n"), mostLines(human); lines > most {
		first, _, _ := strings.Cut(human, "\n")
		t.Errorf("the answer takes %d lines, want %d at most: %s ...", lines, most, first)
	}
}

// mostLines is how long an answer may be: it has a heading for each cause, and one for those that it lists.
func mostLines(human string) int {
	const ofOne, ofSeveral = 40, 80
	headings := regexp.MustCompile(`(?m)^(CAUSES? \d|WOULD REFUSE  |(WOULD|MAY) HANG  |\d+ MORE CAUSE)`)
	if len(headings.FindAllString(human, 2)) > 1 {
		return ofSeveral
	}
	return ofOne
}
