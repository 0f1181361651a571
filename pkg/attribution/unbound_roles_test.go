package attribution

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// unboundShop is a cluster in which a role would let an account remove a Database's finalizer. BINDING is what binds
// it, and PROGRAM what runs.
const unboundShop = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop-op}
rules: [{apiGroups: [shop.example.com], resources: ["*"], verbs: ["*"]}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: shop-system, name: PROGRAM}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop-system, name: PROGRAM, uid: PROGRAM}
spec:
  replicas: 1
  selector: {matchLabels: {app: op}}
  template: {metadata: {labels: {app: op}}, spec: {serviceAccountName: PROGRAM, containers: [{name: main, image: x}]}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop-system, name: PROGRAM-0, uid: pod, labels: {app: op}}
spec: {serviceAccountName: PROGRAM, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "READY"}]
  containerStatuses: [{name: main, restartCount: RESTARTS}]
`

const shopBinding = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop-op}
roleRef: {kind: ClusterRole, name: shop-op}
subjects: SUBJECTS
`

// TestUnboundRoles asks who should remove a finalizer if a binding was lost: no controller is missing for certain then,
// and the account with the role's name is forbidden what it grants.
func TestUnboundRoles(t *testing.T) {
	const says = "RBAC: ClusterRole shop-op allows updates of databases.shop.example.com but has no binding"
	const again = "create clusterrolebinding shop-op --clusterrole=shop-op --serviceaccount=shop-system:shop-op"
	held := stuck{kind: "Database", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup"}
	for name, c := range map[string]struct {
		program, binding string
		want, not        []string
	}{
		"a program of its name": {"shop-op", "", []string{"ControllerForbidden", "Likely", says, again}, []string{"Proven"}},
		"a binding of nobody":   {"shop-op", "[]", []string{"ControllerForbidden", "Likely", says, again}, nil},
		"an operator of the group": {
			"shop-operator", "",
			[]string{"ControllerForbidden", says, "--serviceaccount=shop-system:shop-operator"}, []string{"Proven"},
		},
		"another program": {"web", "", []string{"ControllerMissing", "Likely", says, "has no binding"}, []string{"Proven"}},
		"bound to who is gone": {
			"web", "[{kind: ServiceAccount, namespace: away, name: shop-op}]", []string{"ControllerMissing", "Proven"},
			[]string{says},
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := strings.NewReplacer("PROGRAM", c.program, "READY", "2026-06-01T12:00:00Z", "RESTARTS", "0").
				Replace(unboundShop)
			if c.binding != "" {
				state += strings.ReplaceAll(shopBinding, "SUBJECTS", c.binding)
			}
			got := toldIn(t, state, held)
			for _, want := range c.want {
				if !strings.Contains(strings.NewReplacer("[", "", "]", "").Replace(got), want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			for _, not := range c.not {
				if strings.Contains(got, not) {
					t.Errorf("%q is said in\n%s", not, got)
				}
			}
		})
	}
}

// TestFirstMoment asks about a controller that was started long after the deletion: it is given its first moment, from
// when its pod was ready, unless that starts over and over.
func TestFirstMoment(t *testing.T) {
	held := stuck{
		kind: "Database", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup", managers: []string{"shop-op"},
	}
	account := "[{kind: ServiceAccount, namespace: shop-system, name: shop-op}]"
	for name, c := range map[string]struct{ ready, restarts, want, not string }{
		"just started":    {"2026-07-01T11:59:58Z", "0", "its pod started 2s ago", "since the deletion"},
		"a while ago":     {"2026-07-01T11:50:00Z", "0", "has been ready for 10m", "at work"},
		"over and over":   {"2026-07-01T11:59:58Z", "7", "ControllerUnknown", "its pod started"},
		"before deletion": {"2026-06-01T12:00:00Z", "0", "since the deletion, 1h ago", "has been ready"},
	} {
		t.Run(name, func(t *testing.T) {
			state := unboundShop + strings.ReplaceAll(shopBinding, "SUBJECTS", account)
			state = strings.NewReplacer("PROGRAM", "shop-op", "READY", c.ready, "RESTARTS", c.restarts).Replace(state)
			got := toldIn(t, state, held)
			if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
				t.Errorf("want %q, and not %q:\n%s", c.want, c.not, got)
			}
		})
	}
}

// TestNoFirstMomentByRightsAlone gives none to a program that may write the kind, where the finalizer is another
// project's: that its pod is young says nothing about the finalizer.
func TestNoFirstMomentByRightsAlone(t *testing.T) {
	account := "[{kind: ServiceAccount, namespace: shop-system, name: shop-op}]"
	state := unboundShop + strings.ReplaceAll(shopBinding, "SUBJECTS", account)
	state = strings.NewReplacer("PROGRAM", "shop-op", "READY", "2026-07-01T11:59:58Z", "RESTARTS", "0").Replace(state)
	for _, c := range []struct {
		finalizer string
		setBy     []string
		moment    bool
	}{
		{"shop.example.com/cleanup", nil, true},
		{"inventory.acme.example/release", nil, false},
		{"inventory.acme.example/release", []string{"manager"}, true}, // which many programs are called
	} {
		finalizer, moment := c.finalizer, c.moment
		held := stuck{kind: "Database", namespace: "a", name: "x", finalizer: finalizer, managers: c.setBy}
		if got := toldIn(t, state, held); strings.Contains(got, "its pod started 2s ago") != moment ||
			strings.Contains(got, "ControllerUnknown") == moment {
			t.Errorf("%s has a first moment, want %t:\n%s", finalizer, moment, got)
		}
	}
}

// toldIn is the answer about an object in a cluster.
func toldIn(t *testing.T, state string, held stuck) string {
	t.Helper()
	memory, err := clustertest.New(now, state+"\n---\n"+held.document())
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return told(t, finderOf(memory, known), held)
}
