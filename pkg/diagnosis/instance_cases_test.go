package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// instanceCases are about which instance of a controller is meant, and about controllers in unusual workloads.
func instanceCases() []whyCase {
	const orders, stuck = "databases.shop.example.com/orders", result.Stuck
	writes := granted("keeper", mayWrite, "databases", "ops/keeper")
	limited := func(container string) string {
		return strings.ReplaceAll(program("ops", "keeper", "keeper", 1, podIsReady),
			"serviceAccountName: keeper}}", "serviceAccountName: keeper, containers: [{name: main, "+container+"}]}}")
	}
	watching := func(namespaces string) string {
		return limited("env: [{name: WATCH_NAMESPACE, value: '" + namespaces + "'}]")
	}
	tenants := func(of string, namespaces ...string) string {
		role := object("rbac.authorization.k8s.io/v1", "ClusterRole", "", of, "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ["+mayWrite+"]}]")
		for _, namespace := range namespaces {
			role += "---\n" + object("rbac.authorization.k8s.io/v1", "RoleBinding", namespace, of, "",
				"roleRef: {kind: ClusterRole, name: "+of+"}\nsubjects: [{kind: ServiceAccount, namespace: south, name: "+of+"}]")
		}
		return role
	}
	runner := func(apiVersion, kind, owner string, replicas int) string {
		return object(apiVersion, kind, "ops", "keeper", owner, fmt.Sprintf("spec: {replicas: %d, template: {spec: "+
			"{serviceAccountName: keeper, containers: [{name: main}]}}}", replicas))
	}
	var cases []whyCase
	add := func(name string, verdict result.Verdict, cause string, objects ...string) {
		one := whyCase{
			name: name, target: orders, verdict: verdict, objects: append([]string{database(time.Hour, "", "")}, objects...),
		}
		one.causes = []string{cause}
		cases = append(cases, one)
	}
	const missing, unknown = "ControllerMissing Database/shop/orders", "ControllerUnknown Database/shop/orders"
	add("operator that watches other namespaces", stuck, missing, writes, watching("one,two"))
	add("operator that watches other namespaces, and has written all the same", result.Undetermined, unknown, writes,
		watching("one"), database(time.Hour, "managedFields: ["+
			managed("keeper", 5*time.Minute, `{"f:metadata": {"f:annotations": {"f:a": {}}}}`)+"]", ""))
	add("operator that watches other namespaces, by an argument", stuck, missing, writes,
		limited("args: ['--watch-namespaces', 'one, two']"))
	add("operator that watches the namespace that it is in", stuck, missing, writes,
		limited("args: [--watched-namespaces=$(NS)], "+
			"env: [{name: NS, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}]"))
	add("operator that watches other labels", stuck, missing, writes, limited("args: [--watch-label-selector=shard=b]"))
	add("operator that watches this namespace among others", result.Undetermined, unknown, writes, watching("one,shop"))
	add("operator that watches all namespaces", result.Undetermined, unknown, writes, watching(""))
	add("operator that ignores other namespaces", result.Undetermined, unknown, writes,
		limited("args: ['--ignored-namespaces=one', '--leader-election-namespace=ops']"))
	add("operator that ignores this namespace", stuck, missing, writes, limited("args: ['--ignored-namespaces=one,shop']"))
	add("operator that is paused by an argument", stuck, "ReconciliationPaused Deployment/ops/keeper", writes,
		limited("args: [--paused=true]"))
	add("operator that is not paused by its argument", result.Undetermined, unknown, writes,
		limited("args: [--paused=false]"))
	add("operator that may only watch its own namespace", result.Undetermined, unknown, writes,
		limited("args: [--namespace=ops]"))
	add("shards of one account, the object's at nothing", stuck, "ControllerDown Deployment/ops/shard-shop", writes,
		watching("one"), strings.ReplaceAll(program("ops", "shard-shop", "keeper", 0, ""), "serviceAccountName: keeper}}",
			"serviceAccountName: keeper, containers: [{name: main, env: [{name: WATCH_NAMESPACE, value: shop}]}]}}"))
	add("operator that was limited to others, and may not update the kind", stuck, missing,
		granted("keeper", mayRead, "databases", "ops/keeper"), watching("one"))
	add("operator of another tenant", stuck, missing, tenants("shop-operator", "south"),
		program("south", "shop-operator", "shop-operator", 1, podIsReady))
	add("operator of all tenants, which has lost one", stuck, "ControllerForbidden Database/shop/orders",
		tenants("shop-operator", "south", "west"), program("south", "shop-operator", "shop-operator", 1, podIsReady))
	add("controller that is a ReplicationController at nothing", stuck, "ControllerDown ReplicationController/ops/keeper",
		writes, runner("v1", "ReplicationController", "", 0))
	add("controller that is a custom workload at nothing", stuck, "ControllerDown Rollout/ops/keeper", writes,
		runner("deploy.example.net/v1", "Rollout", "", 0))
	add("custom workload of another account", stuck, missing, writes,
		strings.Replace(runner("deploy.example.net/v1", "Rollout", "", 0), "AccountName: keeper", "AccountName: x", 1),
		object("v1", "ServiceAccount", "ops", "keeper", "", ""))
	add("revision of a custom workload, which is at nothing", stuck, "ControllerDown Rollout/ops/keeper", writes,
		runner("deploy.example.net/v1", "Rollout", "", 0),
		runner("apps/v1", "ReplicaSet", "ownerReferences: [{apiVersion: deploy.example.net/v1, kind: Rollout, name: keeper, "+
			"uid: rollout-keeper, controller: true}]", 0))
	return append(cases, staticPodCases()...)
}

// staticPodCases are about controllers that act as a User.
func staticPodCases() []whyCase {
	user := strings.Replace(granted("keeper", mayWrite, "databases"),
		"subjects: []", "subjects: [{kind: User, name: keeper}]", 1)
	static := func(name, status string) string {
		return object("v1", "Pod", "kube-system", name+"-n1", "annotations: {kubernetes.io/config.mirror: x}, "+
			"ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: n1, controller: true}]",
			"spec: {nodeName: n1, serviceAccountName: '', containers: [{name: main}]}\nstatus: {"+status+"}")
	}
	one := func(name string, verdict result.Verdict, cause string, objects ...string) whyCase {
		return whyCase{
			name: name, target: "databases.shop.example.com/orders", verdict: verdict, causes: []string{cause},
			objects: append([]string{database(time.Hour, "", ""), user}, objects...),
		}
	}
	return []whyCase{
		one("static pod that acts as a User and crashes", result.Stuck, "ControllerDown Pod/kube-system/keeper-n1",
			static("keeper", podCrashes)),
		one("static pod that acts as a User and runs", result.Undetermined, "ControllerUnknown Database/shop/orders",
			static("keeper", podIsReady)),
		one("static pod that acts as a User on two nodes, and crashes on one", result.Undetermined,
			"ControllerUnknown Database/shop/orders", static("keeper", podCrashes),
			strings.ReplaceAll(static("keeper", podIsReady), "n1", "n2")),
		one("program that set the finalizer and acts as a User, in no pod", result.Undetermined,
			"ControllerUnknown Database/shop/orders", database(time.Hour, "managedFields: ["+
				managed("keeper", 2*time.Hour, setsFinalizer)+"]", "")),
		one("User without a static pod of that name", result.Stuck, "ControllerMissing Database/shop/orders",
			static("etcd", podCrashes)),
	}
}
