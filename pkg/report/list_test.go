package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestListFirst gives the command that does what it says comes first.
func TestListFirst(t *testing.T) {
	cause := causeOf("a.example.com/x", "")
	probe := "kubectl finalizers why cm/notes --context lab --probe"
	cause.Remedies = append([]finding.Remedy{{Action: "Learn more: --probe asks.", Command: strings.Fields(probe),
		Risk: finding.NoRisk}}, cause.Remedies...)
	list := &report.List{RootCauses: []report.RootCause{cause}, Items: []report.ListItem{{
		Target: cause.Object, Resource: "configmaps", Verdict: report.Undetermined,
		Ask:        strings.Fields("kubectl finalizers why cm/notes --snapshot file"),
		RootCauses: []report.ItemCause{{Reason: cause.Reason, Object: cause.Object, Count: 1}},
	}}}
	var out bytes.Buffer
	if err := report.Print(&out, list, report.FormatHuman, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, probe) || strings.Contains(text, "--snapshot") {
		t.Errorf("got:\n%s", text)
	}
}
