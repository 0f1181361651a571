package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// deletesFirstCases are about a controller that itself deletes what it then waits for, and what the garbage collector
// would delete without it.
func deletesFirstCases() []whyCase {
	const tenant = "tenants.capsule.clastix.io/oil"
	const owned = "ownerReferences: [{apiVersion: capsule.clastix.io/v1beta2, kind: Tenant, name: oil, uid: tenant-oil}]"
	oil := object("capsule.clastix.io/v1beta2", "Tenant", "", "oil",
		deleted(time.Hour, "controller.projectcapsule.dev/finalize"), "status: {namespaces: [shop]}")
	capsule := func(replicas int) string {
		return object("apps/v1", "Deployment", "capsule-system", "capsule-controller-manager", "", fmt.Sprintf(
			"spec: {replicas: %d, selector: {matchLabels: {app: capsule}}, template: {metadata: {labels: {app: capsule}}, "+
				"spec: {serviceAccountName: capsule}}}", replicas))
	}
	runs := []string{
		capsule(1), strings.ReplaceAll(granted("capsule", mayWrite, "tenants", "capsule-system/capsule"),
			"shop.example.com", "capsule.clastix.io"),
		object("v1", "Pod", "capsule-system", "capsule-controller-manager-1", "labels: {app: capsule}",
			"spec: {nodeName: n1, serviceAccountName: capsule}\nstatus: {"+podIsReady+"}"),
	}
	live, going := object("v1", "Namespace", "", "shop", owned, ""), object("v1", "Namespace", "", "shop",
		owned+", deletionTimestamp: \""+at(time.Hour)+"\"", "spec: {finalizers: [kubernetes]}")
	return []whyCase{{
		name: "tenant whose controller is scaled to nothing, and its namespace", target: tenant, verdict: result.Stuck,
		objects: []string{oil, live, capsule(0)}, remedy: "scale deployments.apps/capsule-controller-manager",
		causes: []string{"ControllerDown Deployment/capsule-system/capsule-controller-manager"},
	}, {
		name: "tenant whose controller is missing, and its namespace", target: tenant, verdict: result.Stuck,
		objects: []string{oil, live}, causes: []string{"ControllerMissing Tenant/oil"},
		says: []string{"Some namespaces that it deletes first are still there"},
	}, {
		name: "tenant whose controller runs and has not deleted the namespace", target: tenant,
		verdict: result.Undetermined, objects: append([]string{oil, live}, runs...),
		notes: []string{"Some namespaces that it deletes first are still there"},
	}, {
		name: "tenant whose controller runs, and none of its namespaces is left", target: tenant,
		verdict: result.Undetermined, objects: append([]string{oil}, runs...),
		notes: []string{"None of the namespaces in this cluster blocks the removal"},
	}, {
		name: "tenant whose namespace is being deleted", target: tenant, verdict: result.Undetermined,
		objects: append([]string{oil, going}, runs...),
	}}
}
