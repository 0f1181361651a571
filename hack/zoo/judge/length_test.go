package judge

import "testing"

func TestLinesOfLosses(t *testing.T) {
	const answer = `Stuck: it waits.

DELETED WITH IT
  - The DATA of Secret a/b.
  - ALL CLAIMS of
    StatefulSet a/c.

WHAT TO DO
  1. Do this.
       kubectl do this
     Loses: the DATA of Secret a/b,
            and more.
  2. Do that.
            which is far to the right
`
	if got := linesOfLosses(answer); got != 6 {
		t.Errorf("%d lines, want 6", got)
	}
}
