package spelling_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// TestEndlessWords doesn't compare words of a million letters: that would take hours.
func TestEndlessWords(t *testing.T) {
	endless := strings.Repeat("a", 1<<20)
	for _, name := range []string{endless + "b", endless[1:], "pods"} {
		if spelling.IsNear(endless, name) || spelling.IsNear(name, endless) || spelling.Meant(endless, []string{name}) != "" {
			t.Errorf("%d letters are like %d", len(endless), len(name))
		}
	}
}
