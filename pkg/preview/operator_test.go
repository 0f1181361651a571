package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// operator is a namespace with an operator, and objects with its finalizer in it and elsewhere.
func operator(replicas int) []string {
	objects := []string{
		manager(), namespace(), node("True"), database("finalizers: [shop.example.com/cleanup]"),
		object("v1", "ServiceAccount", "operator", "", ""),
		object("apps/v1", "Deployment", "operator", "", fmt.Sprintf("spec: {replicas: %[1]d, "+
			"selector: {matchLabels: {app: operator}}, template: {metadata: {labels: {app: operator}}, "+
			"spec: {serviceAccountName: operator, containers: [{name: m, image: m}]}}}\n"+
			"status: {replicas: %[1]d, readyReplicas: %[1]d, availableReplicas: %[1]d}", replicas)),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "/operator", "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ['*']}]"),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "/operator", "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n"+
				"subjects: [{kind: ServiceAccount, namespace: shop, name: operator}]"),
		object("shop.example.com/v1", "Database", "other/far", "finalizers: [shop.example.com/cleanup]", ""),
		object("shop.example.com/v1", "Database", "other/going",
			`finalizers: [shop.example.com/cleanup], deletionTimestamp: "2026-01-02T11:00:00Z"`, ""),
	}
	for range replicas {
		objects = append(objects, object("v1", "Pod", "operator-1", "labels: {app: operator}, "+
			"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: operator, uid: deployment-operator, controller: true}]",
			"spec: {nodeName: n1, serviceAccountName: operator, containers: "+
				"[{name: m, image: m}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"))
	}
	return objects
}

// TestOperatorDoesNotRun deletes operators that don't run: nothing changes for their objects.
func TestOperatorDoesNotRun(t *testing.T) {
	for _, target := range []string{"namespaces/shop", "deployments.apps/operator"} {
		c := previewCase{target: target, objects: operator(0)}
		told, err := c.ask(t, c.memory(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(told.Later) > 0 {
			t.Errorf("%s: %+v", target, told.Later)
		}
	}
}

// TestLikelyControllerMakesNoPromise deletes what an uncertain controller releases.
func TestLikelyControllerMakesNoPromise(t *testing.T) {
	c := previewCase{target: "databases.shop.example.com/orders", objects: operator(1)}
	told, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	const says = "would finish. This holds if shop.example.com/cleanup is removed by its probable controller."
	if told.Outcome != report.WouldGo || !strings.Contains(told.Summary, says) {
		t.Errorf("%s: %s", told.Outcome, told.Summary)
	}
}

// TestOperatorDeploymentGoes deletes the operator alone: the first sentence says what that costs.
func TestOperatorDeploymentGoes(t *testing.T) {
	c := previewCase{target: "deployments.apps/operator", objects: operator(1)}
	told, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if told.Outcome != report.WouldGo || len(told.Later) != 1 || len(told.Later[0].Waiting) != 1 ||
		!strings.Contains(told.Summary, "could no longer be deleted afterwards") {
		t.Errorf("%s: %s %+v", told.Outcome, told.Summary, told.Later)
	}
}

// TestOperatorGoes deletes a namespace with its operator and what only that releases: to delete that first prevents it.
func TestOperatorGoes(t *testing.T) {
	c := previewCase{target: "namespaces/shop", objects: operator(1)}
	told, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if told.Outcome != report.WouldHang || len(told.RootCauses) != 1 || told.RootCauses[0].Reason != finding.ControllerMissing {
		t.Fatalf("%s: %s %+v", told.Outcome, told.Summary, told.RootCauses)
	}
	first := told.RootCauses[0].Remedies[0]
	if want := "-n shop delete databases.shop.example.com/orders"; !strings.Contains(first.Command.String(), want) {
		t.Errorf("the first step is %s: %s", first.Action, first.Command)
	}
	text := human(t, told)
	for _, says := range []string{
		"Database other/going is being deleted now and would hang. Database other/far stays",
		"Database other/going and Database other/far could no longer be deleted afterwards.",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it doesn't say %q:\n%s", says, text)
		}
	}
	if !strings.Contains(text, "other/far") {
		t.Errorf("it says nothing of what is elsewhere:\n%s", text)
	}
}
