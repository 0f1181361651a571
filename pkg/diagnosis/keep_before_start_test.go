package diagnosis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestKeepBeforeStart looks at the first step about objects whose controller is missing or at zero, and deletes what
// they stand for as soon as it acts: by the setting that keeps that, or by force where the project has none. An object
// that keeps it already has no such step.
func TestKeepBeforeStart(t *testing.T) {
	kustomization := func(spec string) string {
		return object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "shop", "apps",
			deleted(time.Hour, "finalizers.fluxcd.io"), "spec: {"+spec+"}")
	}
	atZero := []string{
		strings.ReplaceAll(granted("flux", mayWrite, "kustomizations", "flux-system/kustomize-controller"),
			"shop.example.com", "kustomize.toolkit.fluxcd.io"),
		program("flux-system", "kustomize-controller", "kustomize-controller", 0, ""),
	}
	application := object("argoproj.io/v1alpha1", "Application", "shop", "web",
		deleted(time.Hour, "resources-finalizer.argocd.argoproj.io"), "")
	const flux, argo = "kustomizations.kustomize.toolkit.fluxcd.io/apps", "applications.argoproj.io/web"
	for name, c := range map[string]struct {
		target  string
		objects []string
		reason  finding.Reason
		says    string // the first step; empty if it keeps nothing
		command string
	}{
		"missing": {flux, []string{kustomization("prune: true")}, finding.ControllerMissing,
			"As soon as kustomize-controller acts, it deletes the resources that the Kustomization deployed. " +
				"To prevent that, do this FIRST.", `{"spec":{"prune":false}}`},
		"with a policy": {flux, []string{kustomization("prune: true, deletionPolicy: Delete")}, finding.ControllerMissing,
			"do this FIRST.", `{"spec":{"deletionPolicy":"Orphan"}}`},
		"kept": {flux, []string{kustomization("prune: false")}, finding.ControllerMissing, "", ""},
		"at zero": {flux, slices.Concat(atZero, []string{kustomization("prune: true")}), finding.ControllerDown,
			"do this FIRST.", `{"spec":{"prune":false}}`},
		"at zero, and kept": {flux, slices.Concat(atZero, []string{kustomization("prune: false")}), finding.ControllerDown,
			"", ""},
		"without a setting": {argo, []string{application}, finding.ControllerMissing,
			"it deletes the resources that the Application deployed. To prevent that, take the last resort", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := whyCase{target: c.target, objects: c.objects}.ask(t)
			if len(found.RootCauses) != 1 || found.RootCauses[0].Reason != c.reason {
				t.Fatalf("%+v, want %s", found.RootCauses, c.reason)
			}
			first := found.RootCauses[0].Remedies[0]
			keeps := strings.HasPrefix(first.Action, "As soon as ")
			if keeps != (c.says != "") || !strings.Contains(first.Action, c.says) ||
				!strings.Contains(first.Command.String(), c.command) {
				t.Errorf("the first step is %q: %s", first.Action, first.Command)
			}
			last := found.RootCauses[0].Remedies[len(found.RootCauses[0].Remedies)-1]
			if !last.Forces() {
				t.Errorf("the last step is %q", last.Action)
			}
		})
	}
}
