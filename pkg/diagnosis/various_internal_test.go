package diagnosis

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestIsVarious calls finalizers various where they differ, and not where only the kinds of their objects do.
func TestIsVarious(t *testing.T) {
	of := func(kind, finalizer string) finding.Finding {
		return finding.Finding{Object: finding.Ref{Kind: kind, Name: "x"}, Finalizer: finalizer}
	}
	for name, c := range map[string]struct {
		causes         []finding.Finding
		mixed, various bool
	}{
		"two kinds, one finalizer":  {[]finding.Finding{of("Broker", "a.b/c"), of("Queue", "a.b/c")}, true, false},
		"two kinds, two finalizers": {[]finding.Finding{of("Broker", "a.b/c"), of("Queue", "a.b/d")}, true, true},
		"one kind, one finalizer":   {[]finding.Finding{of("Queue", "a.b/c"), of("Queue", "a.b/c")}, false, false},
	} {
		joined := &group{causes: c.causes}
		if joined.isMixed() != c.mixed || joined.isVarious() != c.various {
			t.Errorf("%s: mixed %t, various %t", name, joined.isMixed(), joined.isVarious())
		}
	}
}
