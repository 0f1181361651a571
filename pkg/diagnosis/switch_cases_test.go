package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// switchCases are objects whose controller was told not to act, or not to delete, and others with fields of
// such names.
func switchCases() []whyCase {
	const orders, machine = "databases.shop.example.com/orders", "machines.cluster.x-k8s.io/m1"
	writes := granted("shop-operator", mayWrite, "databases", theOperator)
	runs := func(databases ...string) []string {
		return append(databases, writes, account("shop-operator"), operator(1, ""), operatorPod(podIsReady),
			node("n1", "True", ""))
	}
	held := func(meta, spec string) string {
		return object("shop.example.com/v1", "Database", "shop", "orders",
			deleted(time.Hour, "shop.example.com/cleanup")+", annotations: {"+meta+"}", spec)
	}
	capi := func(kind, name, meta, spec string) string {
		return object("cluster.x-k8s.io/v1beta2", kind, "shop", name, meta, spec)
	}
	const owned = "ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: c1, uid: cluster-c1}]"
	ofNorth := func(spec string) string {
		return object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup")+
			", ownerReferences: [{apiVersion: shop.example.com/v1, kind: Database, name: north, uid: database-north}]", spec)
	}
	north := func(spec string) string { return object("shop.example.com/v1", "Database", "shop", "north", "", spec) }
	m1 := func(meta string) string {
		return capi("Machine", "m1", deleted(time.Hour, "machine.cluster.x-k8s.io")+", "+owned+meta, "")
	}
	counting := func(left, version, spec string) string {
		return database(time.Hour, "resourceVersion: \""+version+"\", managedFields: ["+managed("shop-operator",
			time.Second, `{"f:status": {"f:remaining": {}}}`)+"]", spec+"\nstatus: {remaining: "+left+"}")
	}
	counts := func(left, spec string) func(*clustertest.Memory) {
		return func(memory *clustertest.Memory) {
			memory.Remove("Database", "orders")
			if err := memory.Add(counting(left, "2", spec)); err != nil {
				panic(err)
			}
		}
	}
	saysPaused := func(status string) string {
		return "status: {observedGeneration: 1, conditions: [{type: Paused, status: '" + status + "', reason: Told, " +
			"message: the yard is closed, lastTransitionTime: '" + at(2*time.Hour) + "'}]}"
	}
	return []whyCase{{
		name: "custom resource that is paused", target: orders, verdict: result.Stuck,
		objects: runs(held(`ops.example.com/paused: "true"`, "")),
		causes:  []string{"ReconciliationPaused Database/shop/orders"}, sure: finding.Likely,
		says: []string{"annotation ops.example.com/paused is"}, remedy: `"ops.example.com/paused":null`,
	}, {
		name: "custom resource whose condition from before the deletion says that it is paused", target: orders,
		verdict: result.Stuck, sure: finding.Likely, says: []string{"probably paused", "the yard is closed"},
		objects: runs(held("", saysPaused("True"))), causes: []string{"ReconciliationPaused Database/shop/orders"},
	}, {
		name: "custom resource whose condition says that it is not paused", target: orders, verdict: result.Undetermined,
		objects: runs(held("", saysPaused("False"))), causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource whose condition says that it is paused, and whose controller is gone", target: orders,
		verdict: result.Stuck, objects: []string{held("", saysPaused("True"))},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource that is not paused any more", target: orders, verdict: result.Undetermined,
		objects: runs(held(`ops.example.com/paused: "false"`, "")),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource with a field named as a pause, whose controller is seen to work", target: orders,
		verdict: result.Progressing, notes: []string{"went from 40 to 37"},
		objects: runs(counting("40", "1", "spec: {paused: true}")), meanwhile: counts("37", "spec: {paused: true}"),
	}, {
		name: "custom resource with a field named as a pause, whose controller only writes", target: orders,
		verdict: result.Stuck, causes: []string{"ReconciliationPaused Database/shop/orders"},
		objects: runs(counting("40", "1", "spec: {paused: true}")), meanwhile: counts("40", "spec: {paused: true}"),
	}, {
		name: "custom resource whose controller has just said that it is paused", target: orders,
		verdict: result.Stuck, causes: []string{"ReconciliationPaused Database/shop/orders"},
		objects: runs(database(10*time.Second, "managedFields: ["+managed("shop-operator", time.Second,
			`{"f:status": {"f:conditions": {}}}`)+"]", `spec: {paused: true}
status: {conditions: [{type: Paused, status: "True", reason: Paused, message: "is paused", lastTransitionTime: "`+
			at(5*time.Second)+`"}]}`)),
	}, {
		name: "custom resource that is protected", target: orders, verdict: result.Stuck,
		objects: runs(held("", "spec: {deletionProtection: true}")),
		causes:  []string{"DeletionProtected Database/shop/orders"}, sure: finding.Likely,
		says: []string{"spec.deletionProtection"}, remedy: `{"spec":{"deletionProtection":false}}`,
	}, {
		name: "custom resource that is paused, and whose operator is gone", target: orders, verdict: result.Stuck,
		objects: []string{held("", "spec: {paused: true}"), writes},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose owner is paused", target: orders, verdict: result.Stuck,
		objects: runs(ofNorth(""), north("spec: {paused: true}")), sure: finding.Likely,
		causes: []string{"ReconciliationPaused Database/shop/north"}, remedy: `{"spec":{"paused":false}}`,
	}, {
		name: "custom resource whose owner is suspended, as schedules are", target: orders, verdict: result.Undetermined,
		objects: runs(ofNorth(""), north("spec: {suspend: true, deletionProtection: true}")),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource whose owner of another project is paused", target: orders, verdict: result.Undetermined,
		objects: runs(object("shop.example.com/v1", "Database", "shop", "orders",
			deleted(time.Hour, "shop.example.com/cleanup")+
				", "+owned, ""), capi("Cluster", "c1", "", "spec: {paused: true}")),
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "machine of a paused cluster", target: machine, verdict: result.Stuck,
		objects: append(runsCAPI(), m1(""), capi("Cluster", "c1", "", "spec: {paused: true}")),
		causes:  []string{"ReconciliationPaused Cluster/shop/c1"}, sure: finding.Proven,
		remedy: `{"spec":{"paused":false}}`,
	}, {
		name: "machine that is paused, and whose controller is gone", target: machine, verdict: result.Stuck, stated: true,
		objects: []string{m1(`, annotations: {cluster.x-k8s.io/paused: ""}`), capi("Cluster", "c1", "", "")},
		causes:  []string{"ControllerMissing Machine/shop/m1", "ReconciliationPaused Machine/shop/m1"},
	}}
}

// runsCAPI is Cluster API's controller, which runs.
func runsCAPI() []string {
	return runsFor("capi-system", "capi-controller-manager", "cluster.x-k8s.io", "machines, machinesets")
}

// runsFor is a controller that runs, and may change resources of a group.
func runsFor(namespace, name, group, resources string) []string {
	role := strings.ReplaceAll(granted(name, mayWrite, resources, namespace+"/"+name), "shop.example.com", group)
	return []string{role, program(namespace, name, name, 1, podIsReady)}
}
