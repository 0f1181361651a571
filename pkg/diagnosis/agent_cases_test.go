package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// agentCases are about objects of an agent on each Node: whether they name a Node, and how the agent fares there.
func agentCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	agent := strings.ReplaceAll(operator(1, ""), "kind: Deployment", "kind: DaemonSet")
	pod := strings.ReplaceAll(operatorPod(podIsReady), "kind: ReplicaSet", "kind: DaemonSet")
	onN2 := func(status string) string {
		return strings.NewReplacer(
			"kind: ReplicaSet", "kind: DaemonSet", "nodeName: n1", "nodeName: n2", "shop-operator-1", "shop-operator-2",
		).Replace(operatorPod(status))
	}
	with := func(spec string, more ...string) []string {
		return append([]string{
			database(time.Hour, "", "spec: {"+spec+"}"), agent, pod, node("n1", "True", ""),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
		}, more...)
	}
	sibling := func(spec string) string {
		return object("shop.example.com/v1", "Database", "shop", "sibling", "", "spec: {"+spec+"}")
	}
	down := []string{"ControllerDown DaemonSet/shop-system/shop-operator"}
	n2 := node("n2", "True", "")
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
	}, {
		name: "agent: crashes on the Node that is named", target: orders, verdict: result.Stuck,
		objects: with("ownerNodeID: n2", n2, onN2(podCrashes)), causes: down, says: []string{"on Node n2", "CrashLoop"},
	}, {
		name: "agent: is ready on the Node that is named", target: orders, verdict: result.Undetermined,
		objects: with("ownerNodeID: n2", n2, onN2(podIsReady)), causes: unknown,
	}, {
		name: "agent: has no pod on the Node that is named", target: orders, verdict: result.Stuck,
		objects: with("ownerNodeID: n2", n2), causes: down, says: []string{"on Node n2 has no pod"},
	}, {
		name: "agent: crashes on a Node that a field may name, which is there", target: orders, verdict: result.Stuck,
		objects: with("node: n2", n2, onN2(podCrashes)), causes: down,
	}, {
		name: "agent: crashes on the Node that a host is named as", target: orders, verdict: result.Stuck,
		objects: with("host: n2", n2, onN2(podCrashes)), causes: down, says: []string{"on Node n2"},
	}, {
		name: "agent: a host that is gone, where another object has a Node", target: orders, verdict: result.Stuck,
		objects: with("onHost: n2", sibling("onHost: n1")), causes: gone, says: []string{"n2"},
	}, {
		name: "agent: a host that is gone, where another object has something else", target: orders,
		verdict: result.Undetermined, objects: with("onHost: n2", sibling("onHost: db-1")), causes: unknown,
	}, {
		name: "agent: a host that is no Node", target: orders, verdict: result.Undetermined,
		objects: with("host: db-1", n2, onN2(podCrashes)), causes: unknown,
	}, {
		name: "agent: has no pod on what may be no Node", target: orders, verdict: result.Undetermined,
		objects: with("node: n2", n2), causes: unknown,
	}, {
		name: "agent: crashes on one of two Nodes that are named", target: orders, verdict: result.Undetermined,
		objects: with("ownerNodeID: n2, nodeName: n3", n2, node("n3", "True", ""), onN2(podCrashes)), causes: unknown,
	}, {
		name: "agent: crashes where it should act, and something moves", target: orders, verdict: result.Progressing,
		objects: append(with("", n2, onN2(podCrashes))[1:], database(time.Hour,
			"managedFields: ["+managed("shop-operator", 20*time.Second, worksOn)+"]",
			"spec: {ownerNodeID: n2}\n"+turning(35*time.Second))),
	}}
}
