package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const drains = "karpenter.sh/termination"

// drainedNode is one of Karpenter's, deleted an hour ago.
func drainedNode() string {
	return object("v1", "Node", "", "n1", deleted(time.Hour, drains),
		"spec: {unschedulable: true}\nstatus: {conditions: [{type: Ready, status: 'True'}]}")
}

// karpenterRuns is its controller, which may do what it needs, or is scaled to zero.
func karpenterRuns(replicas int) []string {
	words := []string{
		object("apps/v1", "Deployment", "kube-system", "karpenter", "",
			fmt.Sprintf("spec: {replicas: %d, selector: {matchLabels: {app: karpenter}}, template: {metadata: {labels: "+
				"{app: karpenter}}, spec: {serviceAccountName: karpenter}}}", replicas)),
		object("v1", "ServiceAccount", "kube-system", "karpenter", "", ""),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "karpenter", "",
			"rules: [{apiGroups: [karpenter.sh], resources: [nodeclaims, nodeclaims/status], verbs: [get, list, watch, "+
				"update, patch]}]"),
		bound("karpenter", "{kind: ServiceAccount, namespace: kube-system, name: karpenter}"),
	}
	if replicas == 0 {
		return words
	}
	return append(words, object("v1", "Pod", "kube-system", "karpenter-1",
		"labels: {app: karpenter}, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: karpenter, "+
			"uid: deployment-karpenter, controller: true}]",
		"spec: {nodeName: n2, serviceAccountName: karpenter}\nstatus: {"+podIsReady+"}"))
}

func servingPod(name string) string {
	return object("v1", "Pod", "shop", name,
		"labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs, "+
			"controller: true}]",
		"spec: {nodeName: n1}\nstatus: {"+podIsReady+"}")
}

// ofClaim is the Node of a NodeClaim, limited: both deleted an hour ago.
func ofClaim() string {
	return strings.Replace(drainedNode(), "uid: node-n1",
		"uid: node-n1, ownerReferences: [{apiVersion: karpenter.sh/v1, kind: NodeClaim, name: claim, uid: nodeclaim-claim}]",
		1)
}

func limited(within string) string {
	return object("karpenter.sh/v1", "NodeClaim", "", "claim", deleted(time.Hour, drains),
		"spec: {terminationGracePeriod: "+within+"}\nstatus: {nodeName: n1}")
}

// drainedMachine is a Machine that Cluster API has been draining for ten minutes, and what runs.
func drainedMachine(limit string, more ...string) []string {
	const capi, finalizer = "capi-controller-manager", "machine.cluster.x-k8s.io"
	role := strings.ReplaceAll(granted(capi, mayWrite, "machines", "capi-system/"+capi), "shop.example.com",
		"cluster.x-k8s.io")
	return append([]string{
		object("cluster.x-k8s.io/v1beta2", "Machine", "shop", "worker", deleted(time.Hour, finalizer),
			"spec: {deletion: {"+limit+"}}\nstatus: {nodeRef: {name: n1}, deletion: {nodeDrainStartTime: "+at(
				10*time.Minute)+"}}"),
		object("v1", "Node", "", "n1", "", "spec: {unschedulable: true}"),
		role, program("capi-system", capi, capi, 1, podIsReady), servingPod("web-1"),
	}, more...)
}

// asksAbout is a webhook on an operation on some resources, whose Service is gone.
func asksAbout(operation, resources string) string {
	return strings.NewReplacer("[\"*\"], apiGroups", "["+operation+"], apiGroups", "resources: [\"*\"]",
		"resources: ["+resources+"]").
		Replace(webhook("ValidatingWebhookConfiguration", ""))
}

func drainCases() []whyCase {
	budget := object("policy/v1", "PodDisruptionBudget", "shop", "keep", "",
		"spec: {minAvailable: 100%, selector: {matchLabels: {app: web}}}\n"+
			"status: {disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2}")
	claim := object("karpenter.sh/v1", "NodeClaim", "", "claim", deleted(time.Hour, drains), "status: {nodeName: n1}")
	failed := warned("default", "node-n1", "FailedDraining", "karpenter",
		"Failed to drain node, 2 pods are waiting to be evicted", time.Minute)
	with := func(replicas int, more ...string) []string {
		return append(append([]string{drainedNode()}, karpenterRuns(replicas)...), more...)
	}
	return []whyCase{{
		name: "node whose pods a budget keeps from being evicted", target: "nodes/n1", verdict: result.Stuck,
		sure:    finding.Likely,
		objects: with(1, servingPod("web-1"), servingPod("web-2"), budget),
		causes:  []string{"StillInUse Pod/shop/web-1 × 2"},
		says:    []string{"It requires 2 healthy pods (minAvailable 100%), and 2 of 2 pods are healthy"},
		remedy:  "patch poddisruptionbudgets.policy/keep",
	}, {
		name: "node whose pods a budget protects until the end of the drain", target: "nodes/n1", verdict: result.Progressing,
		objects: append(karpenterRuns(1), ofClaim(), limited("2h"), servingPod("web-1"), budget),
		says:    []string{"for at most 1h more"},
	}, {
		name: "node whose pods a budget protected, after the end of the drain", target: "nodes/n1",
		verdict: result.Undetermined,
		objects: append(karpenterRuns(1), ofClaim(), limited("30m"), servingPod("web-1"), budget),
	}, {
		name:   "machine whose node has a pod that a budget protects until the end of the drain",
		target: "machines.cluster.x-k8s.io/worker", verdict: result.Progressing,
		objects: drainedMachine("nodeDrainTimeoutSeconds: 3600", budget), says: []string{"for at most 50m more"},
	}, {
		name:   "machine whose node has a pod that a budget protects, without an end",
		target: "machines.cluster.x-k8s.io/worker", verdict: result.Stuck,
		objects: drainedMachine("nodeDrainTimeoutSeconds: 0", budget), causes: []string{"StillInUse Pod/shop/web-1"},
	}, {
		name: "node whose pods a webhook that can't answer keeps from being evicted", target: "nodes/n1",
		verdict: result.Stuck, sure: finding.Proven,
		objects: with(1, servingPod("web-1"), servingPod("web-2"), asksAbout("CREATE", "pods/eviction")),
		causes:  []string{"WebhookUnavailable ValidatingWebhookConfiguration/guard"}, says: []string{"eviction of pods"},
	}, {
		name: "node whose pods a webhook that can't answer is asked about, but not of evictions", target: "nodes/n1",
		verdict: result.Undetermined,
		objects: with(1, servingPod("web-1"), asksAbout("CREATE", "pods")),
	}, {
		name: "node whose pods a policy keeps from being evicted", target: "nodes/n1", verdict: result.Stuck,
		objects: with(1, servingPod("web-1"), strings.Replace(strings.Replace(policy("request.subResource != 'eviction'"),
			"operations: [\"*\"]", "operations: [CREATE]", 1),
			"resources: [\"*\", \"*/*\"]", "resources: [pods/eviction]", 1)),
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name: "node of which its controller says no more than that pods are left", target: "nodes/n1", verdict: result.Stuck,
		sure:    finding.Proven,
		objects: with(1, servingPod("web-1"), budget, failed), causes: []string{"StillInUse Pod/shop/web-1"},
	}, {
		name: "node whose pods could go, and whose controller says that they don't", target: "nodes/n1",
		verdict: result.Stuck,
		objects: with(1, servingPod("web-1"), failed), causes: []string{"ControllerFailing Node/n1"},
	}, {
		name: "node with protected pods that nobody evicts", target: "nodes/n1", verdict: result.Stuck,
		objects: with(0, servingPod("web-1"), budget), causes: []string{"ControllerDown Deployment/kube-system/karpenter"},
		notes: []string{"Karpenter drains Node n1 before it removes the finalizer", "keep allows no disruption",
			"patch poddisruptionbudgets.policy/keep"},
	}, {
		name: "machine whose node can't be drained", target: "nodeclaims.karpenter.sh/claim", verdict: result.Stuck,
		objects: with(1, claim, servingPod("web-1"), budget), causes: []string{"StillInUse Pod/shop/web-1"},
	}, {
		name: "node with a pod that is held in turn", target: "nodes/n1", verdict: result.Undetermined,
		objects: with(1, object("v1", "Pod", "shop", "web", deleted(20*time.Second, "example.com/hold"),
			"spec: {nodeName: n1}")),
		causes: []string{"ControllerUnknown Pod/shop/web"},
	}, {
		name: "node with protected pods that may not be read", target: "nodes/n1", verdict: result.Undetermined,
		deny:    "poddisruptionbudgets",
		objects: with(1, servingPod("web-1"), budget),
	}}
}

// usageCases are objects that others protect by a declaration.
func usageCases() []whyCase {
	const version, protected = "store.example.com/v1", "usage.store.example.com/protected"
	item := object(version, "Item", "shop", "disk", deleted(time.Hour, protected), "")
	usage := object(version, "Usage", "shop", "keep", "",
		"spec: {of: {kind: Item, resourceRef: {name: disk}}, by: {kind: App, resourceRef: {name: site}}}")
	runs := strings.ReplaceAll(granted("shop-operator", mayWrite, "items", theOperator), "apiGroups: [shop.example.com]",
		"apiGroups: [store.example.com]") +
		"---\n" + account("shop-operator") + "---\n" + operatorPod(podIsReady)
	return []whyCase{{
		name: "object that a usage protects", target: "items.store.example.com/disk", verdict: result.Stuck,
		objects: []string{item, usage, runs, object(version, "App", "shop", "site", "", "")},
		causes:  []string{"StillInUse App/shop/site"},
		says:    []string{"according to Usage shop/keep"}, remedy: "delete usages.store.example.com/keep",
	}, {
		name: "object that a usage protects whose user is gone", target: "items.store.example.com/disk",
		verdict: result.Stuck,
		objects: []string{item, usage, runs}, causes: []string{"StillInUse Usage/shop/keep"},
	}, {
		name: "object that a usage protects, and whose user is held in turn", target: "items.store.example.com/disk",
		verdict: result.Undetermined,
		objects: []string{item, usage, runs, object(version, "App", "shop", "site", deleted(time.Hour, "hold"), "")},
		causes:  []string{"ControllerUnknown App/shop/site"},
	}}
}
