package attribution

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestSignTable walks the table: each kind has a row and a clause, evidence never lowers a score, and a name weighs
// less than what a program does or set.
func TestSignTable(t *testing.T) {
	table := signTable()
	for kind, row := range table {
		rights := &finding.Phrase{Situation: "MayOnlyRead", Details: finding.Clue{}}
		one := signOf(kind, finding.Clue{Name: "x", Rights: rights})
		if phrase := one.phrase(); phrase.Situation != "" && (finding.Voice{}).Phrase(phrase) == "" {
			t.Errorf("%s: no clause tells it", kind)
		}
		name := strings.HasPrefix(string(kind), "NamedAs") || strings.HasPrefix(string(kind), "CalledAs")
		if name && !row.setter && !row.acts && row.weight > nameAlone {
			t.Errorf("%s: a name alone weighs %d, more than %d", kind, row.weight, nameAlone)
		}
		if row.setter && row.general || row.acts && row.general {
			t.Errorf("%s ties a program to the finalizer, and is general", kind)
		}
		for other := range table {
			before := signs{}.with(other, finding.Clue{})
			after := before.with(kind, finding.Clue{})
			if row.weight >= 0 && after.score() < before.score() || row.weight < 0 && after.score() > before.score() {
				t.Errorf("%s after %s: score %d, before %d", kind, other, after.score(), before.score())
			}
			if len(after.with(kind, finding.Clue{})) != len(after) {
				t.Errorf("%s counts twice", kind)
			}
		}
	}
}
