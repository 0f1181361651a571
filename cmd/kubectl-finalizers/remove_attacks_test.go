package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// testAttacks tries to have removed what should not be.
func testAttacks(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: attacks, labels: "+
		"{attacks: here}}\n")
	l := newLab(t, plane, "remove-attacks", controlplane.ClusterAdmins)
	t.Run("changed on its way", func(t *testing.T) { testMutated(t, plane, l) })
	t.Run("answers", func(t *testing.T) { testAnswers(t, plane, l) })
	t.Run("token of another state", func(t *testing.T) { testReplay(t, plane, l) })
	t.Run("names", func(t *testing.T) { testNames(t, plane, l) })
	t.Run("set again", func(t *testing.T) { testSetAgain(t, plane, l) })
	t.Run("interrupted", func(t *testing.T) { testInterruptedRemoval(t, plane, l) })
	t.Run("controller starts", func(t *testing.T) { testStarts(t, plane, l) })
}

func heldMap(names ...string) string {
	var steps strings.Builder
	for _, name := range names {
		fmt.Fprintf(&steps, `
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %[1]s, namespace: attacks, labels: {app: %[1]s}, finalizers: [example.com/hold, example.com/other]}
- delete: {object: configmap/%[1]s, namespace: attacks}
`, name)
	}
	return steps.String()
}

func removeHold(name string, more ...string) []string {
	return append([]string{"cm/" + name, "-n", "attacks", "--finalizer", "example.com/hold"}, more...)
}

// testMutated has a policy take off all finalizers whenever one is removed.
func testMutated(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, heldMap("mutated")+`
- apply: |
    apiVersion: admissionregistration.k8s.io/v1
    kind: MutatingAdmissionPolicy
    metadata: {name: attacks}
    spec:
      reinvocationPolicy: Never
      matchConstraints:
        namespaceSelector: {matchLabels: {attacks: here}}
        resourceRules: [{operations: [UPDATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
      matchConditions: [{name: this, expression: "object.metadata.name == 'mutated'"}]
      mutations:
      - patchType: JSONPatch
        jsonPatch: {expression: '[JSONPatch{op: "remove", path: "/metadata/finalizers"}]'}
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: MutatingAdmissionPolicyBinding
    metadata: {name: attacks}
    spec: {policyName: attacks}
`)
	var done outcome
	for range 40 { // until the policy is in force
		if done = l.remove(t, removeHold("mutated", "--force",
			"--dry-run=server")...); done.report.Outcome == result.Refused {
			break
		}
	}
	if last := done.report.Guards[len(done.report.Guards)-1]; done.code != 5 || last.Number != 6 ||
		!strings.Contains(last.Why, "other finalizers are left than planned (left: none; planned: example.com/other)") {
		t.Errorf("%d: %+v", done.code, last)
	}
	if writes := l.writes(t); len(writes) > 0 {
		t.Errorf("it wrote %q", writes)
	}
}

// testAnswers has the server answer the write in ways that are easily taken for something else.
func testAnswers(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	denied := `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"admission webhook \"guard.example.com\" ` +
		`denied the request: not today","reason":"Forbidden","code":403}`
	later := `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"try ` +
		`again","reason":"ServerTimeout","details":{"retryAfterSeconds":1},"code":500}`
	cases := []struct {
		name    string
		status  int
		body    string
		passes  bool // the write, before it is answered
		outcome result.RemovalOutcome
		code    int
		says    string
		held    bool
	}{
		{"denied", 403, denied, false, result.Failed, 5, "not today", true},
		{"conflict", 409, strings.NewReplacer("Forbidden", "Conflict", "403", "409").Replace(denied), false, result.Failed, 5,
			"changed just before", true},
		{"busy", 429, strings.NewReplacer("Forbidden", "TooManyRequests", "403", "429").Replace(denied), false, result.Failed,
			5, "refused the write", true},
		{"failed", 500, later, false, result.Failed, 5, "has changed nothing so far", true},
		{"done-and-failed", 500, later, true, result.Gone, 0, "no answer", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mustBreak(t, plane, heldMap(c.name))
			args := removeHold(c.name, "--finalizer", "example.com/other")
			var writes atomic.Int32
			through, open := l.gatedBy(t, plane, func(w http.ResponseWriter, r *http.Request, pass func()) {
				if r.Method == http.MethodGet || r.URL.Query().Get("dryRun") != "" {
					pass()
					return
				}
				writes.Add(1)
				if c.passes {
					passOn(t, plane, r)
				}
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			})
			token := through.token(t, args...)
			open()
			done := through.remove(t, append(args, "--force", "--confirm", token)...)
			if done.report.Outcome != c.outcome || done.code != c.code ||
				!strings.Contains(fmt.Sprintf("%+v", done.report.Items), c.says) {
				t.Errorf("%s with %d, want %s with %d and %q:\n%s%s", done.report.Outcome, done.code, c.outcome, c.code, c.says,
					done.stdout, done.stderr)
			}
			if writes.Load() != 1 {
				t.Errorf("it wrote %d times", writes.Load())
			}
			if held := object(t, plane, "configmaps", "attacks", c.name) != nil; held != c.held {
				t.Errorf("it is there afterwards: %v, want %v", held, c.held)
			}
		})
	}
}

// passOn lets the server carry a write out, and keeps the answer to itself.
func passOn(t *testing.T, plane *controlplane.ControlPlane, r *http.Request) {
	t.Helper()
	url := ""
	kubeconfig := answering(t, plane, func(_ http.ResponseWriter, _ *http.Request, pass func()) { pass() })
	content, err := os.ReadFile(kubeconfig)
	if err != nil {
		t.Error(err)
		return
	}
	_, after, _ := strings.Cut(string(content), "server: '")
	url, _, _ = strings.Cut(after, "'")
	request, err := http.NewRequestWithContext(r.Context(), r.Method, url+r.URL.RequestURI(), r.Body)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header = r.Header.Clone()
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%v: %+v", err, answer)
	}
	if err == nil {
		_ = answer.Body.Close()
	}
}

// testNames removes from one of two objects of one name in different groups, from one whose name no terminal
// should see, and by the names that list prints.
func testNames(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	widget := func(group string) string {
		return definition("widgets."+group, "Widget", "Namespaced") + fmt.Sprintf(`
- apply: |
    apiVersion: %[1]s/v1
    kind: Widget
    metadata: {name: same, namespace: attacks, finalizers: [example.com/hold]}
- delete: {object: widgets.%[1]s/same, namespace: attacks}
`, group)
	}
	mustBreak(t, plane, widget("one.attacks.example.com")+widget("two.attacks.example.com")+`
- apply: |
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: "attacks:\e[31m $(id) ';", finalizers: [example.com/hold]}
- delete: {object: "clusterrole/attacks:\e[31m $(id) ';"}
`)
	done := l.confirmed(t, "widgets.two.attacks.example.com/same", "-n", "attacks", "--finalizer", "example.com/hold")
	if writes := l.writes(t); done.code != 0 || !slices.Equal(writes,
		[]string{"patch /apis/two.attacks.example.com/v1/namespaces/attacks/widgets/same"}) {
		t.Errorf("%d, and it wrote %q:\n%s", done.code, writes, done.stdout)
	}
	if object(t, plane, "widgets.one.attacks.example.com", "attacks", "same") == nil {
		t.Error("the one of the other group is gone")
	}
	done = l.confirmed(t, "clusterrole", "attacks:\x1b[31m $(id) ';", "--finalizer", "example.com/hold")
	if writes := l.writes(t); done.code != 0 || len(writes) != 1 || strings.Contains(done.stdout+done.stderr, "\x1b") {
		t.Errorf("%d, and it wrote %q:\n%q %q", done.code, writes, done.stdout, done.stderr)
	}
	list, names, _ := program(t, "list", "-n", "attacks", "-o", "name", "--kubeconfig", l.kubeconfig)
	if err := list.Run(); err != nil || !strings.Contains(names.String(), "widget.one.attacks.example.com/same") {
		t.Fatalf("%v: %q", err, names)
	}
	only := strings.NewReader("widget.one.attacks.example.com/same\n")
	args := []string{"remove", "-", "-n", "attacks", "--finalizer", "example.com/hold", "--kubeconfig", l.kubeconfig,
		"--dry-run=server", "--force", "--backup-dir", l.backups}
	dry, stdout, _ := program(t, args...)
	dry.Stdin = only
	if err := dry.Run(); err != nil || !strings.Contains(stdout.String(), "Passed") {
		t.Errorf("%v: %s", err, stdout)
	}
}
