package judge

import (
	"strings"
	"testing"
)

// Length holds an answer of why to a screen: 40 lines for one cause, 80 for any number. Losses don't count: they are
// said in full, however many there are.
func Length(t *testing.T, human string) {
	t.Helper()
	const always, ofCause, ever = 20, 20, 80
	most := min(ever, always+ofCause*max(1, strings.Count(human, "\nCAUSE")))
	if strings.Contains(human, " MORE CAUSE") {
		most = ever
	}
	if lines := strings.Count(human, "\n") - linesOfLosses(human); lines > most {
		first, _, _ := strings.Cut(human, "\n")
		t.Errorf("the answer takes %d lines, want %d at most: %s ...", lines, most, first)
	}
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
