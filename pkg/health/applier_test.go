package health

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestApplierMayUndo says beside a step that changes a workload which tool would change it back; nothing of a workload
// that no tool applies.
func TestApplierMayUndo(t *testing.T) {
	for _, c := range []struct{ meta, want string }{
		{
			", labels: {kustomize.toolkit.fluxcd.io/name: platform}",
			"Kustomization platform may undo that: pause that first, or change it where it is defined.",
		},
		{
			", annotations: {argocd.argoproj.io/tracking-id: 'platform:apps/Deployment:shop/op'}",
			"Application platform may undo that",
		},
		{", labels: {app: op}", ""},
	} {
		for kind, spec := range map[string]string{"Deployment": "replicas: 0", "Job": "suspend: true"} {
			api := map[string]string{"Deployment": "apps/v1", "Job": "batch/v1"}[kind]
			objects := manifestOf(api, kind, c.meta, "spec: {selector: {matchLabels: {app: op}}, "+spec+"}")
			checker, _ := outageChecker(t, objects)
			workload, pods := readOutage(t, checker, workloadIn(objects, false))
			found := checker.Outage(t.Context(), workload, pods)
			if len(found.Remedies) == 0 {
				t.Fatalf("%s: no step", kind)
			}
			action := finding.Voice{}.Remedies(found.Remedies)[0].Action
			if !strings.Contains(action, c.want) || strings.Contains(action, "undo") != (c.want != "") {
				t.Errorf("%s with %s: %q, want %q", kind, c.meta, action, c.want)
			}
		}
	}
}
