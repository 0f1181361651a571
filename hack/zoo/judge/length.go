package judge

import (
	"strings"
	"testing"
)

// Length holds an answer of why to a screen: 40 lines for one cause, 80 for three.
func Length(t *testing.T, human string) {
	t.Helper()
	const always, ofCause = 20, 20
	most := always + ofCause*max(1, strings.Count(human, "\nCAUSE"))
	if lines := strings.Count(human, "\n"); lines > most {
		t.Errorf("the answer takes %d lines, want %d at most:\n%s", lines, most, human)
	}
}
