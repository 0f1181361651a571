package preview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
			"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: operator, uid: deployment-operator, "+
			"controller: true}]",
			"spec: {nodeName: n1, serviceAccountName: operator, containers: "+
				"[{name: m, image: m}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"))
	}
	return objects
}

// TestOperatorDoesNotRun deletes operators that are scaled to zero: after that, nothing can start them again.
func TestOperatorDoesNotRun(t *testing.T) {
	for _, target := range []string{"namespaces/shop", "deployments.apps/operator"} {
		c := previewCase{target: target, objects: operator(0)}
		preview, err := c.ask(t, c.memory(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(preview.Later) != 1 || preview.Later[0].State != "Down" || preview.Later[0].Loses != result.LosesWorkload {
			t.Fatalf("%s: %+v", target, preview.Later)
		}
		text := human(t, preview)
		for _, says := range []string{
			"would lose their controller, which is not running now.",
			"It is not running now, and would be deleted: nothing could start it again.",
			"Database other/going is being deleted now and waits for it. Database other/far",
		} {
			if !strings.Contains(text, says) {
				t.Errorf("%s: it doesn't say %q:\n%s", target, says, text)
			}
		}
	}
}

// TestOperatorIsNotInstalled deletes a namespace with an operator's objects alone, whose controller is nowhere: nothing
// changes for those elsewhere.
func TestOperatorIsNotInstalled(t *testing.T) {
	objects := slices.DeleteFunc(operator(0),
		func(object string) bool { return strings.Contains(object, "name: operator") })
	c := previewCase{target: "namespaces/shop", objects: append(objects, pod("web", ""))}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(preview.Later) > 0 {
		t.Errorf("%+v", preview.Later)
	}
}

// TestOperatorLosesRights deletes what lets an operator do its work: it stays, and so do its objects.
func TestOperatorLosesRights(t *testing.T) {
	const rights, account = "and would no longer be allowed to change databases.shop.example.com.",
		"Without ServiceAccount shop/operator, the API server would refuse all its requests."
	local := func(object string) bool { return strings.Contains(object, "kind: ClusterRoleBinding") }
	in := object("rbac.authorization.k8s.io/v1", "RoleBinding", "other/operator", "",
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n"+
			"subjects: [{kind: ServiceAccount, namespace: shop, name: operator}]")
	again := strings.ReplaceAll(strings.Replace(in, "name: operator", "name: again", 1), "uid: rolebinding-operator",
		"uid: again")
	inOther := append(slices.DeleteFunc(operator(1), local), in)
	for name, one := range map[string]struct {
		target, says string
		objects      []string
		loses        result.Loss
		hang         string
	}{
		"its role": {
			"clusterroles.rbac.authorization.k8s.io//operator", rights, operator(1), result.LosesRights, "far orders going",
		},
		"its binding": {
			"clusterrolebindings.rbac.authorization.k8s.io//operator", rights, operator(1), result.LosesRights,
			"far orders going",
		},
		"its account": {"serviceaccounts/operator", account, operator(1), result.LosesAccount, "far orders going"},
		"in one place": {
			"rolebindings.rbac.authorization.k8s.io/other/operator", rights, inOther, result.LosesRights, "far going",
		},
		"nothing: it is bound twice": {
			"rolebindings.rbac.authorization.k8s.io/other/operator", "", append(slices.Clone(inOther), again), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := previewCase{target: one.target, objects: one.objects}
			preview, err := c.ask(t, c.memory(t))
			if err != nil {
				t.Fatal(err)
			}
			var loses result.Loss
			var hang []string
			for _, later := range preview.Later {
				loses = later.Loses
				for _, ref := range slices.Concat(later.Objects, later.Waiting) {
					hang = append(hang, ref.Name)
				}
			}
			if loses != one.loses || strings.Join(hang, " ") != one.hang || preview.Outcome != result.WouldGo {
				t.Errorf("%s: it loses %q, and %q hang", preview.Outcome, loses, hang)
			}
			if text := human(t, preview); !strings.Contains(text, one.says) {
				t.Errorf("it doesn't say %q:\n%s", one.says, text)
			}
		})
	}
}

// TestLikelyControllerMakesNoPromise deletes what an uncertain controller releases.
func TestLikelyControllerMakesNoPromise(t *testing.T) {
	c := previewCase{target: "databases.shop.example.com/orders", objects: operator(1)}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	const says = "would finish. This assumes that the probable controller of shop.example.com/cleanup removes it."
	if preview.Outcome != result.WouldGo || !strings.Contains(preview.Summary, says) {
		t.Errorf("%s: %s", preview.Outcome, preview.Summary)
	}
}

// TestOperatorDeploymentGoes deletes the operator alone: the first sentence says what that costs.
func TestOperatorDeploymentGoes(t *testing.T) {
	c := previewCase{target: "deployments.apps/operator", objects: operator(1)}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if preview.Outcome != result.WouldGo || len(preview.Later) != 1 || len(preview.Later[0].Waiting) != 1 ||
		!strings.Contains(preview.Summary, "would lose their controller") {
		t.Errorf("%s: %s %+v", preview.Outcome, preview.Summary, preview.Later)
	}
}

// TestNothingDeletedYet offers no step about what a controller deletes once it acts, which is of a requested deletion.
func TestNothingDeletedYet(t *testing.T) {
	c := previewCase{target: "kustomizations.kustomize.toolkit.fluxcd.io/apps", objects: append(running(),
		object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "apps", "finalizers: [finalizers.fluxcd.io]",
			"spec: {prune: true}"))}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(preview.RootCauses) != 1 || preview.RootCauses[0].Reason != finding.ControllerMissing {
		t.Fatalf("%s: %+v", preview.Outcome, preview.RootCauses)
	}
	for _, remedy := range preview.RootCauses[0].Remedies {
		if strings.HasPrefix(remedy.Action, "As soon as ") {
			t.Errorf("it offers %q", remedy.Action)
		}
	}
}

// TestOperatorGoes deletes a namespace with its operator and what only that releases: to delete that first prevents it.
func TestOperatorGoes(t *testing.T) {
	c := previewCase{target: "namespaces/shop", objects: operator(1)}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if preview.Outcome != result.WouldHang || len(preview.RootCauses) != 1 ||
		preview.RootCauses[0].Reason != finding.ControllerMissing {
		t.Fatalf("%s: %s %+v", preview.Outcome, preview.Summary, preview.RootCauses)
	}
	first := preview.RootCauses[0].Remedies[0]
	if want := "-n shop delete databases.shop.example.com/orders"; !strings.Contains(first.Command.String(), want) {
		t.Errorf("the first step is %s: %s", first.Action, first.Command)
	}
	text := human(t, preview)
	for _, says := range []string{
		"Database other/going is being deleted now and would hang. Database other/far stays",
		"Database other/going and Database other/far would lose their controller.",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it doesn't say %q:\n%s", says, text)
		}
	}
	if !strings.Contains(text, "other/far") {
		t.Errorf("it says nothing of what is elsewhere:\n%s", text)
	}
}

// TestOperatorGoesToo deletes a namespace with an operator that runs, and with an object that it would have to release.
func TestOperatorGoesToo(t *testing.T) {
	c := previewCase{target: "namespaces/shop", objects: operator(1)}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	text := human(t, preview)
	for _, says := range []string{
		"Its controller, Deployment shop/operator, runs now, but would be deleted together with Namespace shop",
		"1. Delete Database shop/orders first",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it doesn't say %q:\n%s", says, text)
		}
	}
	for _, never := range []string{"not in this cluster", "Install the controller again", "is being deleted, pods first"} {
		if strings.Contains(text, never) {
			t.Errorf("it says %q:\n%s", never, text)
		}
	}
}

// TestStepsForWhatIsTerminating says that a controller removes the finalizer when the object is deleted, unless that
// was requested before.
func TestStepsForWhatIsTerminating(t *testing.T) {
	const before = "It should then remove the finalizer."
	const live = "It can then remove the finalizer when the object is deleted."
	for says, far := range map[string]bool{before: false, live: true} {
		objects := append(operator(0), object("v1", "Namespace", "/other", "", "spec: {finalizers: [kubernetes]}"))
		if !far {
			objects = slices.DeleteFunc(objects, func(text string) bool { return strings.Contains(text, "name: far") })
		}
		c := previewCase{target: "namespaces/other", objects: objects}
		preview, err := c.ask(t, c.memory(t))
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(strings.Fields(human(t, preview)), " "); !strings.Contains(text, says) {
			t.Errorf("it doesn't say %q:\n%s", says, text)
		}
	}
}
