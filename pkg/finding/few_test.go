package finding_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestFewAnd lists names as a sentence does, and counts the others.
func TestFewAnd(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	for count, want := range []string{"", "a", "a and b", "a, b and c", "a, b and 2 more", "a, b and 3 more"} {
		if got := finding.FewAnd(2, names[:count]); got != want {
			t.Errorf("%d names: %q, not %q", count, got, want)
		}
	}
}
