package plugins_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestWayOut wants each step where its controller can act on it, and what is found makes sense of it.
func TestWayOut(t *testing.T) {
	all := plugins.Finalizer{
		Start: "Start it.", EndsWait: "End that.", IfRunning: "Read its log.", SafeWayOut: "Keep it.",
		SafeWayOutElsewhere: "Keep it elsewhere.",
	}
	for _, c := range []struct {
		runs, waits, closed bool
		want                string
	}{
		{true, true, false, "End that. Read its log. Keep it."},
		{true, false, false, "Read its log. Keep it."},
		{false, true, false, "Keep it."},
		{false, false, false, "Keep it."},
		{false, false, true, "Keep it elsewhere."},
		{true, false, true, "Read its log. Keep it elsewhere."},
	} {
		if got := all.WayOut(c.runs, c.waits, c.closed); got != c.want {
			t.Errorf("with a controller that runs (%v) and with waits (%v): %q, want %q", c.runs, c.waits, got, c.want)
		}
	}
}

// TestWayOutWithoutController goes through the catalogue: a step that needs the controller is offered where that runs,
// and not where it is missing.
func TestWayOutWithoutController(t *testing.T) {
	needing := 0
	for _, known := range embedded(t).All() {
		with, without := known.WayOut(true, true, false), known.WayOut(false, true, false)
		for _, step := range []string{known.EndsWait, known.IfRunning} {
			if step == "" {
				continue
			}
			needing++
			if !strings.Contains(with, step) || strings.Contains(without, step) {
				t.Errorf("%s on %v: %q is in %q, and must be; or in %q, and must not", known.Names, known.Kinds, step, with,
					without)
			}
		}
	}
	if needing == 0 {
		t.Error("no step of the catalogue needs a controller")
	}
	for _, c := range []struct{ finalizer, kind, want string }{
		{"karpenter.sh/termination", "NodeClaim.karpenter.sh",
			"Without Karpenter, terminate the instances by hand before you remove the finalizer."},
		{"machine.cluster.x-k8s.io", "Machine.cluster.x-k8s.io", ""},
		{"cephcluster.ceph.rook.io", "CephCluster.ceph.rook.io",
			"To remove a whole cluster, follow Rook's teardown guide and set cleanupPolicy.confirmation."},
		{"services.cloud.sap.com/sap-btp-finalizer", "ServiceInstance.services.cloud.sap.com", ""},
	} {
		known, found := embedded(t).Find(c.finalizer, c.kind)
		if got := known.WayOut(false, true, false); !found || got != c.want {
			t.Errorf("%s on %s without its controller: %q, want %q", c.finalizer, c.kind, got, c.want)
		}
	}
}

// TestWayOutLeavesLossesToTheirField goes through the catalogue: what a step loses has a field of its own, so that
// no step says in its own words that it loses nothing.
func TestWayOutLeavesLossesToTheirField(t *testing.T) {
	for _, known := range embedded(t).All() {
		for _, way := range []string{known.SafeWayOut, known.SafeWayOutElsewhere} {
			if strings.Contains(way, "loses nothing") || strings.Contains(way, "lose nothing") {
				t.Errorf("%s on %v loses %q, and its way out says: %q", known.Names, known.Kinds, known.Loses, way)
			}
		}
	}
}
