package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// knownControllerCases are about controllers that plugins name.
func knownControllerCases() []whyCase {
	const store = "cephobjectstores.ceph.rook.io/store"
	rook := func(replicas int) string {
		return object("apps/v1", "Deployment", "rook-ceph", "rook-ceph-operator", "",
			fmt.Sprintf("spec: {replicas: %d, template: {spec: {serviceAccountName: rook-ceph-system}}}", replicas))
	}
	ready := object("v1", "Pod", "rook-ceph", "rook-ceph-operator-1", "",
		"spec: {nodeName: n1, serviceAccountName: rook-ceph-system}\nstatus: {"+podIsReady+"}")
	rights := func(verbs string) string {
		return strings.ReplaceAll(granted("rook-ceph-system", verbs, "'*'", "rook-ceph/rook-ceph-system"),
			"shop.example.com", "ceph.rook.io")
	}
	user := storeUser("alice", deleted(time.Hour, "cephobjectstoreuser.ceph.rook.io"), "another")
	queued := object("v1", "Pod", "shop", "web",
		deleted(time.Hour, "kueue.x-k8s.io/managed")+", deletionGracePeriodSeconds: 0", "")
	kueue := func(rules string) []string {
		return []string{
			queued, object("apps/v1", "Deployment", "kueue-system", "kueue-controller-manager", "", "spec: {replicas: 1, "+
				"selector: {matchLabels: {app: kueue}}, template: {metadata: {labels: {app: kueue}}, "+
				"spec: {serviceAccountName: kueue}}}"),
			object("v1", "Pod", "kueue-system", "kueue-controller-manager-1", "labels: {app: kueue}",
				"spec: {nodeName: n1, serviceAccountName: kueue}\nstatus: {"+podIsReady+"}"),
			object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "kueue", "", "rules: ["+rules+"]"),
			bound("kueue", "{kind: ServiceAccount, namespace: kueue-system, name: kueue}"),
		}
	}
	left := func(second string) string {
		return namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: "+
			"cephobjectstores.ceph.rook.io has 1 resource instances, "+second+" has 1 resource instances"))
	}
	return []whyCase{{
		name: "namespace with two kinds of one controller that is missing", target: "namespaces/shop",
		verdict: result.Stuck, objects: []string{left("cephobjectstoreusers.ceph.rook.io"), objectStore(""), user},
		causes: []string{"ControllerMissing CephObjectStore/shop/store × 2"},
		says:   []string{"to remove finalizers like cephobjectstore.ceph.rook.io from 2 objects"},
	}, {
		name: "namespace with objects of two controllers that are missing", target: "namespaces/shop",
		verdict: result.Stuck, objects: []string{left("pods."), objectStore(""), queued},
		causes: []string{"ControllerMissing CephObjectStore/shop/store", "ControllerMissing Pod/shop/web"},
	}, {
		name: "two finalizers of one controller that is missing", target: "databases.shop.example.com/orders",
		verdict: result.Stuck,
		objects: []string{object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour,
			"shop.example.com/cleanup", "shop.example.com/backup")+", managedFields: ["+
			managed("shop-engine", 48*time.Hour, `{"f:metadata": {"f:finalizers": {".": {}, `+
				`"v:\"shop.example.com/cleanup\"": {}, "v:\"shop.example.com/backup\"": {}}}}`)+"]", "")},
		causes: []string{"ControllerMissing Database/shop/orders"},
		says:   []string{"is held by the finalizers shop.example.com/cleanup and shop.example.com/backup"},
		remedy: "--finalizer shop.example.com/cleanup --finalizer shop.example.com/backup",
	}, {
		name: "known controller that is scaled to nothing", target: store, verdict: result.Stuck,
		objects: []string{objectStore(""), rook(0)},
		causes:  []string{"ControllerDown Deployment/rook-ceph/rook-ceph-operator"},
		remedy:  "scale deployments.apps/rook-ceph-operator",
	}, {
		name: "known controller that may only read the kind", target: store, verdict: result.Stuck,
		objects: []string{objectStore(""), rook(1), ready, rights(mayRead)},
		causes:  []string{"ControllerForbidden CephObjectStore/shop/store"},
	}, {
		name: "known controller that runs and says nothing", target: store, verdict: result.Undetermined,
		objects: []string{objectStore(""), rook(1), ready, rights(mayWrite)},
		notes:   []string{"None of the cephobjectstoreusers.ceph.rook.io in this cluster blocks the removal"},
	}, {
		name: "known controller that runs and says nothing, behind a webhook that answers", target: store,
		verdict: result.Undetermined,
		objects: []string{
			objectStore(""), rook(1), ready, rights(mayWrite), webhook("ValidatingWebhookConfiguration", ""), guardService(),
		},
		notes: []string{"its backend is up", "why cephobjectstores.ceph.rook.io/store --context test -n shop --probe"},
	}, {
		name: "known controller that fails", target: store, verdict: result.Stuck,
		objects: []string{
			objectStore(`status: {conditions: [{type: DeletionIsBlocked, status: "True", ` +
				`reason: ObjectHasDependents, message: "buckets are left"}]}`),
			rook(1), ready, rights(mayWrite),
		},
		causes: []string{"ControllerFailing CephObjectStore/shop/store"}, says: []string{"buckets are left"},
	}, {
		name: "known controller of a finalizer on a kind of Kubernetes", target: "pods/web", verdict: result.Stuck,
		objects: []string{object("v1", "Pod", "shop", "web",
			deleted(time.Hour, "kueue.x-k8s.io/managed")+", deletionGracePeriodSeconds: 0", "")},
		causes: []string{"ControllerMissing Pod/shop/web"},
		says:   []string{"kueue-controller-manager (unverified), which is not visible in this cluster"},
	}, {
		name: "known controller that may not update a kind of Kubernetes", target: "pods/web", verdict: result.Stuck,
		objects: kueue("{apiGroups: [''], resources: [pods], verbs: [get, list, watch]}"),
		causes:  []string{"ControllerForbidden Pod/shop/web"},
	}, {
		name:   "known controller that may update the status of a kind of Kubernetes, and so its metadata",
		target: "pods/web", verdict: result.Undetermined,
		objects: kueue("{apiGroups: [''], resources: [pods/status], verbs: [patch]}"),
	}, {
		name: "finalizer on a kind of Kubernetes that many programs set by the same library", target: "configmaps/cfg",
		verdict: result.Undetermined,
		objects: []string{
			object("v1", "ConfigMap", "shop", "cfg", deleted(time.Hour, "kopf.zalando.org/KopfFinalizerMarker"), ""),
			operator(0, ""), strings.ReplaceAll(granted("shop-operator", mayWrite, "configmaps",
				"shop-system/shop-operator"), "shop.example.com", "''"),
		},
	}}
}
