package zoo_test

import (
	"maps"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// checkMetrics compares what metrics counts in one pass over a real cluster, which keeps next to nothing of most
// objects, with what list and check answer.
func (v *viewer) checkMetrics() {
	v.t.Helper()
	whileItChanges(v.t, v.listed, func(want map[string]float64) string {
		if len(want) < 10 {
			v.t.Fatalf("%v: this test could not fail", want)
		}
		if diff := cmp.Diff(want, v.counted()); diff != "" {
			return "-list and check, +metrics:\n" + diff
		}
		return ""
	})
}

// listed returns the numbers of what list and check answer, as counted does.
func (v *viewer) listed() map[string]float64 {
	v.t.Helper()
	var list result.List
	var check result.Check
	v.decode(&list, v.admin, "list", "-A")
	v.decode(&check, v.admin, "check", "-A")
	numbers := map[string]float64{}
	for _, item := range list.Items {
		reason := "None"
		if len(item.RootCauses) > 0 {
			reason = string(item.RootCauses[0].Reason)
		}
		numbers[strings.Join([]string{item.Target.Kind, string(item.Verdict), reason}, " ")]++
	}
	for _, found := range check.Findings {
		numbers[string(found.Severity)+" "+string(found.Reason)] += float64(found.Count)
	}
	return numbers
}

// counted returns the numbers of metrics --once, by kind, verdict and reason, and by severity and reason.
func (v *viewer) counted() map[string]float64 {
	v.t.Helper()
	out := v.run(v.admin, "metrics", "--once", "--max-series=10000").out
	families, err := families(out)
	if err != nil {
		v.t.Fatal(err)
	}
	counts := series(families, "finalizers_terminating_objects", "kind", "verdict", "reason")
	maps.Copy(counts, series(families, "finalizers_check_findings", "severity", "reason"))
	return counts
}
