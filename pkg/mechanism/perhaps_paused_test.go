package mechanism

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestPerhapsPaused asks about an object that was deleted a moment ago, and whose controller runs. No one is told to
// wait for it where what may pause it could not be read.
func TestPerhapsPaused(t *testing.T) {
	const owner = `ownerReferences: [{apiVersion: store.example.com/v1, kind: App, name: fast, uid: app-fast}]`
	item := func(more string) string {
		return manifest("store.example.com/v1", "Item", "shop", "one",
			deleted(10*time.Second, "store.example.com/hold")+", "+more, "spec: {size: 1, class: slow}")
	}
	cluster := manifest("v1", "Namespace", "", "shop", "", "") +
		manifest("store.example.com/v1", "App", "shop", "fast", "", "spec: {paused: false}") + itemsOperator
	for _, c := range []struct {
		name, objects, deny string
		waits               bool
	}{
		{"all is read", item(owner) + cluster, "", true},
		{"an owner can't be read", item(owner) + cluster, "apps", false},
		{"an owner is gone", item(strings.ReplaceAll(owner, "fast", "gone")) + cluster, "", true},
		{"it has no owner", item("") + cluster, "apps", true},
		{"its namespace can't be read", item("") + cluster, "namespaces", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var denied []string
			if c.deny != "" {
				denied = append(denied, c.deny)
			}
			tools := toolsFor(t, c.objects, denied...)
			answer := Explain(t.Context(), tools, firstOf(t, tools, c.objects),
				finding.Hold{Type: finding.Finalizer, Name: "store.example.com/hold"})
			if waits := len(answer.Progress) > 0; waits != c.waits || waits == (len(answer.Open) > 0) {
				t.Errorf("it waits: %v, want %v; progress %+v, open %+v, causes %+v", waits, c.waits, answer.Progress, answer.Open,
					answer.Causes)
			}
			for _, note := range answer.Open {
				said := finding.Voice{Now: noon}.Message(note)
				if !strings.Contains(said, "may still be working on") || !strings.Contains(said, "tells it to pause is not known") {
					t.Error(said)
				}
			}
		})
	}
	moves := Answer{Progress: []Finding{{Details: finding.ControllerDetails{Moves: true}}}}
	if got := perhapsPaused(moves, []finding.Unread{{}}); len(got.Progress) != 1 || len(got.Open) > 0 {
		t.Errorf("what moves is not paused, %+v", got)
	}
	if got := perhapsPaused(session.Answer{}, []finding.Unread{{}}); len(got.Open) > 0 {
		t.Errorf("nobody was said to be at work, %+v", got)
	}
}

const itemsOperator = `
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: ops, name: items-operator, uid: account}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: items}
rules: [{apiGroups: [store.example.com], resources: [items], verbs: [get, list, watch, update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: items}
roleRef: {kind: ClusterRole, name: items}
subjects: [{kind: ServiceAccount, namespace: ops, name: items-operator}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: ops, name: items-operator, uid: items-operator}
spec: {replicas: 1, selector: {matchLabels: {app: i}}, template: {spec: {serviceAccountName: items-operator}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: ops, name: items-operator-6d4cf56db6-x7k2p, uid: pod, labels: {app: i}}
spec: {serviceAccountName: items-operator, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-06-01T12:00:00Z"}]
`
