package removal_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestNeverMoreThanIsMissing removes, without a name, exactly what the diagnosis calls ControllerMissing, Proven.
func TestNeverMoreThanIsMissing(t *testing.T) {
	other := func(more string) string { return strings.Replace(orders, "cleanup]", "cleanup, "+more+"]", 1) }
	cases := []struct {
		name, objects string
		deny, sends   string
		override      string
	}{
		{"one of two", other("foregroundDeletion") + stale, "", "keeping [foregroundDeletion]", ""},
		{"a word that somebody made up", other("mine"), "", "keeping [mine]", ""},
		{"only likely to be missing", orders + mayWrite(theOperator) + account, "", "", ""},
		{"nobody knows", orders + mayWrite(anybody), "", "", "ControllerUnknown"},
		{"it may not be read", orders + mayWrite(theOperator), "rolebindings", "", "ControllerUnknown"},
		{"it runs", orders + mayWrite(theOperator) + account + operatorPod, "", "", "ControllerUnknown"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.objects, removal.Options{Force: true, Confirm: "yes"}, "databases.shop.example.com/orders")
			if c.override != "" {
				b.Options.Overrides = []string{c.override}
			}
			if c.deny != "" {
				b.memory.Deny(c.deny)
			}
			done := b.run(t)
			written := b.writer.written()
			switch {
			case c.sends == "" && (len(written) > 0 || done.Guards[len(done.Guards)-1].Passed && done.Outcome != result.Refused):
				t.Errorf("%s, and it sent %q", done.Summary, written)
			case c.sends != "" && (len(written) != 1 || !strings.HasSuffix(written[0], c.sends)):
				t.Errorf("it sent %q, want %q: %s", written, c.sends, done.Summary)
			}
		})
	}
}

// TestCausesNameNoList asks for an override where both lists of a Namespace have an entry of one name.
func TestCausesNameNoList(t *testing.T) {
	both := `
apiVersion: v1
kind: Namespace
metadata: {name: notes, uid: notes-1, resourceVersion: "7",
  deletionTimestamp: 2026-01-02T02:00:00Z, finalizers: [example.com/x]}
spec: {finalizers: [example.com/x]}
`
	b := newBench(t, both, removal.Options{Finalizers: []string{"example.com/x"}, Force: true, Confirm: "yes"},
		"namespaces/notes")
	b.targets[0].Namespace = ""
	done := b.run(t)
	if written := b.writer.written(); len(written) > 0 || done.Outcome != result.Refused {
		t.Errorf("%s: it sent %q", done.Summary, written)
	}
	for _, entry := range done.Items[0].Entries {
		if len(entry.Objected) != 1 || entry.Objected[0].Code != string(finding.ControllerUnknown) {
			t.Errorf("%s: %+v", entry.Name, entry.Objected)
		}
	}
}
