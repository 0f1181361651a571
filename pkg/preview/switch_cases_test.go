package preview_test

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

// switchCases are deletions of objects that are paused or protected, while their operator runs.
func switchCases() []previewCase {
	const orders = "databases.shop.example.com/orders"
	held := func(meta, spec string) []string {
		others := operator(1)
		others[3] = object("shop.example.com/v1", "Database", "orders", "finalizers: [shop.example.com/cleanup]"+meta, spec)
		return others
	}
	return []previewCase{{
		name: "a custom resource that is paused", target: orders, outcome: result.WouldHang,
		objects: held(`, annotations: {ops.example.com/paused: "true"}`, ""),
		causes:  "ReconciliationPaused Database/orders", says: []string{"ops.example.com/paused"},
	}, {
		name: "a custom resource whose pause is over", target: orders, outcome: result.WouldGo,
		objects: held(`, annotations: {ops.example.com/paused: "false"}`, ""), never: "paused",
	}, {
		name: "a custom resource that is protected", target: orders, outcome: result.WouldHang,
		objects: held("", "spec: {deletionProtection: true}"), causes: "DeletionProtected Database/orders",
		says: []string{"spec.deletionProtection", `{"spec":{"deletionProtection":false}}`},
	}, {
		name: "a namespace with a custom resource that is paused", target: "namespaces/shop", outcome: result.WouldHang,
		objects: held("", "spec: {paused: true}"),
	}, {
		name: "a custom resource without finalizers that is paused", target: orders, outcome: result.WouldGo,
		objects: append(operator(1)[4:], manager(), namespace(), node("True"), object("shop.example.com/v1", "Database",
			"orders", `annotations: {ops.example.com/paused: "true"}`, "")), never: "paused",
	}}
}
