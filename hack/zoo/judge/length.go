package judge

import (
	"regexp"
	"strings"
	"testing"
)

// Length holds an answer of why or preview to forty lines about one cause, and eighty about any number. Losses are
// always said, and may make the answer about one cause longer, but not longer than eighty. A script to hand on doesn't
// count.
func Length(t *testing.T, human string) {
	t.Helper()
	const ever = 80
	human, _, _ = strings.Cut(human, "\nFOR AN ADMINISTRATOR\n")
	lines := strings.Count(human, "\n")
	if most := mostLines(human); lines-linesOfLosses(human) > most || lines > ever {
		first, _, _ := strings.Cut(human, "\n")
		t.Errorf("the answer takes %d lines, want %d at most: %s ...", lines, most, first)
	}
}

// mostLines is how long an answer may be: it has a heading for each cause, and one over its list of further ones.
func mostLines(human string) int {
	const ofOne, ofSeveral = 40, 80
	headings := regexp.MustCompile(`(?m)^(CAUSES? \d|WOULD REFUSE  |(WOULD|MAY) HANG  |\d+ MORE CAUSE)`)
	if len(headings.FindAllString(human, 2)) > 1 {
		return ofSeveral
	}
	return ofOne
}

// linesOfLosses is how many lines of an answer say what is deleted with the object, and what a step loses.
func linesOfLosses(human string) (count int) {
	// How each of them begins, and how its further lines do.
	forms := map[string]string{
		"DELETED WITH IT\n": "  ", "     Loses: ": "            ",
		"     When the deletion finishes, this is lost": "       ",
	}
	within, goesOn := false, ""
	for line := range strings.Lines(human) {
		within = within && strings.HasPrefix(line, goesOn)
		for begins, further := range forms {
			if strings.HasPrefix(line, begins) {
				within, goesOn = true, further
			}
		}
		if within {
			count++
		}
	}
	return count
}
