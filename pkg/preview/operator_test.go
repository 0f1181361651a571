package preview_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestOperatorGoes deletes a namespace with its operator and what only that releases: to delete that first prevents it.
func TestOperatorGoes(t *testing.T) {
	c := previewCase{target: "namespaces/shop", objects: []string{
		manager(), namespace(), node("True"), database("finalizers: [shop.example.com/cleanup]"),
		object("v1", "ServiceAccount", "operator", "", ""),
		object("apps/v1", "Deployment", "operator", "", "spec: {replicas: 1, selector: {matchLabels: {app: operator}}, "+
			"template: {metadata: {labels: {app: operator}}, "+
			"spec: {serviceAccountName: operator, containers: [{name: m, image: m}]}}}\n"+
			"status: {replicas: 1, readyReplicas: 1, availableReplicas: 1}"),
		object("v1", "Pod", "operator-1", "labels: {app: operator}",
			"spec: {nodeName: n1, serviceAccountName: operator, containers: "+
				"[{name: m, image: m}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "/operator", "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ['*']}]"),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "/operator", "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n"+
				"subjects: [{kind: ServiceAccount, namespace: shop, name: operator}]"),
		object("shop.example.com/v1", "Database", "other/far", "finalizers: [shop.example.com/cleanup]", ""),
	}}
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
	if !strings.Contains(text, "other/far") {
		t.Errorf("it says nothing of what is elsewhere:\n%s", text)
	}
}
