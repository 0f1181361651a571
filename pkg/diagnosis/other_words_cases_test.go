package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// otherWordsCases are about words that are not about the deletion, about what they name, and about annotations of other
// programs.
func otherWordsCases() []whyCase {
	const orders, machine = "databases.shop.example.com/orders", "machines.cluster.x-k8s.io/m1"
	unknown, failing := []string{"ControllerUnknown Database/shop/orders"},
		[]string{"ControllerFailing Database/shop/orders"}
	says := func(kind string, changed time.Duration, spec, words string, more ...string) []string {
		return append([]string{
			database(time.Hour, "", fmt.Sprintf("spec: {%s}\nstatus: {observedGeneration: 2, conditions: [{type: %s, "+
				`status: "False", reason: Broken, message: %q, lastTransitionTime: %q}]}`, spec, kind, words, at(changed))),
			operator(1, ""), operatorPod(podIsReady), node("n1", "True", ""), account("shop-operator"),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
		}, more...)
	}
	invoices := func(status string) string {
		return object("shop.example.com/v1", "Database", "shop", "invoices", "",
			"status: {conditions: [{type: Ready, status: '"+status+"'}]}")
	}
	const before, since, broken = 3 * time.Hour, time.Minute, "Database shop/invoices is broken"
	hooked := func(annotations, status string, more ...string) []string {
		return append([]string{
			object("cluster.x-k8s.io/v1beta2", "Machine", "shop", "m1", deleted(time.Hour, "machine.cluster.x-k8s.io")+
				", annotations: {"+annotations+"}", "status: {"+status+"}"),
			strings.ReplaceAll(granted("capi", mayWrite, "machines", "capi-system/capi"),
				"shop.example.com", "cluster.x-k8s.io"),
		}, more...)
	}
	capi := []string{
		object("apps/v1", "Deployment", "capi-system", "capi-controller-manager", "", "spec: {replicas: 1, selector: "+
			"{matchLabels: {app: capi}}, template: {spec: {serviceAccountName: capi}}}"),
		object("v1", "Pod", "capi-system", "capi-1", "labels: {app: capi}",
			"spec: {nodeName: n1, serviceAccountName: capi}\nstatus: {"+podIsReady+"}"), node("n1", "True", ""),
		object("v1", "ServiceAccount", "capi-system", "capi", "", ""),
	}
	const drain, terminate = "pre-drain.delete.hook.machine.cluster.x-k8s.io/a: backup",
		"pre-terminate.delete.hook.machine.cluster.x-k8s.io/b: dns"
	return []whyCase{{
		name: "custom resource with an old condition about another object", target: orders, verdict: result.Undetermined,
		objects: says("CopyReady", before, "", broken, invoices("False")), causes: unknown,
	}, {
		name: "custom resource with an old condition about one that it names", target: orders, verdict: result.Stuck,
		objects: says("CopyReady", before, "databaseRef: {name: invoices}", broken, invoices("False")), causes: failing,
		sure: finding.Likely,
	}, {
		name: "custom resource with an old condition about one that it names, and that is well", target: orders,
		verdict: result.Undetermined, causes: unknown,
		objects: says("CopyReady", before, "databaseRef: {name: invoices}", broken, invoices("True")),
	}, {
		name: "custom resource with an old condition about a deletion", target: orders, verdict: result.Stuck,
		objects: says("CopyReady", before, "", "failed to delete Database shop/invoices", invoices("False")), causes: failing,
	}, {
		name: "custom resource with a new condition about another object", target: orders, verdict: result.Stuck,
		objects: says("CopyReady", since, "", broken, invoices("False")), causes: failing,
	}, {
		name: "lacks: words of prose behind one for a kind", target: orders, verdict: result.Stuck, sure: finding.Likely,
		objects: says("Ready", since, "", "secret policy not found"), causes: failing, says: []string{"runs and reports"},
	}, {
		name: "lacks: what the controller waits for", target: orders, verdict: result.Undetermined,
		objects: says("Synced", since, "", "waiting for ConfigMap region-map"), causes: unknown,
		says: []string{"its status names ConfigMap shop/region-map, which is missing"},
	}, {
		name: "lacks: what the controller says that it needs", target: orders, verdict: result.Stuck, sure: finding.Likely,
		objects: says("Synced", since, "", "waiting for ConfigMap region-map to become available"), causes: failing,
		says: []string{"ConfigMap shop/region-map, which its controller needs"},
	}, {
		name: "lacks: what the controller waits for to go", target: orders, verdict: result.Undetermined,
		objects: says("Synced", since, "", "waiting for ConfigMap region-map to be deleted"), causes: unknown,
	}, {
		name: "machine with deletion hooks", target: machine, verdict: result.Undetermined,
		objects: hooked(drain+", "+terminate, "nodeRef: {name: w1}", capi...),
		says:    []string{`"backup" to remove its deletion hook, the annotation pre-drain.delete.hook`},
	}, {
		name: "machine with deletion hooks, without a Node", target: machine, verdict: result.Undetermined,
		objects: hooked(drain+", "+terminate, "", capi...),
		says:    []string{`"dns" to remove its deletion hook, the annotation pre-terminate.delete.hook`},
	}, {
		name: "machine with deletion hooks, whose controller is missing", target: machine, verdict: result.Stuck,
		objects: hooked(terminate, ""), causes: []string{"ControllerMissing Machine/shop/m1"},
	}, {
		name:    "known finalizer whose object a program of another name works on",
		target:  "cephobjectstores.ceph.rook.io/store",
		verdict: result.Undetermined, says: []string{`The program "storage-runner" wrote to the object`},
		objects: []string{storeWrittenBy("storage-runner", 2*time.Minute)},
	}, {
		name: "known finalizer whose object a program wrote before the deletion", verdict: result.Stuck,
		target: "cephobjectstores.ceph.rook.io/store", causes: []string{"ControllerMissing CephObjectStore/shop/store"},
		objects: []string{storeWrittenBy("storage-runner", 2*time.Hour)},
	}}
}

func storeWrittenBy(manager string, ago time.Duration) string {
	return object("ceph.rook.io/v1", "CephObjectStore", "shop", "store",
		deleted(time.Hour, "cephobjectstore.ceph.rook.io")+", managedFields: ["+
			managed(manager, ago, `{"f:status": {"f:phase": {}}}`)+"]", "status: {phase: Deleting}")
}
