package judge

import "testing"

// TestMostLines tells answers about one cause from those about several.
func TestMostLines(t *testing.T) {
	for human, want := range map[string]int{
		"Stuck: it waits.\n\nROOT CAUSE  StillInUse\n":                       40,
		"Progressing: it runs.\n":                                            40,
		"Stuck: two.\n\nCAUSE 1 of 2  A\n\nCAUSE 2 of 2  B\n":                80,
		"Stuck: three.\n\nCAUSE 1 of 3  A\n\n2 MORE CAUSES\n":                80,
		"WouldHang: it.\n\nWOULD HANG  A\n":                                  40,
		"WouldBeRefused: it.\n\nWOULD REFUSE  A\n\nWOULD HANG  B\n":          80,
		"WouldHang: it.\n\nMAY HANG  A\n\nFINALIZERS THAT ...\n":             40,
		"Stuck: many.\n\nCAUSES 1 and 2 of 9  A\n\nCAUSE 3 of 9  B\n":        80,
		"WouldHang: it.\n\nWOULD BE DELETED UNLESS REFUSED, in this order\n": 40,
	} {
		if got := mostLines(human); got != want {
			t.Errorf("%q may take %d lines, want %d", human, got, want)
		}
	}
}

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
