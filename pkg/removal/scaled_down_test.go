package removal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// stopped is a workload without pods, and what else is in the cluster of it.
func stopped(kind, namespace, name, labels, account string) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: %s
metadata: {name: %s, namespace: %s, uid: %s-1, labels: {%s}}
spec: {replicas: 0, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}},
  spec: {serviceAccountName: %s, containers: [{name: manager, image: example.com/shop-operator:v1}]}}}
status: {replicas: 0}
`, kind, name, namespace, name, labels, name, name, account)
}

// TestScaledDownIsNotMissing has the controller scaled to 0, found in one way or another: without a name, nothing is
// removed that it would remove if it were started, and the plan says nowhere that the diagnosis does not object.
func TestScaledDownIsNotMissing(t *testing.T) {
	wrote := strings.Replace(orders, "finalizers: [", "managedFields: [{manager: shop-operator, operation: Update, "+
		"apiVersion: shop.example.com/v1, time: '2026-01-01T02:00:00Z', fieldsType: FieldsV1, fieldsV1: {'f:metadata': "+
		"{'f:finalizers': {'.': {}, 'v:\"shop.example.com/cleanup\"': {}}}}}], finalizers: [", 1)
	deployment := stopped("Deployment", "shop-system", "shop-operator", "", "shop-operator")
	for name, objects := range map[string]string{
		"it may write":        orders + mayWrite(theOperator) + account + deployment,
		"its account is gone": orders + mayWrite(theOperator) + deployment,
		"its role is gone":    orders + account + deployment,
		"its role is bound to nobody": orders +
			strings.Replace(mayWrite(theOperator), "subjects: ["+theOperator+"]", "", 1) + account + deployment,
		"it wrote the finalizer":      wrote + account + deployment,
		"it wrote as another account": wrote + stopped("Deployment", "shop-system", "shop-operator", "", "default"),
		"it wrote, and has another name": wrote + stopped("Deployment", "shop-system", "manager",
			"'app.kubernetes.io/name': shop-operator", "default"),
		"a set": orders + account + strings.Replace(deployment, "Deployment", "StatefulSet", 1),
		"only its labels match": orders + stopped("Deployment", "operators", "controller-manager",
			"'app.kubernetes.io/part-of': shop.example.com", "default"),
		"a Rollout, by its ReplicaSet": orders + strings.Replace(stopped("ReplicaSet", "shop-system", "shop-operator-5d4", "",
			"default"), "uid: shop-operator-5d4-1", "uid: rs-1, ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: "+
			"Rollout, name: shop-operator, uid: rollout-1, controller: true}]", 1),
		"a Rollout without a ReplicaSet": orders + strings.Replace(
			stopped("Rollout", "shop-system", "shop-operator", "", "default"), "apps/v1", "deploy.example.net/v1", 1),
		"only its name matches":     orders + stopped("Deployment", "operators", "shop-operator", "", "default"),
		"in the object's namespace": orders + stopped("Deployment", "shop", "shop-controller", "", "default"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, objects, removal.Options{Force: true, Confirm: "yes"}, "databases.shop.example.com/orders")
			found := b.why(t)
			done := b.run(t)
			if written := b.writer.written(); len(written) > 0 || done.Outcome != result.Refused {
				t.Errorf("%s, and it sent %q; the diagnosis: %s", done.Summary, written, found.Summary)
			}
			if text := b.printed(t, done); strings.Contains(text, "does not object") {
				t.Errorf("the plan says:\n%s", text)
			}
		})
	}
}

// TestStoppedIsNotInTheWay leaves alone what has nothing to do with the finalizer, what runs, and whoever names it.
func TestStoppedIsNotInTheWay(t *testing.T) {
	for name, objects := range map[string]string{
		"of another project": stopped("StatefulSet", "queue-system", "queue-operator", "", "default"),
		"for another duty":   stopped("StatefulSet", "shop-system", "shop-dashboard", "", "default"),
		"a part of its name": stopped("StatefulSet", "ops", "workshop-operator", "", "default"),
		"an old revision": strings.Replace(stopped("ReplicaSet", "queue", "shop-5d4", "", "default"), "uid: shop-5d4-1",
			"uid: rs-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: shop, uid: d-1, controller: true}]", 1),
	} {
		b := newBench(t, orders+objects, removal.Options{Force: true, Confirm: "yes"}, "databases.shop.example.com/orders")
		if done := b.run(t); len(b.writer.written()) != 1 {
			t.Errorf("%s: %s", name, done.Summary)
		}
	}
	b := newBench(t, orders+stopped("StatefulSet", "shop-system", "shop-operator", "", "default"), removal.Options{
		Force: true, Confirm: "yes", Finalizers: []string{"shop.example.com/cleanup"}}, "databases.shop.example.com/orders")
	if done := b.run(t); len(b.writer.written()) != 1 {
		t.Errorf("named: %s", done.Summary)
	}
	b = newBench(t, orders, removal.Options{Force: true, Confirm: "yes"}, "databases.shop.example.com/orders")
	b.memory.Deny("statefulsets")
	if done := b.run(t); len(b.writer.written()) > 0 {
		t.Errorf("StatefulSets may not be listed: %s", done.Summary)
	}
}
