package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// testHeld plans for the Terminating objects that finalizers hold: a project's, or named beside types. It removes all
// finalizers of one project, of two kinds and in two namespaces, and nothing of others.
func testHeld(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: quarry}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: quarry-far}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: near, namespace: quarry, finalizers: [quarry.example.com/cut, masons.example.com/other]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: bystander, namespace: quarry, finalizers: [masons.example.com/other]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: alive, namespace: quarry, finalizers: [quarry.example.com/cut]}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: far, namespace: quarry-far, finalizers: [quarry.example.com/polish]}
- delete: {object: configmap/near, namespace: quarry}
- delete: {object: configmap/bystander, namespace: quarry}
- delete: {object: role/far, namespace: quarry-far}
`)
	catalogue := filepath.Dir(writeFile(t, "quarry-works.yaml", `
apiVersion: finalizers.kubectl/v1alpha1
kind: FinalizerPlugin
project: Quarry Works
defaults: {addedBy: quarry, removedBy: quarry, workloads: ['Deployment/quarry-*'], loses: the stones}
finalizers:
- {names: [quarry.example.com/cut], kinds: [ConfigMap], waitsFor: the stones are cut}
- {names: [quarry.example.com/polish], waitsFor: the stones are polished}
`))
	l := newLab(t, plane, "remove-project", controlplane.ClusterAdmins)
	known := []string{"--catalog", catalogue, "--project"}

	for _, plan := range []struct{ args, targets []string }{
		{append(known, "quarry works", "-A"), []string{"ConfigMap quarry/near", "Role quarry-far/far"}},
		{[]string{"cm", "-A", "--finalizer", "quarry.example.com/cut"}, []string{"ConfigMap quarry/near"}},
		{
			[]string{
				"configmaps,roles", "-A", "--finalizer", "quarry.example.com/polish", "--finalizer", "masons.example.com/other",
			},
			[]string{"ConfigMap quarry/bystander", "ConfigMap quarry/near", "Role quarry-far/far"},
		},
		{[]string{"cm", "-n", "quarry-far", "--finalizer", "quarry.example.com/cut"}, nil},
		{
			[]string{"cm/gone", "cm/near", "-n", "quarry", "--finalizer", "quarry.example.com/cut", "--ignore-not-found"},
			[]string{"ConfigMap quarry/near"},
		},
		{[]string{"cm/gone", "-n", "quarry", "--finalizer", "quarry.example.com/cut", "--ignore-not-found"}, nil},
	} {
		made := l.remove(t, plan.args...)
		planned := finding.Each(made.report.Items, func(item result.Removal) string { return item.Target.String() })
		slices.Sort(planned)
		if !slices.Equal(planned, plan.targets) {
			t.Fatalf("%q: the plan is for %q, want %q\n%s", plan.args, planned, plan.targets, made.stderr)
		}
	}
	for _, refused := range []struct{ args, says string }{
		{"Quarry Wokrs -A", "did you mean Quarry Works?"},
		{"Quarry Works -n default", "no Terminating object is held by a finalizer of Quarry Works in namespace"},
		{"Quarry Works cm/near", "--project finds the objects"},
		{"Quarry Works --finalizer x", "--project finds the finalizers"},
	} {
		words := strings.Fields(refused.args)
		args := append(slices.Clone(known), append([]string{words[0] + " " + words[1]}, words[2:]...)...)
		if done := l.remove(t, args...); done.code != 1 || !strings.Contains(done.stderr, refused.says) {
			t.Errorf("%q ends with %d: %s", refused.args, done.code, done.stderr)
		}
	}
	absent := l.remove(t, "cm/gone", "cm/near", "-n", "quarry", "--finalizer", "quarry.example.com/cut")
	if absent.code != 1 || len(absent.report.Items) > 0 {
		t.Errorf("without --ignore-not-found it ends with %d: %s", absent.code, absent.stdout)
	}

	blind := newLab(t, plane, "remove-project-blind")
	unread := blind.remove(t, append(slices.Clone(known), "quarry-works", "-A")...)
	if unread.code != 1 || !strings.Contains(unread.stderr, "configmaps could not be listed") ||
		!strings.Contains(unread.stderr, "of what could be listed, no Terminating object") {
		t.Errorf("without rights it ends with %d: %s", unread.code, unread.stderr)
	}

	done := l.confirmed(t, append(known, "quarry-works", "-A", "--timeout", "1s")...)
	if done.code != 5 || done.report.Outcome != result.StillHeld { // near has another finalizer
		t.Errorf("exit code %d, %s: %s", done.code, done.report.Outcome, done.report.Summary)
	}
	if role := object(t, plane, "roles.rbac.authorization.k8s.io", "quarry-far", "far"); role != nil {
		t.Error("the Role is still there")
	}
	for name, left := range map[string]string{
		"near": "masons.example.com/other", "bystander": "masons.example.com/other", "alive": "quarry.example.com/cut",
	} {
		held := object(t, plane, "configmaps", "quarry", name)
		if held == nil || !slices.Equal(held.GetFinalizers(), []string{left}) {
			t.Errorf("%s should be left with %s: %v", name, left, held)
		}
	}
}
