package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// testReplay confirms with the token of a state that is over, or of another object.
func testReplay(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, heldMap("replayed", "bystander"))
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	token := l.token(t, removeHold("replayed")...)
	for what, args := range map[string][]string{
		"another object": removeHold("bystander"), "another finalizer too": removeHold("replayed", "--finalizer",
			"example.com/other"), "both objects": removeHold("replayed", "cm/bystander"),
	} {
		if done := l.remove(t, append(args, "--force", "--confirm", token)...); done.code != 5 ||
			done.report.Outcome != result.Refused {
			t.Errorf("%s: %s with %d", what, done.report.Outcome, done.code)
		}
	}
	(&racer{t: t, client: client, name: "replayed"}).patchIn("attacks", `{"metadata":{"annotations":{"touched":"yes"}}}`)
	if done := l.remove(t, append(removeHold("replayed"), "--force", "--confirm", token)...); done.code != 5 ||
		done.report.Outcome != result.Refused {
		t.Errorf("after a change: %s with %d", done.report.Outcome, done.code)
	}
	if writes := l.writes(t); len(writes) > 0 {
		t.Errorf("it wrote %q", writes)
	}
}

// testSetAgain deletes the object once more, with foreground deletion, when that entry was removed.
func testSetAgain(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: again, namespace: attacks, finalizers: [example.com/other]}
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: again-child, namespace: attacks, finalizers: [example.com/hold],
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: again, uid: '${uid:configmap/again}',
      blockOwnerDeletion: true}]}
- delete: {object: configmap/again, namespace: attacks, cascade: foreground}
- until: {object: configmap/again-child, namespace: attacks, path: '{.metadata.deletionTimestamp}'}
`)
	args := []string{"cm/again", "-n", "attacks", "--finalizer", "foregroundDeletion", "--override", "ControllerUnknown",
		"--timeout", "1s"}
	again := func() { (&racer{t: t, client: client, name: "again"}).deleteInForeground("attacks") }
	through, open := l.gated(t, plane, at(afterWrite, again))
	token := through.token(t, args...)
	open()
	done := through.remove(t, append(args, "--force", "--confirm", token)...)
	if done.code != 5 || done.report.Outcome != result.StillHeld || !strings.Contains(done.report.Items[0].Message,
		"Another delete request has set foregroundDeletion again") {
		t.Errorf("%s with %d:\n%s", done.report.Outcome, done.code, done.stdout)
	}
}

// testInterruptedRemoval presses Ctrl-C during the first of three writes.
func testInterruptedRemoval(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, heldMap("first", "second", "third"))
	args := removeHold("first", "cm/second", "cm/third", "--finalizer", "example.com/other")
	var running atomic.Pointer[exec.Cmd]
	through, open := l.gated(t, plane, func(r *http.Request) {
		if r.Method != http.MethodGet && r.URL.Query().Get("dryRun") == "" {
			_ = running.Load().Process.Signal(os.Interrupt)
		}
	})
	token := through.token(t, args...)
	open()
	cmd, stdout, stderr := program(t, append([]string{"remove", "--kubeconfig", through.kubeconfig, "--backup-dir",
		l.backups, "--force", "--confirm", token}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running.Store(cmd)
	_ = cmd.Wait()
	text := strings.Join(strings.Fields(stdout.String()), " ")
	if cmd.ProcessState.ExitCode() != 5 || !strings.Contains(text, "1 of 3 objects is gone, 1 was not started") ||
		!strings.Contains(text, "Interrupted before the command sent a PATCH") || !strings.Contains(text, "NotDone") {
		t.Errorf("%d:\n%s\n%s", cmd.ProcessState.ExitCode(), stdout, stderr)
	}
	for name, there := range map[string]bool{"first": false, "second": true, "third": true} {
		if found := object(t, plane, "configmaps", "attacks", name); (found != nil) != there || there &&
			len(found.GetFinalizers()) != 2 {
			t.Errorf("%s is there: %v, want %v", name, found != nil, there)
		}
	}
}

// testStarts has the controller that the diagnosis calls missing start between the dry run and the write.
func testStarts(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, definition("gadgets.attacks.example.com", "Gadget", "Namespaced")+`
- apply: |
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: attacks-operator, namespace: attacks}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: attacks-operator}
    rules: [{apiGroups: [attacks.example.com], resources: ["*"], verbs: ["*"]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {name: attacks-operator}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: attacks-operator}
    subjects: [{kind: ServiceAccount, namespace: attacks, name: attacks-operator}]
- aliveNode: attacks-node
- apply: |
    apiVersion: attacks.example.com/v1
    kind: Gadget
    metadata: {name: one, namespace: attacks, finalizers: [attacks.example.com/cleanup]}
- delete: {object: gadgets.attacks.example.com/one, namespace: attacks}
`)
	unnamed := []string{"gadgets.attacks.example.com/one", "-n", "attacks"}
	// that it is missing is only likely
	args := append(slices.Clone(unnamed), "--finalizer", "attacks.example.com/cleanup")
	var start func()
	through, open := l.gated(t, plane, at(atSecond, func() { start() }))
	plan := through.remove(t, args...)
	open()
	if text := strings.Join(plan.report.Items[0].Warnings, " "); !strings.Contains(text, "may run outside this cluster") {
		t.Errorf("it isn't said that the controller may run elsewhere: %q", text)
	}
	start = func() {
		mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Pod
    metadata: {name: attacks-operator, namespace: attacks}
    spec: {nodeName: attacks-node, serviceAccountName: attacks-operator, containers: [{name: main, image: none}]}
- until: {object: pod/attacks-operator, namespace: attacks, path: '{.status.conditions[?(@.type=="Ready")].status}',
    is: "True"}
`)
	}
	done := through.remove(t, append(args, "--force", "--confirm", plan.report.Token)...)
	if last := done.report.Guards[len(done.report.Guards)-1]; done.code != 5 || last.Number != 7 {
		t.Errorf("%s with %d: %+v", done.report.Outcome, done.code, last)
	}
	if left := object(t, plane, "gadgets.attacks.example.com", "attacks", "one"); left == nil ||
		len(left.GetFinalizers()) != 1 {
		t.Error("the entry was removed although its controller has started")
	}
	if plan = l.remove(t, unnamed...); plan.report.Token != "" || !strings.Contains(fmt.Sprintf("%+v", plan.report.Guards),
		"You named no finalizer") {
		t.Errorf("it would be removed unnamed while its controller runs: %+v", plan.report.Guards)
	}
}
