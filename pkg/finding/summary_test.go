package finding_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestSummaryCountsMore names two things that an object waits for, and counts the others: with --short, nothing
// follows.
func TestSummaryCountsMore(t *testing.T) {
	for count, want := range map[int]string{2: "", 3: "; and 1 more.", 5: "; and 3 more."} {
		var awaited []finding.Awaited
		for range count {
			awaited = append(awaited, finding.Awaited{Finding: finding.Finding{Situation: "NothingHolds"}, Count: 1})
		}
		for _, situation := range []string{"HeldBack", "OnItsWay"} {
			said := finding.Voice{}.Message(finding.Finding{
				Situation: situation, Object: finding.Ref{Kind: "Pod", Name: "p"},
				Details: finding.SummaryDetails{Awaits: finding.WaitingFor(awaited)},
			})
			if !strings.Contains(said, "(2) ") || strings.Contains(said, "(3) ") || !strings.HasSuffix(said, want) ||
				strings.Contains(said, "more") != (want != "") {
				t.Errorf("%s of %d: %q, want the end %q", situation, count, said, want)
			}
		}
	}
}
