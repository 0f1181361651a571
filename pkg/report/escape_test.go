package report_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestEscapeLeavesOthersAlone escapes what a result points to, and not what others know of it.
func TestEscapeLeavesOthersAlone(t *testing.T) {
	ref := finding.Ref{Kind: "ClusterRole", Name: "a\x1bb"}
	result := &report.Diagnosis{RootCauses: []report.RootCause{{Evidence: []finding.Evidence{{Object: &ref}}}}}
	report.Escape(result)
	if got := result.RootCauses[0].Evidence[0].Object.Name; got != `a\x1bb` {
		t.Errorf("the result says %q", got)
	}
	if ref.Name != "a\x1bb" {
		t.Errorf("the object is now called %q", ref.Name)
	}
}
