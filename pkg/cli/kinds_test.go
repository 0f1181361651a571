package cli

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestResolveKind asks for kinds as people name them, without a cluster.
func TestResolveKind(t *testing.T) {
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]string{
		// kinds are compared in any case
		"": "", "PersistentVolumeClaim": "PersistentVolumeClaim", "persistentvolumeclaim": "persistentvolumeclaim",
		"pvc": "PersistentVolumeClaim", "persistentvolumeclaims": "PersistentVolumeClaim", "PVC": "PersistentVolumeClaim",
		"deployments.apps": "Deployment.apps",
		"po":               "Pod", "volumes.longhorn.io": "Volume.longhorn.io", "Volume.longhorn.io": "Volume.longhorn.io",
		"Widget.shop.example.com": "Widget.shop.example.com",
		"*Group.core.pingcap.com": "*Group.core.pingcap.com", // as the catalogue writes it
	} {
		o := &explainOptions{kind: asked, offline: true}
		if err := o.resolveKind(t.Context(), set); err != nil || o.kind != want {
			t.Errorf("%q is %q (%v), want %q", asked, o.kind, err, want)
		}
	}
	for asked, want := range map[string]string{"PersistenVolumeClaim": "Did you mean persistentvolumeclaims",
		"pvcs": "Did you mean", "Widget": "KIND.GROUP", "*Group": "Did you mean groups.",
		"volume.longhorn.oi": "volumes.longhorn.io"} {
		o := &explainOptions{kind: asked, offline: true}
		if err := o.resolveKind(t.Context(), set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", asked, err, want)
		}
	}
}
