package preview_test

import (
	"strings"
	"testing"
)

// TestWayOutOfUse previews a claim that a workload's pod uses: to scale that down lets the claim go.
func TestWayOutOfUse(t *testing.T) {
	for kind, more := range map[string]string{
		"Deployment": "", "StatefulSet": "",
		"StatefulSet that takes its claims": "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}",
	} {
		t.Run(kind, func(t *testing.T) {
			kind, _, _ := strings.Cut(kind, " ")
			owner := "ownerReferences: [{apiVersion: apps/v1, kind: " + kind + ", name: web, uid: " + strings.ToLower(kind) +
				"-web, controller: true}]"
			used := strings.Replace(pod("web-0", "data"), "uid: pod-web-0", "uid: pod-web-0, "+owner, 1)
			c := previewCase{target: "persistentvolumeclaims/data", objects: []string{
				manager(), node("True"), claim(), volume("Retain"), used,
				object("apps/v1", kind, "web", "labels: {kustomize.toolkit.fluxcd.io/name: shop}", "spec: {replicas: 1, "+more+"}"),
			}}
			preview, err := c.ask(t, c.memory(t))
			if err != nil {
				t.Fatal(err)
			}
			if text := human(t, preview); !strings.Contains(text, "scale") || !strings.Contains(text, "--replicas=0") {
				t.Errorf("no way out:\n%s", text)
			} else if !strings.Contains(strings.Join(strings.Fields(text), " "), "Kustomization shop may scale it up again") {
				t.Errorf("it doesn't say what scales it up again:\n%s", text)
			}
		})
	}
}
