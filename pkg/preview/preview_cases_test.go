package preview_test

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// object is one in namespace shop, or in none where its name begins with a slash; its uid is its kind and name.
func object(apiVersion, kind, name, meta, rest string) string {
	namespace := "shop"
	if strings.HasPrefix(name, "/") {
		namespace, name = "", name[1:]
	}
	if before, after, elsewhere := strings.Cut(name, "/"); elsewhere {
		namespace, name = before, after
	}
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: %s-%s%s}\n%s",
		apiVersion, kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}

// ownedBy are references to owners, each a KIND/NAME of core/v1.
func ownedBy(block bool, owners ...string) string {
	var references []string
	for _, owner := range owners {
		kind, name, _ := strings.Cut(owner, "/")
		references = append(references, fmt.Sprintf("{apiVersion: v1, kind: %s, name: %s, uid: %s-%s, blockOwnerDeletion: %t}",
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
			", claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}, csi: {driver: csi.example.com, volumeHandle: h}}")
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
	return object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "/hook", "", fmt.Sprintf(
		"webhooks: [{name: hook.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {service: {namespace: %s, name: hook}}, "+
			"rules: [{operations: [%s], apiGroups: [%q], apiVersions: ['*'], resources: [%s]}]}]", "hooks", operation, group, resource))
}

type previewCase struct {
	name    string
	objects []string
	target  string // RESOURCE/NAME
	cascade metav1.DeletionPropagation
	deny    string

	outcome report.Outcome
	goes    string // RESOURCE/NAME in the order of kinds
	causes  string // REASON KIND/NAME
	refuses string // KIND/NAME what would refuse
	stays   string // WHY NAME
	says    []string
	unread  string
}

func cases() []previewCase {
	top, held := configMap("top", ""), "finalizers: [example.com/hold]"
	mid := secret("mid", ownedBy(true, below))
	return []previewCase{
		{name: "nothing below", objects: []string{manager(), top}, target: "configmaps/top", outcome: report.WouldGo,
			goes: "configmaps/top", says: []string{"Deleting ConfigMap shop/top would finish."}},
		{name: "background", objects: []string{manager(), top, mid, pod("leaf", ""), node("True")}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top secrets/mid",
			says: []string{"take 2 objects", "Data would be lost for good", "DATA of Secret shop/mid"}},
		{name: "background, a dependent that hangs", objects: []string{manager(), top, secret("mid", ownedBy(true, below)+", "+held)},
			target: "configmaps/top", outcome: report.MayHang, goes: "configmaps/top secrets/mid",
			says: []string{"example.com/hold on secrets (1): it may hang"}},
		{name: "foreground, a dependent that hangs holds its owner", cascade: metav1.DeletePropagationForeground,
			objects: []string{manager(), top, configMap("mid", ownedBy(true, below)+", "+held)}, target: "configmaps/top",
			outcome: report.MayHang, goes: "configmaps/top configmaps/mid"},
		{name: "orphan", cascade: metav1.DeletePropagationOrphan, objects: []string{manager(), top, mid}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top", stays: "Orphaned mid",
			says: []string{"Secret shop/mid is left without this owner", "--cascade=orphan"}},
		{name: "two owners, one stays", objects: []string{manager(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top", stays: "KeptByOwner mid",
			says: []string{"because of another owner, ConfigMap shop/other"}},
		{name: "two owners, both go", objects: []string{manager(), namespace(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "namespaces/shop", outcome: report.WouldGo,
			goes: "namespaces/shop configmaps/other configmaps/top secrets/mid"},
		{name: "an owner without namespace, dependents in several", objects: []string{
			manager(), object("v1", "PersistentVolume", "/root", "", ""), configMap("a/one", ownedBy(false, "PersistentVolume/root")),
			configMap("b/two", ownedBy(false, "PersistentVolume/root"))}, target: "persistentvolumes/root",
			outcome: report.WouldGo, goes: "persistentvolumes/root configmaps/one configmaps/two"},
		{name: "a definition's instances", objects: []string{manager(), definition(), database("")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: report.WouldGo,
			goes: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com databases.shop.example.com/orders"},
		{name: "a definition's instances are not asked about", objects: []string{
			manager(), definition(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: report.WouldGo,
			goes: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com databases.shop.example.com/orders"},
		{name: "content whose deletion is refused", objects: []string{
			manager(), namespace(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "namespaces/shop", outcome: report.WouldHang, goes: "namespaces/shop databases.shop.example.com/orders",
			refuses: "ValidatingWebhookConfiguration/hook"},
		{name: "the request itself is refused", objects: []string{manager(), top, hook("DELETE", "", "configmaps")},
			target: "configmaps/top", outcome: report.WouldBeRefused, goes: "configmaps/top",
			refuses: "ValidatingWebhookConfiguration/hook", says: []string{"would be refused by ValidatingWebhookConfiguration hook"}},
		{name: "a pod on a dead node", objects: []string{manager(), pod("web", ""), node("Unknown")}, target: "pods/web",
			outcome: report.WouldHang, goes: "pods/web", causes: "NodeNotReady Node/n1"},
		{name: "a claim in use by a pod that stays", objects: []string{manager(), node("True"), pod("web", "data"), claim(), volume("Retain")},
			target: "persistentvolumeclaims/data", outcome: report.WouldHang, goes: "persistentvolumeclaims/data",
			causes: "StillInUse Pod/web", says: []string{"and its data stay"}},
		{name: "a claim in use by a pod that goes too", objects: []string{
			manager(), namespace(), node("True"), pod("web", "data"), claim(), volume("Delete")}, target: "namespaces/shop",
			outcome: report.WouldGo, goes: "namespaces/shop pods/web persistentvolumeclaims/data",
			says: []string{"size 10Gi", "ALL ITS DATA are deleted", `"Retain"`}},
		{name: "a webhook's Service goes", objects: []string{manager(), object("v1", "Service", "hooks/hook", "", "spec: {}"),
			hook("CREATE", "apps", "deployments")}, target: "services/hook", outcome: report.WouldGo, goes: "services/hook",
			says: []string{"loses its backend Service hooks/hook, and then refuses every request"}},
		{name: "a load balancer", objects: []string{manager(), object("v1", "Service", "lb", "",
			"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}")}, target: "services/lb",
			outcome: report.WouldGo, goes: "services/lb", says: []string{"The load balancer of Service shop/lb (192.0.2.7)"}},
		{name: "already deleted", objects: []string{configMap("top", held+`, deletionTimestamp: "2026-01-02T11:00:00Z"`)},
			target: "configmaps/top", outcome: report.AlreadyDeleted, says: []string{"is being deleted already"}},
		{name: "an owner that can't be read", deny: "persistentvolumes", objects: []string{
			manager(), top, secret("mid", ownedBy(false, below, "PersistentVolume/other"))}, target: "configmaps/top",
			outcome: report.MayHang, goes: "configmaps/top", stays: "OwnerNotRead mid", says: []string{"may stay"},
			unread: "persistentvolumes"},
	}
}
