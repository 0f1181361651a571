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
			"Nothing was found among 0 objects with owners and 0 with finalizers, but not everything could be read.",
		},
		{report.Check{}, "Nothing found among 0 objects with owners and 0 with finalizers."},
		{
			report.Check{Unreadable: unread, Findings: []report.Finding{{Severity: report.Error}}},
			"Found 1 error among 0 objects",
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
