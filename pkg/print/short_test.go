package print_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestShort prints the sentence that answers, and the first step of the first cause with what it loses, and no more.
func TestShort(t *testing.T) {
	t.Parallel()
	steps := []finding.Remedy{
		{Action: "Start it.", Command: finding.Command{"kubectl", "scale", "deploy/x"}},
		{Action: "Remove it by force.", Risk: finding.DataLoss, Loses: "all"},
	}
	loses := []finding.Remedy{{Action: "Delete the pod.", Risk: finding.DataLoss, Loses: "its data"}}
	cause := result.RootCause{Reason: finding.ControllerDown, Message: "It is down.", Remedies: steps}
	stuck := result.Diagnosis{Verdict: result.Stuck, Summary: "It waits.", RootCauses: []result.RootCause{cause, cause}}
	for name, c := range map[string]struct {
		answer result.Result
		want   string
	}{
		"a diagnosis": {&stuck, "Stuck: It waits.\n  -> Start it.\n       kubectl scale deploy/x\n"},
		"two": {&result.DiagnosisList{Items: []result.Diagnosis{{Verdict: result.Progressing, Summary: "It goes."}, stuck}},
			"Progressing: It goes.\n\nStuck: It waits.\n  -> Start it.\n       kubectl scale deploy/x\n"},
		"a first step that loses something": {
			&result.Diagnosis{Verdict: result.Stuck, Summary: "It waits.", RootCauses: []result.RootCause{{Remedies: loses}}},
			"Stuck: It waits.\n  -> Delete the pod.\n     Loses: its data.\n",
		},
		"no step": {&result.Diagnosis{Verdict: result.Undetermined, Summary: "Who knows."}, "Undetermined: Who knows.\n"},
		"what keeps it": {&result.Diagnosis{Verdict: result.Progressing, Summary: "It goes.", Keep: &steps[0]},
			"Progressing: It goes.\n  -> Start it.\n       kubectl scale deploy/x\n"},
		"a preview": {&result.Preview{
			Outcome: result.WouldHang, Summary: "It would hang.", RootCauses: []result.RootCause{cause},
		},
			"WouldHang: It would hang.\n  -> Start it.\n       kubectl scale deploy/x\n"},
		"two previews": {&result.PreviewList{Outcome: result.WouldHang, Items: []result.Preview{
			{Outcome: result.WouldGo, Summary: "It would go."}, {Outcome: result.WouldHang, Summary: "It would hang."},
		}}, "WouldHang: Of 2 deletions, 1 would hang and 1 would finish.\n\nWouldGo: It would go.\n\nWouldHang: It would " +
			"hang.\n"},
		"a check": {&result.Check{Owned: 1, Findings: []result.Finding{{Severity: result.Error, Message: "It would hang.",
			Remedies: steps, Count: 1}}}, "Found 1 error. Checked 1 object with owners.\nIt would hang.\n  -> Start it.\n" +
			"       kubectl scale deploy/x\n"},
		"a finalizer": {&result.Explanation{
			Finalizer: "a.example.com/b", Known: []result.Known{{Project: "A", Finalizer: plugins.Finalizer{
				Names: []string{"a.example.com/*"}, RemovedBy: "a-operator", WaitsFor: "b is gone", SafeWayOut: "Delete b.",
			}}},
			Cluster: &result.InCluster{Controllers: []result.Presence{{Message: "It runs."}}},
		}, "a.example.com/b (A): a-operator removes it from the object when b is gone.\n  -> Delete b.\n\nIt runs.\n"},
		"an unknown finalizer": {&result.Explanation{Finalizer: "x"}, "x is not in the catalogue.\n"},
		"nothing found":        {&result.Check{Owned: 1}, "No problems found. Checked 1 object with owners.\n"},
	} {
		var out strings.Builder
		if err := print.Result(t.Context(), &out, c.answer, print.FormatShort, print.Style{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if out.String() != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, out.String(), c.want)
		}
	}
}
