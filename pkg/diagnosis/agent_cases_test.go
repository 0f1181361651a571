package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// agentCases are about objects of an agent on each Node that name something that isn't there: whether that is a Node.
func agentCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	agent := strings.ReplaceAll(operator(1, ""), "kind: Deployment", "kind: DaemonSet")
	pod := strings.Replace(strings.ReplaceAll(operatorPod(podIsReady), "kind: ReplicaSet", "kind: DaemonSet"), "spec: {",
		"spec: {nodeName: n1, ", 1)
	with := func(spec string, more ...string) []string {
		return append([]string{
			database(time.Hour, "", "spec: {"+spec+"}"), agent, pod, node("n1", "True", ""),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
		}, more...)
	}
	sibling := func(spec string) string {
		return object("shop.example.com/v1", "Database", "shop", "sibling", "", "spec: {"+spec+"}")
	}
	unknown, gone := []string{"ControllerUnknown Database/shop/orders"}, []string{"ControllerMissing Database/shop/orders"}
	return []whyCase{{
		name: "agent: a field that names a Node, which is gone", target: orders, verdict: result.Stuck,
		objects: with("ownerNodeID: n2"), causes: gone, says: []string{"n2"},
	}, {
		name: "agent: a field that may name anything", target: orders, verdict: result.Undetermined,
		objects: with(`node: validator-1, nodeID: "3"`), causes: unknown,
	}, {
		name: "agent: the same field of another object names a Node", target: orders, verdict: result.Stuck,
		objects: with("node: n2", sibling("node: n1")), causes: gone, says: []string{"n2"},
	}, {
		name: "agent: another field of another object names a Node", target: orders, verdict: result.Undetermined,
		objects: with("node: n2", sibling("placed: {node: n1}")), causes: unknown,
	}, {
		name: "agent: a Node that may not be read", target: orders, verdict: result.Undetermined, deny: "nodes",
		objects: with("ownerNodeID: n2"), causes: unknown,
	}}
}
