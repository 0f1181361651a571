package signs

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestSignTable walks the table: each kind has a row and a clause, evidence never lowers a score, and a name weighs
// less than what a program does or set.
func TestSignTable(t *testing.T) {
	rows := table()
	for kind, row := range rows {
		rights := &finding.Phrase{Situation: "MayOnlyRead", Details: finding.Clue{}}
		one := Of(kind, finding.Clue{Name: "x", Rights: rights})
		if said := (finding.Voice{}).Phrase(one.Phrase()); said == "" || strings.Contains(said, "no words") {
			t.Errorf("%s: no clause tells it", kind)
		}
		if row.apart == (len(List{one}.Phrases()) > 0) && row.weight >= 0 {
			t.Errorf("%s: sentences and the table don't differ by what is told apart", kind)
		}
		name := strings.HasPrefix(string(kind), "NamedAs") || strings.HasPrefix(string(kind), "CalledAs")
		if name && !row.setter && !row.acts && row.weight > NameAlone {
			t.Errorf("%s: a name alone weighs %d, more than %d", kind, row.weight, NameAlone)
		}
		if row.setter && row.general || row.acts && row.general {
			t.Errorf("%s ties a program to the finalizer, and is general", kind)
		}
		for other := range rows {
			before := List{}.With(other, finding.Clue{})
			after := before.With(kind, finding.Clue{})
			if row.weight >= 0 && after.Score() < before.Score() || row.weight < 0 && after.Score() > before.Score() {
				t.Errorf("%s after %s: score %d, before %d", kind, other, after.Score(), before.Score())
			}
			if len(after.With(kind, finding.Clue{})) != len(after) {
				t.Errorf("%s counts twice", kind)
			}
		}
	}
}

// TestScoreIsSumOfShown adds up what the table of signs shows: it is the score, also where one word speaks twice.
func TestScoreIsSumOfShown(t *testing.T) {
	all := List{}.With(NamedAsProject, finding.Clue{}, "acme").With(HoldsNamedLease, finding.Clue{}, "Acme").
		With(RunsOnEachNode, finding.Clue{}).With(NamedAsKind, finding.Clue{}, "shop")
	sum := 0
	for _, shown := range all.Shown() {
		sum += shown.Weight
	}
	if want := 4; sum != want || all.Score() != want {
		t.Errorf("the table adds up to %d, and the score is %d; want %d", sum, all.Score(), want)
	}
}
