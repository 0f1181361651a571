package diagnosis_test

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"

// liveCases are objects that were not deleted, and that other objects would be deleted with.
func liveCases() []whyCase {
	protects := "finalizers: [kubernetes.io/pvc-protection]"
	bound := object("v1", "PersistentVolumeClaim", "shop", "data", protects,
		"spec: {volumeName: disk}\nstatus: {phase: Bound}")
	return []whyCase{{
		name: "live claim with a volume", target: "persistentvolumeclaims/data", verdict: report.NotTerminating,
		objects: []string{bound, boundDisk("Delete")},
		says:    []string{"no scheduled pod"}, notes: []string{"Not looked at: what depends on it", "preview"},
	}, {
		name: "live claim with a volume that may not be read", target: "persistentvolumeclaims/data",
		verdict: report.NotTerminating, objects: []string{bound, boundDisk("Delete")}, deny: "persistentvolumes",
	}, {
		name: "live secret", target: "secrets/keys", verdict: report.NotTerminating,
		objects: []string{object("v1", "Secret", "shop", "keys", "", "")},
	}, {
		name: "live service with a load balancer", target: "services/web", verdict: report.NotTerminating,
		objects: []string{object("v1", "Service", "shop", "web", "finalizers: [service.kubernetes.io/load-balancer-cleanup]",
			"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}")},
		says: []string{"load-balancer-cleanup"},
	}, {
		name: "live namespace", target: "namespaces/shop", verdict: report.NotTerminating,
		objects: []string{object("v1", "Namespace", "", "shop", "",
			"spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}")},
		says: []string{"everything in it is deleted"}, notes: []string{"Not looked at: what is in it"},
	}, {
		name: "live node", target: "nodes/n1", verdict: report.NotTerminating,
		objects: []string{object("v1", "Node", "", "n1", "", "spec: {}")},
		notes:   []string{"Not looked at: what depends on it"},
	}}
}
