package diagnosis_test

// checkSwitchCases are live objects that are paused or protected, or whose owners are, and their twins.
func checkSwitchCases() []checkCase {
	runs := func(objects ...string) []string {
		return append(objects, granted("shop-operator", mayWrite, "databases", theOperator),
			program("shop-system", "shop-operator", "shop-operator", 1, podIsReady))
	}
	orders := func(meta, spec string) string {
		return object("shop.example.com/v1", "Database", "shop", "orders", meta, spec)
	}
	const held = "finalizers: [shop.example.com/cleanup]"
	capi := func(kind, name, meta, spec string) string {
		return object("cluster.x-k8s.io/v1beta2", kind, "shop", name, meta, spec)
	}
	m1 := func(meta string) string {
		return capi("Machine", "m1", "finalizers: [machine.cluster.x-k8s.io], ownerReferences: [{apiVersion: "+
			"cluster.x-k8s.io/v1beta2, kind: Cluster, name: c1, uid: cluster-c1}]"+meta, "")
	}
	const paused = "Warning ReconciliationPaused Database/shop/orders"
	return []checkCase{{
		name: "switches: a field that pauses", objects: runs(orders(held, "spec: {paused: true}")), want: []string{paused},
		says: []string{"will probably get stuck", "spec.paused"},
	}, {
		name:    "switches: an annotation that pauses",
		objects: runs(orders(held+`, annotations: {ops.example.com/paused: "true"}`, "")), want: []string{paused},
	}, {
		name: "switches: a pause that is over", objects: runs(orders(held, "spec: {paused: false}")),
	}, {
		name: "switches: a pause of an object without finalizers", objects: runs(orders("", "spec: {paused: true}")),
	}, {
		name: "switches: a protection", objects: runs(orders(held, "spec: {deletionProtection: true}")),
		want: []string{"Info DeletionProtected Database/shop/orders"},
	}, {
		name:    "switches: a cluster that is paused",
		objects: append(runsCAPI(), m1(""), capi("Cluster", "c1", "", "spec: {paused: true}")),
		want:    []string{"Warning ReconciliationPaused Machine/shop/m1"}, says: []string{"Cluster shop/c1 is paused"},
	}, {
		name:    "switches: a cluster that is not paused",
		objects: append(runsCAPI(), m1(""), capi("Cluster", "c1", "", "spec: {paused: false}")),
	}, {
		name: "switches: a pause where the controller is gone", notSays: []string{"ReconciliationPaused"},
		objects: []string{orders(held, "spec: {paused: true}")},
		want:    []string{"Warning ControllerMissing Database/shop/orders"},
	}}
}
