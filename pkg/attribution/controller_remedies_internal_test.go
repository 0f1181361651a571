package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestBringBackRelease names the release of a missing controller, and asks Helm about it only where its record may be.
func TestBringBackRelease(t *testing.T) {
	in := func(namespace string) *candidate { return &candidate{namespace: namespace, namespaceGone: true} }
	for name, c := range map[string]struct {
		gone       *candidate
		step, says string
	}{
		"no account is left":            {nil, "BringBackHelmRelease", ""},
		"the account is gone":           {&candidate{namespace: "shop-system"}, "BringBackHelmRelease", ""},
		"its namespace is gone":         {in("shop-system"), "InstallInNamespaceAgain", "shop"},
		"the namespace of another went": {in("other"), "BringBackHelmRelease", ""},
	} {
		reads := &session.Session{}
		of := installation{release: "shop", namespace: "shop-system", chart: "shop-1.4.2"}
		h := &held{search: search{finder: &Finder{Session: reads}, session: reads, leads: leads{installed: of}}}
		back := bringBack(h, c.gone)[0]
		details, _ := back.Details.(finding.StepDetails)
		if back.Step != c.step || c.says != "" && (details.Text != c.says || details.Names[0] != of.chart) {
			t.Errorf("%s: %s %+v, want %s", name, back.Step, details, c.step)
		}
	}
}
