package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestSameWordsAreOneGroup names the object before the clause continues about it, and says the same once.
func TestSameWordsAreOneGroup(t *testing.T) {
	item := func(name, key, awaits string) report.ListItem {
		return report.ListItem{Target: ref("Namespace", name), Resource: "namespaces", Verdict: report.Progressing, Key: key,
			Awaits: awaits}
	}
	list := &report.List{Items: []report.ListItem{
		item("a", "1", "the manager to empty it"), item("b", "2", "the manager to empty it"),
		item("c", "3", "the keeper to let it go, for 2m"), item("d", "3", "the keeper to let it go, for 1m"),
		item("e", "4", "the ringer to remove the finalizer from it"),
	}}
	var out bytes.Buffer
	if err := report.Print(&out, list, "human", report.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Each of these waits for the manager to empty it:", "Each of these waits for the keeper to let it go, for 2m:",
		list.Items[4].Target.String() + " waits for the ringer to remove the finalizer from it",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("it doesn't say %q once:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "1m") {
		t.Errorf("objects of one key are told apart:\n%s", &out)
	}
}
