package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestRemove removes by force on a real control plane, and holds every run against the audit log.
func TestRemove(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	t.Run("refusals", func(t *testing.T) { testRefusals(t, plane) })
	t.Run("rights", func(t *testing.T) { testRights(t, plane) })
	t.Run("roles", func(t *testing.T) { testRoles(t, plane) })
	t.Run("classes", func(t *testing.T) { testClasses(t, plane) })
	t.Run("many", func(t *testing.T) { testMany(t, plane) })
	t.Run("held", func(t *testing.T) { testHeld(t, plane) })
	t.Run("races", func(t *testing.T) { testRaces(t, plane) })
	t.Run("attacks", func(t *testing.T) { testAttacks(t, plane) })
	t.Run("consent", func(t *testing.T) { testConsent(t, plane) })
}

const refusedObjects = `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: refused}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: alive, namespace: refused, finalizers: [example.com/hold]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: held, namespace: refused, finalizers: [example.com/hold, example.com/other]}
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: data, namespace: refused}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- aliveNode: refused-node
- apply: |
    apiVersion: v1
    kind: Pod
    metadata: {name: user, namespace: refused}
    spec: {nodeName: refused-node, containers: [{name: main, image: none}],
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
- delete: {object: configmap/held, namespace: refused}
- delete: {object: pvc/data, namespace: refused}
`

// testRefusals proves that a refusal sends no write, and says which guard refused.
func testRefusals(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, refusedObjects)
	l := newLab(t, plane, "remove-refused", controlplane.ClusterAdmins)
	file := writeFile(t, "file", "")
	before := object(t, plane, "configmaps", "refused", "held").GetResourceVersion()
	held := []string{"cm/held", "-n", "refused", "--finalizer", "example.com/hold"}
	token := l.token(t, held...)
	cases := []struct {
		name  string
		args  []string
		guard string // that refuses; empty for none
		says  string
		code  int
	}{
		{name: "plan", args: held, code: 5},
		{name: "not terminating", args: []string{"cm/alive", "-n", "refused", "--finalizer", "example.com/hold", "--force"},
			guard: "Terminating", says: "not being deleted", code: 5},
		{name: "nothing named", args: []string{"cm/held", "-n", "refused", "--force"}, guard: "Named", says: "--finalizer",
			code: 5},
		{name: "not held by that", args: []string{"cm/held", "-n", "refused", "--finalizer", "example.com/no", "--force"},
			guard: "Named", says: "does not have the finalizer example.com/no", code: 5},
		{name: "one of two isn't there", args: append(slices.Clone(held), "--finalizer", "example.com/no", "--force"),
			guard: "Named", says: "example.com/no", code: 5},
		{name: "protected", args: []string{"pvc/data", "-n", "refused", "--finalizer", "kubernetes.io/pvc-protection",
			"--force"}, guard: "Justified", says: "--override StillInUse", code: 5},
		{name: "another override", args: []string{"pvc/data", "-n", "refused", "--finalizer", "kubernetes.io/pvc-protection",
			"--override", "ControllerDown", "--force"}, guard: "Justified", says: "--override StillInUse", code: 5},
		{name: "no consent", args: append(slices.Clone(held), "--force"), guard: "Consent", says: "no terminal", code: 5},
		{name: "another token", args: append(slices.Clone(held), "--force", "--confirm", "aaaaaaaaaaaaaaaa"),
			guard: "Consent", says: "does not fit this plan", code: 5},
		{name: "another plan's token", args: []string{"cm/held", "-n", "refused", "--finalizer", "example.com/other",
			"--force", "--confirm", token}, guard: "Consent", says: "does not fit this plan", code: 5},
		{name: "nowhere to save", args: append(slices.Clone(held), "--force", "--confirm", token, "--backup-dir",
			filepath.Join(file, "below")), guard: "Saved", says: "could not be saved", code: 5},
		{name: "dry run of the client", args: append(slices.Clone(held), "--force", "--dry-run=client"), code: 0},
		{name: "dry run of the server", args: append(slices.Clone(held), "--force", "--dry-run=server"), code: 0},
		{name: "not there", args: []string{"cm/absent", "-n", "refused", "--finalizer", "example.com/hold", "--force"},
			code: 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			done := l.remove(t, c.args...)
			if done.code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", done.code, c.code, done.stdout, done.stderr)
			}
			refused := slices.DeleteFunc(slices.Clone(done.report.Guards), func(guard result.Guard) bool { return guard.Passed })
			switch {
			case c.guard == "" && len(refused) > 0, c.guard != "" && (len(refused) == 0 || refused[0].Name != c.guard):
				t.Errorf("refused by %+v, want %q", refused, c.guard)
			case c.guard != "" && !strings.Contains(refused[0].Why+refused[0].Satisfy, c.says):
				t.Errorf("the refusal doesn't say %q: %+v", c.says, refused[0])
			}
			if writes := l.writes(t); len(writes) > 0 {
				t.Errorf("it wrote: %v", writes)
			}
		})
	}
	if after := object(t, plane, "configmaps", "refused", "held").GetResourceVersion(); after != before {
		t.Errorf("the object was changed: %s to %s", before, after)
	}
	if saved, err := os.ReadDir(l.backups); err != nil || len(saved) > 0 {
		t.Errorf("something was saved, and nothing was removed: %v %v", saved, err)
	}
}

// testRights removes as a user who may read and not write, and then only patch.
func testRights(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: rights}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: held, namespace: rights, finalizers: [example.com/hold]}
- delete: {object: configmap/held, namespace: rights}
`)
	l := newLab(t, plane, "remove-few-rights")
	grant := func(verb string, groups, resources []string) {
		t.Helper()
		if err := plane.Grant(t.Context(), l.user, "", rbacv1.PolicyRule{APIGroups: groups, Resources: resources,
			Verbs: []string{verb}}); err != nil {
			t.Fatal(err)
		}
	}
	everything := []string{"*"}
	grant("get", everything, everything)
	grant("list", everything, everything)
	args := []string{"cm/held", "-n", "rights", "--finalizer", "example.com/hold"}
	var done outcome
	for range 20 { // until the rights are known
		if done = l.remove(t, append(args, "--force")...); done.code == 5 {
			break
		}
	}
	text := fmt.Sprintf("%+v", done.report.Guards)
	if done.code != 5 || !strings.Contains(text, "the right to patch configmaps in namespace rights") ||
		!strings.Contains(text, `cannot patch resource "configmaps"`) {
		t.Errorf("it doesn't name the right that is missing (%d):\n%s%s", done.code, done.stdout, done.stderr)
	}
	if writes := l.writes(t); slices.ContainsFunc(writes,
		func(write string) bool { return !strings.Contains(write, "selfsubject") }) {
		t.Errorf("it wrote: %v", writes)
	}
	grant("patch", []string{""}, []string{"configmaps"})
	for range 20 {
		if plan := l.remove(t, args...); len(plan.report.Items) > 0 && len(plan.report.Items[0].Writes) > 0 &&
			plan.report.Items[0].Writes[0].Refusal == "" {
			break
		}
	}
	if done := l.confirmed(t, args...); done.code != 0 || done.report.Outcome != result.Gone {
		t.Errorf("get, list and patch should do (%d):\n%s%s", done.code, done.stdout, done.stderr)
	}
}
