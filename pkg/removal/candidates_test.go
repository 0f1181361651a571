package removal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const orders = `
apiVersion: shop.example.com/v1
kind: Database
metadata: {name: orders, namespace: shop, uid: orders-1, resourceVersion: "7",
  deletionTimestamp: 2026-01-02T02:00:00Z, finalizers: [shop.example.com/cleanup]}
`

// mayWrite lets shop-operator, or all ServiceAccounts, change Databases.
func mayWrite(subject string) string {
	return fmt.Sprintf(`---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop}
subjects: [%s]
`, subject)
}

const (
	theOperator = "{kind: ServiceAccount, namespace: shop-system, name: shop-operator}"
	anybody     = "{kind: Group, name: 'system:serviceaccounts'}"
	account     = `---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop-operator, namespace: shop-system}
`
	operatorPod = `---
apiVersion: v1
kind: Pod
metadata: {name: shop-operator-1, namespace: shop-system, uid: pod-1}
spec: {nodeName: n1, serviceAccountName: shop-operator}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
`
	liveLease = `---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: shop-example-com, namespace: shop-system}
spec: {holderIdentity: elsewhere, leaseDurationSeconds: 15, renewTime: "2026-01-02T03:04:03.000000Z"}
`
)

// TestWhoMayBeAlive asks for an override wherever a program may be about to remove the finalizer, or it could not be
// read whether there is one.
func TestWhoMayBeAlive(t *testing.T) {
	others := strings.Replace(mayWrite("{kind: ServiceAccount, namespace: a, name: one}, {kind: ServiceAccount, "+
		"namespace: a, name: two}, {kind: ServiceAccount, namespace: a, name: three}, {kind: ServiceAccount, namespace: a, "+
		"name: four}"), "namespace: a", "namespace: b", 1)
	cases := []struct {
		name       string
		objects    string
		deny       []string
		override   string   // that is demanded; empty for none
		candidates []string // of the cause
		warns      string
	}{
		{name: "nobody may write", objects: orders},
		{name: "its account is idle", objects: orders + mayWrite(theOperator) + account,
			warns: "may run outside this cluster"},
		{name: "it runs", objects: orders + mayWrite(theOperator) + account + operatorPod, override: "ControllerUnknown",
			candidates: []string{"ServiceAccount shop-system/shop-operator"}},
		{name: "any program may", objects: orders + mayWrite(anybody), override: "ControllerUnknown",
			candidates: []string{"Group system:serviceaccounts"}},
		{name: "more may than were looked at", objects: orders + others, override: "ControllerUnknown",
			candidates: []string{"ServiceAccount b/one"}},
		{name: "its Lease is renewed", objects: orders + liveLease, override: "ControllerUnknown",
			candidates: []string{"Lease shop-system/shop-example-com"}},
		{name: "RBAC can't be read", objects: orders + mayWrite(theOperator) + account + operatorPod,
			deny: []string{"rolebindings"}, override: "ControllerUnknown"},
		{name: "pods can't be read", objects: orders + mayWrite(theOperator) + account + operatorPod, deny: []string{"pods"},
			override: "ControllerUnknown"},
		{name: "admission can't be read", objects: orders + mayWrite(theOperator) + account + operatorPod,
			deny: []string{"validatingwebhookconfigurations"}, override: "ControllerUnknown"},
		{name: "nobody may, and Deployments can't be read", objects: orders, deny: []string{"deployments"},
			override: "ControllerUnknown"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			with := func(overrides ...string) *bench {
				b := newBench(t, c.objects, removal.Options{Finalizers: []string{"shop.example.com/cleanup"}, Overrides: overrides,
					Force: true, Confirm: "yes"}, "databases.shop.example.com/orders")
				for _, resource := range c.deny {
					b.memory.Deny(resource)
				}
				return b
			}
			b := with()
			done := b.run(t)
			var objected []string
			for _, objection := range done.Items[0].Entries[0].Objected {
				objected = append(objected, objection.Code)
			}
			if got := strings.Join(objected, " "); got != c.override {
				t.Errorf("objections %q, want %q: %+v", got, c.override, done.Items[0].Entries[0])
			}
			if written := b.writer.written(); len(written) > 0 && c.override != "" {
				t.Errorf("it sent %q", written)
			}
			if warned := strings.Join(done.Items[0].Warnings, " "); !strings.Contains(warned, c.warns) || c.warns == "" &&
				warned != "" && c.deny == nil {
				t.Errorf("it warns %q, want %q", warned, c.warns)
			}
			b = with()
			if c.override != "" {
				b = with(c.override)
			}
			plan, err := b.planned(t)
			if err != nil {
				t.Fatal(err)
			}
			b.Options.Confirm = plan.Report.Token
			done = b.Run(t.Context(), plan)
			if written := b.writer.written(); len(written) != 1 {
				t.Errorf("with --override %s it sent %q: %s", c.override, written, done.Summary)
			}
		})
	}
	for _, c := range cases {
		if c.candidates != nil {
			t.Run(c.name+", for programs", func(t *testing.T) {
				checkCandidates(t, c.objects, c.candidates)
			})
		}
	}
}

// checkCandidates finds who may be alive in the diagnosis, and the override in its last remedy.
func checkCandidates(t *testing.T, objects string, want []string) {
	b := newBench(t, objects, removal.Options{}, "databases.shop.example.com/orders")
	found := b.why(t)
	var candidates []string
	for _, candidate := range found.RootCauses[0].Candidates {
		candidates = append(candidates, candidate.String())
	}
	if !slices.Equal(candidates, want) {
		t.Errorf("candidates %q, want %q", candidates, want)
	}
	remedies := found.RootCauses[0].Remedies
	if last := remedies[len(remedies)-1]; !strings.HasSuffix(last.Command.String(),
		"--force --override ControllerUnknown") {
		t.Errorf("the last remedy would be refused: %s", last.Command)
	}
}

// TestRevivedBeforeTheWrite lets a controller start between the plan and the write, at the last dry run.
func TestRevivedBeforeTheWrite(t *testing.T) {
	missing := orders + mayWrite(theOperator) + account
	cases := []struct {
		name, objects, revives string
		options                removal.Options
	}{
		{"missing, and named", missing, operatorPod, removal.Options{Finalizers: []string{"shop.example.com/cleanup"}}},
		{"unknown, and now it runs", orders + mayWrite(anybody), mayWrite(theOperator) + operatorPod,
			removal.Options{Finalizers: []string{"shop.example.com/cleanup"}, Overrides: []string{"ControllerUnknown"}}},
		{"missing, and its Lease is renewed elsewhere", orders, liveLease, removal.Options{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.options.Force, c.options.Confirm = true, "yes"
			b := newBench(t, c.objects, c.options, "databases.shop.example.com/orders")
			dryRuns := 0
			b.writer.answer = func(string) error {
				if dryRuns++; dryRuns == 2 { // the plan's was the first
					return b.memory.Add(strings.TrimPrefix(c.revives, "---"))
				}
				return nil
			}
			done := b.run(t)
			if written := b.writer.written(); len(written) > 0 || done.Outcome != result.Refused {
				t.Errorf("%s, and it sent %q: %s", done.Outcome, written, done.Summary)
			}
			if last := done.Guards[len(done.Guards)-1]; last.Number != 7 {
				t.Errorf("refused by %+v, want guard 7", last)
			}
		})
	}
}
