package statuses_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

type messages struct {
	Project            string
	Bad, Good, Neutral []string
}

// TestJudge measures the judge of words on what controllers say, and on the parts of it that were held out: no good
// message is called trouble, and no bad one is taken to say that the deletion continues.
func TestJudge(t *testing.T) {
	data, err := os.ReadFile("testdata/messages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var corpus struct{ Tuned, Seen, HeldOut, Misleading []messages }
	if err := yaml.UnmarshalStrict(data, &corpus); err != nil {
		t.Fatal(err)
	}
	bad, others := 0, 0
	for _, part := range []struct {
		name     string
		messages []messages
		atLeast  int // found of 100 that are bad
		goesOn   int // of 100 that are good, that are taken to say that it continues
	}{
		{"tuned", corpus.Tuned, 90, 50}, {"seen", corpus.Seen, 90, 50}, {"held out", corpus.HeldOut, 90, 50},
		{"misleading", corpus.Misleading, 40, 80},
	} {
		ill, found, well, blamed, understood, good := 0, 0, 0, 0, 0, 0
		for _, message := range part.messages {
			for _, words := range message.Bad {
				ill++
				if sense := statuses.Judge(words); sense == statuses.Trouble {
					found++
				} else {
					t.Logf("%s, %s: %q is trouble, and was taken for %q", part.name, message.Project, words, sense)
				}
				if statuses.Continues(words) {
					t.Errorf("%s, %s: %q is trouble, and was taken for progress", part.name, message.Project, words)
				}
			}
			for sort, list := range map[string][]string{"good": message.Good, "neutral": message.Neutral} {
				for _, words := range list {
					well++
					if statuses.Judge(words) == statuses.Trouble {
						blamed++
						t.Errorf("%s, %s: %q is %s, and was taken for trouble", part.name, message.Project, words, sort)
					}
				}
			}
			for _, words := range message.Good {
				good++
				if statuses.Continues(words) {
					understood++
				} else {
					t.Logf("%s, %s: %q is good, and not understood", part.name, message.Project, words)
				}
			}
		}
		t.Logf("%s: found %d of %d bad messages; took %d of %d others for bad; understood %d of %d good ones", part.name,
			found, ill, blamed, well, understood, good)
		if 100*found < part.atLeast*ill || 100*understood < part.goesOn*good {
			t.Errorf("%s: found %d of %d bad messages, want %d of 100; understood %d of %d good ones, want %d of 100",
				part.name, found, ill, part.atLeast, understood, good, part.goesOn)
		}
		bad, others = bad+ill, others+well
	}
	if bad < 200 || others < 200 {
		t.Errorf("%d bad messages and %d others are too few to measure by", bad, others)
	}
}

// TestNames: what the object, its owners and what it refers to are called says nothing in words.
func TestNames(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{
			"name": "approval", "ownerReferences": []any{map[string]any{"kind": "Database", "name": "failed"}},
		},
		"spec": map[string]any{"tableRef": map[string]any{"name": "denied"}},
	}}
	names := statuses.Names(object)
	for _, words := range []string{"Deleting approval", "Deleting the rows of failed", "Deleting denied"} {
		if !statuses.Continues(words, names...) {
			t.Errorf("%q is not understood: names are %v", words, names)
		}
	}
	for _, words := range []string{"Deleting it needs approval by a person", "Deletion of the rows failed with errors"} {
		if statuses.Continues(words) {
			t.Errorf("%q was taken for progress", words)
		}
	}
}
