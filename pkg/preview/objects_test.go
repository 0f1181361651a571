package preview_test

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

func configMap(name, meta string) string { return object("v1", "ConfigMap", name, meta, "") }

func secret(name, meta string) string { return object("v1", "Secret", name, meta, "") }

// ownedBy are references to owners, each a KIND/NAME of core/v1.
func ownedBy(block bool, owners ...string) string {
	var references []string
	for _, owner := range owners {
		kind, name, _ := strings.Cut(owner, "/")
		references = append(references,
			fmt.Sprintf("{apiVersion: v1, kind: %s, name: %s, uid: %s-%s, blockOwnerDeletion: %t}",
				kind, name, strings.ToLower(kind), name, block))
	}
	return "ownerReferences: [" + strings.Join(references, ", ") + "]"
}

// manager is kube-controller-manager, alive.
func manager() string {
	return object("coordination.k8s.io/v1", "Lease", "kube-system/kube-controller-manager", "",
		fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}",
			now.Add(-2*time.Second).Format("2006-01-02T15:04:05.000000Z07:00")))
}

func namespace() string {
	return object("v1", "Namespace", "/shop", "", "spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}")
}

func node(ready string) string {
	return object("v1", "Node", "/n1", "", fmt.Sprintf(
		"status: {conditions: [{type: Ready, status: %q, reason: Told, lastTransitionTime: %q}]}", ready,
		now.Add(-time.Hour).Format(time.RFC3339)))
}

func pod(name, claim string) string {
	volumes := ""
	if claim != "" {
		volumes = fmt.Sprintf(", volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]", claim)
	}
	return object("v1", "Pod", name, "", "spec: {nodeName: n1"+volumes+"}\nstatus: {phase: Running}")
}

func claim() string {
	return object("v1", "PersistentVolumeClaim", "data", "finalizers: [kubernetes.io/pvc-protection]",
		"spec: {volumeName: disk}")
}

func volume(policy string) string {
	return object("v1", "PersistentVolume", "/disk", "annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}",
		"spec: {capacity: {storage: 10Gi}, persistentVolumeReclaimPolicy: "+policy+
			", claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}, "+
			"csi: {driver: csi.example.com, volumeHandle: h}}")
}

func database(meta string) string {
	return object("shop.example.com/v1", "Database", "orders", meta, "")
}

func definition() string {
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "/databases.shop.example.com", "",
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, "+
			"versions: [{name: v1, served: true, storage: true}]}")
}

// hook asks a Service that answers for nothing about an operation.
func hook(operation, group, resource string) string {
	return hookCalledBy("service: {namespace: hooks, name: hook}", operation, group, resource)
}

// ignored is a webhook without whose answer requests pass.
func ignored(hook string) string {
	return strings.Replace(hook, "failurePolicy: Fail", "failurePolicy: Ignore", 1)
}

// hookCalledBy asks whoever a clientConfig names.
func hookCalledBy(client, operation, group, resource string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "/hook", "", fmt.Sprintf(
		"webhooks: [{name: hook.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {%s}, "+
			"rules: [{operations: [%s], apiGroups: [%q], apiVersions: ['*'], resources: [%s]}]}]",
		client, operation, group, resource))
}

// answering is a Service with a pod that is ready behind it.
func answering() []string {
	return []string{
		object("v1", "Service", "hooks/hook", "", "spec: {selector: {app: hook}, ports: [{port: 443, targetPort: 8443}]}"),
		object("discovery.k8s.io/v1", "EndpointSlice", "hooks/hook-1", "labels: {kubernetes.io/service-name: hook}",
			"addressType: IPv4\nports: [{port: 8443}]\nendpoints: [{addresses: [192.0.2.8], conditions: {ready: true}}]"),
	}
}
