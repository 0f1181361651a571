package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestCheckWithoutRights says first that not everything could be read.
func TestCheckWithoutRights(t *testing.T) {
	unread := []report.Unreadable{{Resource: "pods", Why: "forbidden"}}
	for _, c := range []struct {
		check report.Check
		want  string
	}{
		{
			report.Check{Unreadable: unread},
			"No problems found in what could be read. No objects with owners or finalizers were found.",
		},
		{report.Check{}, "No problems found. No objects with owners or finalizers were found."},
		{report.Check{Owned: 1, Held: 2}, "No problems found. Checked 1 object with owners and 2 with finalizers."},
		{report.Check{Owned: 2}, "No problems found. Checked 2 objects with owners."},
		{
			report.Check{Held: 1, Doubtful: true},
			"Found no certain problems, but see below. Checked 1 object with finalizers.",
		},
		{
			report.Check{Unreadable: unread, Findings: []report.Finding{{Severity: report.Error}}},
			"Found 1 error. No objects with owners or finalizers were found. Not everything could be read.",
		},
	} {
		for _, wide := range []bool{false, len(c.check.Findings) == 0} {
			var out bytes.Buffer
			if err := report.Print(&out, &c.check, "human", report.Style{Wide: wide}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(out.String()), " "); !strings.HasPrefix(got, c.want) {
				t.Errorf("it begins %q, want %q", got, c.want)
			}
		}
	}
}
