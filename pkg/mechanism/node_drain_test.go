package mechanism

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

const drained = "karpenter.sh/termination"

// goingNode is a Node whose deletion was requested an hour ago, and which is ready.
func goingNode(finalizer, spec string) string {
	return nodeOf("True", deleted(time.Hour, finalizer), spec)
}

// karpenter is the workload that drains Nodes, with so many replicas that are ready.
func karpenter(replicas int) string {
	pod := manifest("v1", "Pod", "kube-system", "karpenter-0", "labels: {app: karpenter}, ownerReferences: "+
		"[{apiVersion: apps/v1, kind: Deployment, name: karpenter, uid: deployment-karpenter, controller: true}]",
		"spec: {serviceAccountName: karpenter}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}")
	return strings.Repeat(pod, replicas) + manifest("v1", "Namespace", "", "kube-system", "", "") +
		manifest("apps/v1", "Deployment", "kube-system", "karpenter", "", fmt.Sprintf("spec: {replicas: %d, "+
			"selector: {matchLabels: {app: karpenter}}, template: {metadata: {labels: {app: karpenter, "+
			"app.kubernetes.io/name: karpenter}}, spec: {serviceAccountName: karpenter}}}\n"+
			"status: {replicas: %[1]d, readyReplicas: %[1]d, availableReplicas: %[1]d}", replicas))
}

// onNode is a ready pod of a workload on n1.
func onNode(name, meta, spec string) string {
	if meta != "" {
		meta += ", "
	}
	meta += "labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs, " +
		"controller: true}]"
	return aloneOnNode(name, meta, spec)
}

// aloneOnNode is a ready pod on n1 that has what is given.
func aloneOnNode(name, meta, spec string) string {
	return manifest("v1", "Pod", "shop", name, meta, "spec: {nodeName: n1"+spec+"}\n"+
		"status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}")
}

// budgetOf selects the pods of web.
func budgetOf(name, spec, status string) string {
	return manifest("policy/v1", "PodDisruptionBudget", "shop", name, "",
		"spec: {selector: {matchLabels: {app: web}}, "+spec+"}\nstatus: {"+status+"}")
}

// atLimit is the status of a budget that allows nothing since some time.
func atLimit(since time.Duration, healthy, desired, expected int) string {
	return fmt.Sprintf("disruptionsAllowed: 0, currentHealthy: %d, desiredHealthy: %d, expectedPods: %d, "+
		"conditions: [{type: DisruptionAllowed, status: 'False', reason: InsufficientPods, message: '', "+
		"lastTransitionTime: %s}]",
		healthy, desired, expected, ago(since))
}

func TestNodeDrain(t *testing.T) {
	node, web := goingNode(drained, ""), onNode("web", "", "")
	budget := budgetOf("keep", "minAvailable: 1", atLimit(time.Hour, 1, 1, 1))
	const wait = "wait Pod shop/web"
	blocked := []string{
		wait, "  cause StillInUse BudgetAllowsNone Pod shop/web key BudgetAllowsNone,PodDisruptionBudget shop/keep",
	}
	const later = "later DrainComesLater Node n1 key DrainComesLater,Node n1,[PodDisruptionBudget shop/keep]"
	runs := node + karpenter(1)
	unsettled := []string{"open KnownFinalizer Node n1 key KnownFinalizer,karpenter.sh/termination,Karpenter," +
		"the node is drained, its volumes are detached and its instance is terminated"}
	allows := budgetOf("keep", "maxUnavailable: 1",
		"disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2")
	draining := manifest("v1", "Event", "default", "n1.1", "", "involvedObject: {kind: Node, name: n1, uid: node-n1}\n"+
		"type: Warning\nreason: FailedDraining\nmessage: 'Failed to drain node, 1 pods are waiting to be evicted'\n"+
		"source: {component: karpenter}\nlastTimestamp: "+ago(time.Second))
	runCases(t, []mechanismCase{
		{name: "a report of a drain that is over", objects: runs + draining, told: unsettled},
		{name: "a budget that allows none", objects: runs + web + budget, told: blocked},
		{name: "a budget that allows one", objects: runs + web + allows, told: unsettled},
		{
			name: "a budget of other pods", objects: runs + web + strings.ReplaceAll(budget, "app: web", "app: db"),
			told: unsettled,
		},
		{
			name: "a budget at its limit for a moment", told: []string{
				wait, "  progress BudgetAtLimit Pod shop/web key BudgetAtLimit,PodDisruptionBudget shop/keep"},
			objects: runs + web + budgetOf("keep", "minAvailable: 2", atLimit(time.Minute, 2, 2, 3)),
		},
		{
			name: "a budget whose other pods stay unhealthy", told: blocked,
			objects: runs + web + budgetOf("keep", "minAvailable: 2", atLimit(time.Hour, 2, 2, 3)),
		},
		{
			name: "a budget that counts no pods without a controller", told: blocked,
			objects: runs + aloneOnNode("web", "labels: {app: web}", "") +
				budgetOf("keep", "maxUnavailable: 1", atLimit(time.Minute, 1, 0, 0)),
		},
		{
			name: "two budgets, both of which would allow it", told: []string{wait, "  cause StillInUse PodOfSeveralBudgets " +
				"Pod shop/web key PodOfSeveralBudgets,[PodDisruptionBudget shop/keep PodDisruptionBudget shop/more]"},
			objects: runs + web + allows + strings.ReplaceAll(allows, "keep", "more"),
		},
		{
			name: "a pod that isn't ready, and may go", told: unsettled,
			objects: runs + strings.ReplaceAll(web, "'True'", "'False'") + budgetOf("keep",
				"minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow", atLimit(time.Hour, 0, 1, 1)),
		},
		{
			name: "an annotation", objects: runs + onNode("web", "annotations: {karpenter.sh/do-not-disrupt: 'true'}", ""),
			told: []string{wait, "  cause StillInUse PodNotToBeEvicted Pod shop/web key PodNotToBeEvicted,shop," +
				`has the annotation karpenter.sh/do-not-disrupt: "true",ReplicaSet shop/web`},
		},
		{
			name: "a pod that nothing controls", objects: runs + aloneOnNode("web", "", ""),
			told: []string{wait, "  cause StillInUse UnmanagedPodStays Pod shop/web key UnmanagedPodStays,shop"},
		},
		{
			name:    "a pod that tolerates it",
			objects: runs + onNode("web", "", ", tolerations: [{operator: Exists}]") + budget, told: unsettled,
		},
		{
			name: "a static pod", told: unsettled,
			objects: runs + aloneOnNode("web", "annotations: {kubernetes.io/config.mirror: x}, labels: {app: web}", "") + budget,
		},
		{
			name: "a pod that is going", told: []string{wait},
			objects: runs + onNode("web", deleted(30*time.Second, "shop.example.com/hold"), ""),
		},
		{
			name: "a pod that has been going for too long", told: unsettled,
			objects: runs + onNode("web", deleted(time.Hour, "shop.example.com/hold"), ""),
		},
		{
			name: "a volume that is being detached, too", told: append(slices.Clone(blocked), "wait VolumeAttachment att"),
			objects: runs + web + budget +
				manifest("storage.k8s.io/v1", "VolumeAttachment", "", "att", deleted(time.Minute, "x"),
					"spec: {nodeName: n1, attacher: a, source: {persistentVolumeName: disk}}"),
		},
		{
			name: "nobody drains", objects: node + karpenter(0) + web + budget,
			told: []string{"wait Deployment kube-system/karpenter",
				"  cause ControllerDown ControllerNotRunning Deployment kube-system/karpenter", later},
		},
		{
			name: "nobody drains, and nothing says that anything should", told: []string{
				"cause ControllerMissing UnknownControllerMissing Node n1 key missing controller,shop.example.com/hold,nodes"},
			objects: goingNode("shop.example.com/hold", "") + web + budget,
		},
		{
			name: "nobody drains, and the budget's pods may become ready", told: []string{
				"wait Deployment kube-system/karpenter",
				"  cause ControllerDown ControllerNotRunning Deployment kube-system/karpenter"},
			objects: node + karpenter(0) + web + budgetOf("keep", "minAvailable: 2", atLimit(time.Minute, 2, 2, 3)),
		},
		{name: "pods may not be read", objects: runs + web + budget, deny: "pods"},
		{name: "budgets may not be read", objects: runs + web + budget, deny: "poddisruptionbudgets"},
		{name: "workloads may not be read", objects: runs + web + budget, deny: "deployments",
			told: append(slices.Clone(unsettled), later)},
		{
			name: "nobody drains, and budgets may not be read", deny: "poddisruptionbudgets", told: []string{
				"wait Deployment kube-system/karpenter",
				"  cause ControllerDown ControllerNotRunning Deployment kube-system/karpenter"},
			objects: node + karpenter(0) + web + budget,
		},
	})
}

// TestDrainOfMachine asks about what stands for a Node's machine.
func TestDrainOfMachine(t *testing.T) {
	budget := budgetOf("keep", "maxUnavailable: 0", atLimit(time.Hour, 1, 1, 1))
	web := onNode("web", "", "")
	claim := manifest("karpenter.sh/v1", "NodeClaim", "", "claim", deleted(time.Hour, drained), "status: {nodeName: n1}")
	machine := manifest("cluster.x-k8s.io/v1beta2", "Machine", "fleet", "m",
		deleted(time.Hour, "machine.cluster.x-k8s.io"),
		"spec: {providerID: 'kind://a'}\nstatus: {nodeRef: {name: n1}}")
	capi := strings.NewReplacer("kube-system", "capi-system", "karpenter", "capi-controller-manager").Replace(karpenter(1))
	through := []string{
		"wait Node n1", "  wait Pod shop/web",
		"    cause StillInUse BudgetAllowsNone Pod shop/web key BudgetAllowsNone,PodDisruptionBudget shop/keep",
	}
	unsettled := func(answer string) string { return "open KnownFinalizer " + answer }
	waiting := []string{unsettled("Machine fleet/m key KnownFinalizer,machine.cluster.x-k8s.io,capi-controller-manager," +
		"its hooks are done, its node is drained, its volumes are detached, and its infrastructure and bootstrap " +
		"objects are deleted")}
	allowed := rights("capi-system", "machines")
	custom := manifest("shop.example.com/v1", "Database", "shop", "m", deleted(time.Hour, "shop.example.com/drain"),
		"status: {nodeRef: {name: n1}}")
	runCases(t, []mechanismCase{
		{
			name: "a Node that is Terminating", told: []string{"wait Node n1"},
			objects: claim + goingNode(drained, "") + karpenter(1) + rights("kube-system", "nodeclaims") + web + budget,
		},
		{
			name:    "a cordoned Node",
			objects: machine + nodeOf("True", "", "unschedulable: true") + capi + allowed + web + budget, told: through,
		},
		{
			name: "a Node of another machine", told: waiting,
			objects: machine + nodeOf("True", "", "unschedulable: true, providerID: 'kind://b'") + capi + allowed + web + budget,
		},
		{name: "a Node in use", objects: machine + nodeOf("True", "", "") + capi + allowed + web + budget, told: waiting},
		{name: "a Node of another cluster", objects: machine + capi + allowed + web + budget, told: waiting},
		{
			name: "what may not be drained", told: waiting,
			objects: strings.Replace(machine, "name: m,",
				"name: m, annotations: {machine.cluster.x-k8s.io/exclude-node-draining: ''},", 1) +
				nodeOf("True", "", "unschedulable: true") + capi + allowed + web + budget,
		},
		{
			name: "the Node may not be read", deny: "nodes",
			objects: machine + nodeOf("True", "", "unschedulable: true") + capi + allowed + web + budget,
		},
		{
			name: "a machine that nobody knows", told: through,
			objects: custom + nodeOf("True", "", "unschedulable: true") + operator("databases") + web + budget,
		},
	})
}

// rights let the ServiceAccount of a workload above update a kind.
func rights(namespace, resource string) string {
	account := map[string]string{"kube-system": "karpenter", "capi-system": "capi-controller-manager"}[namespace]
	return manifest("v1", "ServiceAccount", namespace, account, "", "") +
		manifest("rbac.authorization.k8s.io/v1", "ClusterRole", "", account, "",
			"rules: [{apiGroups: ['*'], resources: ["+resource+"], verbs: [get, update, patch]}]") +
		manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", account, "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "+account+"}\n"+
				"subjects: [{kind: ServiceAccount, namespace: "+namespace+", name: "+account+"}]")
}

// operator is one that runs, and may update a kind of the shop's.
func operator(resource string) string {
	return strings.NewReplacer("kube-system", "shop-system", "karpenter", "shop-operator").Replace(
		karpenter(1) + rights("kube-system", resource))
}

// TestDrainSteps wants the safest first, and each of them where it applies.
func TestDrainSteps(t *testing.T) {
	steps := func(objects string) (names []string) {
		answer := ask(t, goingNode(drained, "")+karpenter(1)+objects)
		for cause := range answer.Blamed() {
			if details := cause.Details.(finding.StillInUseDetails); details.Node != "n1" || cause.Certainty == "" {
				t.Errorf("details %+v, certainty %q", details, cause.Certainty)
			}
			for _, step := range cause.Remedies {
				names = append(names, step.Step)
			}
		}
		return names
	}
	set := manifest("apps/v1", "ReplicaSet", "shop", "web", "", "")
	set = onNode("web", "", "") + strings.Replace(set, "uid: replicaset-web", "uid: rs", 1)
	alone := aloneOnNode("web", "labels: {app: web}", "")
	for want, objects := range map[string]string{
		"SeeBudget AddReplica RelaxBudget DeleteUnevicted": set +
			budgetOf("keep", "minAvailable: 1", atLimit(time.Hour, 1, 1, 1)),
		"SeeBudget RelaxBudget DeleteUnevicted": set +
			budgetOf("keep", "maxUnavailable: 0", atLimit(time.Hour, 1, 1, 1)),
		"SeeBudget CountByNumber DeleteUnevicted": alone +
			budgetOf("keep", "maxUnavailable: 0", atLimit(time.Hour, 1, 0, 0)),
		"SeeBudget RepairBudgetPods RelaxBudget DeleteUnevicted": set +
			budgetOf("keep", "minAvailable: 2", atLimit(time.Hour, 2, 2, 3)),
	} {
		if got := strings.Join(steps(objects), " "); got != want {
			t.Errorf("steps %s, want %s", got, want)
		}
	}
}
