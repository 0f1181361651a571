package mechanism

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// postgresOperator is CloudNativePG, with the right to change Publications by some verbs.
func postgresOperator(replicas int, verbs string) string {
	rights := strings.Replace(
		rights("kube-system", "publications"), "verbs: [get, update, patch]", "verbs: ["+verbs+"]", 1,
	)
	return strings.NewReplacer("kube-system", "cnpg-system", "karpenter", "cnpg-controller-manager").Replace(
		karpenter(replicas) + rights)
}

// postgresPod is a pod of a Cluster, as whose ServiceAccount it runs.
func postgresPod(of, ready string) string {
	account := strings.NewReplacer("kube-system", "shop", "karpenter", of).Replace(rights("kube-system", "publications"))
	return account + manifest("v1", "Pod", "shop", of+"-1", "labels: {cnpg.io/cluster: "+of+", cnpg.io/podRole: instance}",
		"spec: {serviceAccountName: "+of+"}\n"+
			"status: {phase: Running, conditions: [{type: Ready, status: '"+ready+"', lastTransitionTime: "+ago(time.Hour)+"}]}")
}

// TestNamedAgent wants the controller of an object in the pods of what that names, and in another program once that is
// being deleted.
func TestNamedAgent(t *testing.T) {
	const finalizer, version = "cnpg.io/deletePublication", "postgresql.cnpg.io/v1"
	publication := func(before time.Duration) string {
		return manifest(version, "Publication", "shop", "orders", deleted(before, finalizer), "spec: {cluster: {name: main}}")
	}
	late, operator := publication(time.Hour), postgresOperator(1, "get, update, patch")
	there := manifest(version, "Cluster", "shop", "main", "", "")
	going := manifest(version, "Cluster", "shop", "main", deleted(time.Hour, "shop.example.com/hook"), "")
	closing := manifest("v1", "Namespace", "", "shop", deleted(time.Hour), "")
	const open = "open KnownFinalizer Publication shop/orders key KnownFinalizer,cnpg.io/deletePublication,"
	silent := []string{open + "CloudNativePG's instance manager," +
		"the publication is dropped in the primary, if the reclaim policy is delete"}
	without := []string{"wait Cluster shop/main", "  cause ControllerDown ControllerNotRunning Cluster shop/main"}
	gone := []string{"cause ControllerMissing NamedObjectGone Publication shop/orders key named gone," + finalizer +
		",publications.postgresql.cnpg.io,Deployment cnpg-system/cnpg-controller-manager,,Cluster shop/main"}
	down := []string{"wait Deployment cnpg-system/cnpg-controller-manager",
		"  cause ControllerDown ControllerNotRunning Deployment cnpg-system/cnpg-controller-manager"}
	runCases(t, []mechanismCase{
		{name: "its own pod is ready", objects: late + there + operator + postgresPod("main", "True"), told: silent},
		{name: "its own pod isn't ready", objects: late + there + operator + postgresPod("main", "False"), told: without},
		{name: "no pods", objects: late + there + operator, told: without},
		{name: "pods of another one", objects: late + there + operator + postgresPod("other", "True"), told: without},
		{name: "pods of both", objects: late + there + postgresPod("other", "False") + postgresPod("main", "True"),
			told: silent},
		{name: "no operator either", objects: late + there, told: without},
		{name: "gone", objects: late + operator, told: gone},
		{name: "gone, with pods of another one", objects: late + operator + postgresPod("other", "True"), told: gone},
		{name: "gone just now", objects: publication(time.Second) + operator,
			told: []string{"progress ControllerMayBeAtWork Publication shop/orders"}},
		{name: "gone, in a closing namespace", objects: late + operator + closing, told: gone},
		{name: "gone, and the operator is down", objects: late + postgresOperator(0, "update, patch"), told: down},
		{name: "gone, and the operator may not", objects: late + postgresOperator(1, "get, list, watch"),
			told: []string{"cause ControllerForbidden ControllerMayNotUpdate Publication shop/orders key forbidden controller," +
				finalizer + ",publications.postgresql.cnpg.io,Deployment cnpg-system/cnpg-controller-manager"}},
		{name: "gone, and the operator may not by the verb that it uses",
			objects: late + postgresOperator(1, "get, list, watch, update"),
			told: []string{"cause ControllerForbidden ControllerDenied Publication shop/orders key denied," +
				"system:serviceaccount:cnpg-system:cnpg-controller-manager,patch,publications.postgresql.cnpg.io,shop," +
				finalizer + ",Publication"}},
		{name: "gone, and there is no operator", objects: late,
			told: []string{"cause ControllerMissing KnownControllerMissing Publication shop/orders key missing controller," +
				"CloudNativePG,CloudNativePG"}},
		{name: "a name that would change the selector", told: silent,
			objects: strings.Replace(late, "name: main", `name: "main,app!=web"`, 1) + operator},
		{name: "being deleted", objects: late + going + operator + postgresPod("main", "True"),
			told: []string{open + "CloudNativePG,it sees the deletion of the Cluster that the object names"}},
		{name: "being deleted, and the operator is down", objects: late + going + postgresOperator(0, "update, patch") +
			postgresPod("main", "True"), told: down},
		{name: "may not be read", objects: late + there + operator, deny: "clusters"},
		{name: "its pods may not be read", objects: late + there + operator, deny: "pods"},
	})
}

// TestCreateNamed wants a step to create what an object names only where that can be done.
func TestCreateNamed(t *testing.T) {
	late := manifest("postgresql.cnpg.io/v1", "Publication", "shop", "orders",
		deleted(time.Hour, "cnpg.io/deletePublication"), "spec: {cluster: {name: main}}")
	closing := manifest("v1", "Namespace", "", "shop", deleted(time.Hour), "")
	for name, one := range map[string]struct {
		objects string
		want    bool
	}{
		"the operator runs":      {late + postgresOperator(1, "update, patch"), true},
		"the operator is down":   {late + postgresOperator(0, "update, patch"), true},
		"the namespace closes":   {late + postgresOperator(1, "update, patch") + closing, false},
		"it closes, and is down": {late + postgresOperator(0, "update, patch") + closing, false},
	} {
		t.Run(name, func(t *testing.T) {
			tools := toolsFor(t, one.objects)
			_, _ = tools.Session.Read(t.Context(), cluster.Namespaces(), "", "shop")
			found := false
			for cause := range askTools(t, tools, one.objects).AllCauses() {
				for _, step := range cause.Remedies {
					found = found || step.Step == "CreateNamedAgain"
				}
			}
			if found != one.want {
				t.Errorf("a step to create it: %t, want %t", found, one.want)
			}
		})
	}
}
