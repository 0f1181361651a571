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

// TestBackupsAreFound leaves the names of files as they are, whatever they look like.
func TestBackupsAreFound(t *testing.T) {
	const path = "/tmp/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." +
		"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6.yaml"
	if report.CleanText(path) == path {
		t.Fatal("this would not be taken for a credential anyway")
	}
	result := report.RemovalReport{Items: []report.Removal{{Backup: &report.Backup{Path: path, Create: path,
		Volume: path}}}}
	report.Escape(&result)
	if got := *result.Items[0].Backup; got.Path != path || got.Create != path || got.Volume != path {
		t.Errorf("the backup is in %+v", got)
	}
}
