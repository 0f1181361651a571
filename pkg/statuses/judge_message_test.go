package statuses_test

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

type messages struct {
	Project            string
	Bad, Good, Neutral []string
}

// TestJudge measures the judge of words on what controllers say, and on the half of it that was held out.
func TestJudge(t *testing.T) {
	data, err := os.ReadFile("testdata/messages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var corpus struct{ Tuned, Seen, HeldOut []messages }
	if err := yaml.UnmarshalStrict(data, &corpus); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, half := range []struct {
		name     string
		messages []messages
		atLeast  int // found of 100 that are bad
	}{{"tuned", corpus.Tuned, 90}, {"seen", corpus.Seen, 90}, {"held out", corpus.HeldOut, 90}} {
		bad, found, others, blamed := 0, 0, 0, 0
		for _, of := range half.messages {
			for _, words := range of.Bad {
				bad++
				if sense := statuses.Judge(words); sense == statuses.Trouble {
					found++
				} else {
					t.Logf("%s, %s: %q is trouble, and was taken for %q", half.name, of.Project, words, sense)
				}
			}
			for sort, list := range map[string][]string{"good": of.Good, "neutral": of.Neutral} {
				for _, words := range list {
					others++
					if statuses.Judge(words) == statuses.Trouble {
						blamed++
						t.Errorf("%s, %s: %q is %s, and was taken for trouble", half.name, of.Project, words, sort)
					}
				}
			}
		}
		t.Logf("%s: found %d of %d bad messages; took %d of %d others for bad", half.name, found, bad, blamed, others)
		if 100*found < half.atLeast*bad {
			t.Errorf("%s: found %d of %d bad messages, want %d of 100", half.name, found, bad, half.atLeast)
		}
		total += bad + others
	}
	if total < 220 {
		t.Errorf("%d messages are too few to measure by", total)
	}
}
