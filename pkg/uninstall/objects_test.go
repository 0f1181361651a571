package uninstall_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func object(apiVersion, kind, name, meta, rest string) string {
	return clustertest.Object(apiVersion, kind, name, meta, rest)
}

const (
	ours       = "finalizers: [shop.example.com/cleanup]"
	keptByHelm = "annotations: {meta.helm.sh/release-name: store, meta.helm.sh/release-namespace: system, " +
		"helm.sh/resource-policy: keep}"
	byHelm = "annotations: {meta.helm.sh/release-name: store, meta.helm.sh/release-namespace: system}"
)

// controlPlane is what every cluster has.
func controlPlane() []string {
	return []string{
		object("coordination.k8s.io/v1", "Lease", "kube-system/kube-controller-manager", "",
			fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}",
				now.Add(-2*time.Second).Format("2006-01-02T15:04:05.000000Z07:00"))),
		object("v1", "Node", "/n1", "", "status: {conditions: [{type: Ready, status: 'True'}]}"),
		object("v1", "Namespace", "/shop", "", "spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}"),
		object("v1", "Namespace", "/system", "", "spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}"),
	}
}

func definition(plural, group, kind, meta string) string {
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "/"+plural+"."+group, meta,
		fmt.Sprintf("spec: {group: %s, scope: Namespaced, names: {plural: %s, kind: %s}, "+
			"versions: [{name: v1, served: true, storage: true}]}", group, plural, kind))
}

// operator runs in namespace system, serves Databases and has a webhook on them.
func operator(replicas int) []string {
	const account = "subjects: [{kind: ServiceAccount, namespace: system, name: operator}]"
	objects := append(controlPlane(),
		definition("databases", "shop.example.com", "Database", byHelm),
		object("v1", "ServiceAccount", "system/operator", "", ""),
		object("v1", "Service", "system/operator", "", "spec: {selector: {app: operator}, ports: [{port: 443}]}"),
		object("apps/v1", "Deployment", "system/operator", byHelm, fmt.Sprintf("spec: {replicas: %[1]d, "+
			"selector: {matchLabels: {app: operator}}, template: {metadata: {labels: {app: operator}}, "+
			"spec: {serviceAccountName: operator, containers: [{name: m, image: m}]}}}\n"+
			"status: {replicas: %[1]d, readyReplicas: %[1]d, availableReplicas: %[1]d}", replicas)),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "/operator", "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ['*']}, "+
				"{apiGroups: [''], resources: [services], verbs: [update]}]"),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "/operator", "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n"+account),
		object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "/operator", "",
			"webhooks: [{name: hook.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
				"clientConfig: {service: {namespace: system, name: operator}}, rules: [{operations: [CREATE], "+
				"apiGroups: [shop.example.com], apiVersions: ['*'], resources: [databases]}]}]"))
	for range replicas {
		objects = append(objects, object("v1", "Pod", "system/operator-1", "labels: {app: operator}, "+
			"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: operator, uid: deployment-operator, "+
			"controller: true}]", "spec: {nodeName: n1, serviceAccountName: operator, containers: [{name: m, image: m}]}\n"+
			"status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"))
	}
	return objects
}

// runsAs is another workload in the operator's namespace, which runs as an account.
func runsAs(account string) string {
	return object("apps/v1", "DaemonSet", "system/agent", "", "spec: {selector: {matchLabels: {app: agent}}, "+
		"template: {metadata: {labels: {app: agent}}, spec: {serviceAccountName: "+account+
		", containers: [{name: m, image: m}]}}}")
}

// starting is the operator with a pod that was created some seconds ago, and is pending.
func starting() []string {
	objects := operator(1)
	pod := &objects[len(objects)-1]
	*pod = strings.Replace(*pod, "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}",
		"status: {phase: Pending}", 1)
	*pod = strings.Replace(*pod, "labels: {app: operator}", fmt.Sprintf("labels: {app: operator}, creationTimestamp: %q",
		now.Add(-5*time.Second).Format(time.RFC3339)), 1)
	return objects
}

func database(name, meta, rest string) string {
	return object("shop.example.com/v1", "Database", name, meta, rest)
}

// controlled is a Database that a ConfigMap owns in some way.
func controlled(how string) string {
	return database("orders", "finalizers: [shop.example.com/cleanup], "+
		"ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: job, uid: configmap-job, "+how+"}]", "")
}

// claim is a claim of a database, with its volume.
func claim() []string {
	return []string{
		object("v1", "PersistentVolumeClaim", "data", "finalizers: [kubernetes.io/pvc-protection], "+
			"ownerReferences: [{apiVersion: shop.example.com/v1, kind: Database, name: orders, uid: database-orders}]",
			"spec: {volumeName: disk}"),
		object("v1", "PersistentVolume", "/disk", "annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}",
			"spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {namespace: shop, name: data, "+
				"uid: persistentvolumeclaim-data}, csi: {driver: csi.example.com, volumeHandle: h}}"),
	}
}
