package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"time"
)

// liveCases are objects that were not deleted, and that other objects would be deleted with.
func liveCases() []whyCase {
	protects := "finalizers: [kubernetes.io/pvc-protection]"
	bound := object("v1", "PersistentVolumeClaim", "shop", "data", protects,
		"spec: {volumeName: disk}\nstatus: {phase: Bound}")
	return []whyCase{{
		name: "live claim with a volume", target: "persistentvolumeclaims/data", verdict: result.NotTerminating,
		objects: []string{bound, boundDisk("Delete")},
		says:    []string{"no scheduled pod"}, notes: []string{"what depends on", "preview"},
	}, {
		name: "live claim with a volume that may not be read", target: "persistentvolumeclaims/data",
		verdict: result.NotTerminating, objects: []string{bound, boundDisk("Delete")}, deny: "persistentvolumes",
	}, {
		name: "live secret", target: "secrets/keys", verdict: result.NotTerminating,
		objects: []string{object("v1", "Secret", "shop", "keys", "", "")},
	}, {
		name: "live service with a load balancer", target: "services/web", verdict: result.NotTerminating,
		objects: []string{object("v1", "Service", "shop", "web", "finalizers: [service.kubernetes.io/load-balancer-cleanup]",
			"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}")},
		says: []string{"load-balancer-cleanup"},
	}, {
		name: "live namespace", target: "namespaces/shop", verdict: result.NotTerminating,
		objects: []string{object("v1", "Namespace", "", "shop", "",
			"spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}")},
		says: []string{"everything in it is deleted"}, notes: []string{"what is in"},
	}, {
		name:    "live definition whose conversion webhook has no backend",
		target:  "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com",
		verdict: result.NotTerminating, objects: []string{converting("", toConverter, "")},
		says: []string{"conversion webhook of CustomResourceDefinition databases.shop.example.com can't answer"},
	}, {
		name:    "live definition whose conversion webhook answers",
		target:  "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com",
		verdict: result.NotTerminating, objects: []string{converting("", toConverter, ""), serviceUp("ext", "converter")},
	}, {
		name: "live node", target: "nodes/n1", verdict: result.NotTerminating,
		objects: []string{object("v1", "Node", "", "n1", "", "spec: {}")},
		notes:   []string{"what depends on"},
	}, {
		name: "live node that is cordoned, with a pod that is stuck and one that a budget keeps", target: "nodes/n1",
		verdict: result.NotTerminating,
		objects: []string{
			object("v1", "Node", "", "n1", "", "spec: {unschedulable: true}"),
			podOfWeb("web-0", time.Hour), podOfWeb("web-1", 0),
			object("policy/v1", "PodDisruptionBudget", "shop", "keep", "",
				"spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}\n"+
					"status: {disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 2}"),
		},
		says: []string{
			"It is cordoned. Pod shop/web-0, which is on it, has been Terminating for 1h, longer than its grace period.",
			"Pod shop/web-1 can't be evicted from it at present, because of PodDisruptionBudget shop/keep",
		},
		notes: []string{"why pods/web-0", "It requires 2 healthy pods (minAvailable 2), and 1 of 2 pods is healthy",
			"patch poddisruptionbudgets.policy/keep"},
	}, {
		name: "live stateful set with a pod that is stuck", target: "statefulsets.apps/web", verdict: result.NotTerminating,
		objects: []string{liveWeb("StatefulSet"), podOfWeb("web-0", time.Hour), podOfWeb("web-1", 0)},
		says:    []string{"Pod shop/web-0, which belongs to it, has been Terminating for 1h"},
		notes:   []string{"can't replace the pod", "why pods/web-0"},
	}, {
		name: "live stateful set with a pod in its grace period", target: "statefulsets.apps/web",
		verdict: result.NotTerminating,
		objects: []string{liveWeb("StatefulSet"), podOfWeb("web-0", 10*time.Second)},
	}, {
		name: "live stateful set whose pods may not be listed", target: "statefulsets.apps/web",
		verdict: result.NotTerminating,
		objects: []string{liveWeb("StatefulSet"), podOfWeb("web-0", time.Hour)}, deny: "pods",
	}, {
		name: "live deployment whose selector fits the pods of another", target: "deployments.apps/web",
		verdict: result.NotTerminating,
		objects: []string{liveWeb("Deployment"), podOfWeb("web-0", time.Hour)},
	}}
}

// liveWeb is a workload that selects what podOfWeb makes.
func liveWeb(kind string) string {
	return object("apps/v1", kind, "shop", "web", "", "spec: {selector: {matchLabels: {app: web}}}")
}

// podOfWeb is a pod of StatefulSet web on Node n1. It was deleted so long ago; zero: it was not.
func podOfWeb(name string, ago time.Duration) string {
	meta := "labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, " +
		"uid: statefulset-web, controller: true}]"
	if ago > 0 {
		meta += fmt.Sprintf(", deletionTimestamp: %q, deletionGracePeriodSeconds: 30", at(ago-30*time.Second))
	}
	return object("v1", "Pod", "shop", name, meta,
		"spec: {nodeName: n1}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}")
}
