package print_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestListFirst gives the command that does what it says comes first.
func TestListFirst(t *testing.T) {
	cause := causeOf("a.example.com/x", "")
	probe := "kubectl finalizers why cm/notes --context lab --probe"
	cause.Remedies = append([]finding.Remedy{{Action: "Learn more: --probe asks.", Command: strings.Fields(probe),
		Risk: finding.NoRisk}}, cause.Remedies...)
	list := &result.List{RootCauses: []result.RootCause{cause}, Items: []result.ListItem{{
		Target: cause.Object, Resource: "configmaps", Verdict: result.Undetermined,
		Ask:        strings.Fields("kubectl finalizers why cm/notes --snapshot file"),
		RootCauses: []result.ItemCause{{Reason: cause.Reason, Object: cause.Object, Count: 1}},
	}}}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, print.FormatHuman, print.Style{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, probe) || strings.Contains(text, "--snapshot") {
		t.Errorf("got:\n%s", text)
	}
}
