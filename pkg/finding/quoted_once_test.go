package finding_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestQuotedOnce wants words that one source has twice to be quoted once, where more is said of them.
func TestQuotedOnce(t *testing.T) {
	said := func(source, observed, words string) finding.Evidence {
		return finding.Observed(source, "%s", observed).Quoting(words)
	}
	for name, c := range map[string]struct {
		evidence []finding.Evidence
		want     int
	}{
		"a field, and the condition that it is in": {[]finding.Evidence{
			said("Bucket logs", "last attempt: not empty", "not empty"),
			said("Bucket logs", `condition Synced: "Failed: not empty"`, "Failed: not empty"),
		}, 1},
		"two sources": {[]finding.Evidence{
			said("Bucket logs", "last attempt: not empty", "not empty"), said("events", `"not empty"`, "not empty"),
		}, 2},
		"other words": {[]finding.Evidence{
			said("Bucket logs", "external resource: logs", "logs"),
			said("Bucket logs", `condition Synced: "can't delete logs"`, "can't delete logs"),
		}, 2},
		"no words": {[]finding.Evidence{finding.Observed("RBAC", "a"), finding.Observed("RBAC", "b")}, 2},
	} {
		if got := finding.QuotedOnce(c.evidence); len(got) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
