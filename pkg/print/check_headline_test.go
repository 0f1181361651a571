package print_test

import (
	"bytes"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
)

// TestCheckWithoutRights says first that not everything could be read.
func TestCheckWithoutRights(t *testing.T) {
	unread := []finding.Unreadable{{Resource: "pods", Why: "forbidden"}}
	for _, c := range []struct {
		check result.Check
		want  string
	}{
		{
			result.Check{Unreadable: unread},
			"No problems found in what could be read. No objects with owners or finalizers were found.",
		},
		{result.Check{}, "No problems found. No objects with owners or finalizers were found."},
		{
			result.Check{Namespace: "shop"},
			`No problems found. No objects with owners or finalizers were found in namespace "shop". To look in all ` +
				"namespaces, use -A.",
		},
		{result.Check{Owned: 1, Held: 2}, "No problems found. Checked 1 object with owners and 2 with finalizers."},
		{result.Check{Owned: 2}, "No problems found. Checked 2 objects with owners."},
		{
			result.Check{Held: 1, Doubtful: true},
			"Found no certain problems, but see below. Checked 1 object with finalizers.",
		},
		{
			result.Check{Unreadable: unread, Findings: []result.Finding{{Severity: result.Error}}},
			"Found 1 error. No objects with owners or finalizers were found. Not everything could be read.",
		},
	} {
		for _, wide := range []bool{false, len(c.check.Findings) == 0} {
			var out bytes.Buffer
			if err := print.Result(t.Context(), &out, &c.check, "human", print.Style{Wide: wide}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(out.String()), " "); !strings.HasPrefix(got, c.want) {
				t.Errorf("it begins %q, want %q", got, c.want)
			}
		}
	}
}
