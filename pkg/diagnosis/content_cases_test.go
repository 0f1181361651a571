package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

func contentCases() []whyCase {
	contentGone := condition("NamespaceContentRemaining", "False", "All content successfully removed")
	own := func(manifest string) string { return strings.ReplaceAll(manifest, "shop-system", "shop") }
	ownRights := own(granted("shop-operator", mayWrite, "databases", "shop-system/shop-operator"))
	left := namespace(time.Hour, condition("NamespaceContentRemaining", "True",
		"Some resources are remaining: databases.shop.example.com has 1 resource instances"))
	return []whyCase{{
		name: "namespace that was deleted a moment ago", target: "namespaces/shop", verdict: result.Progressing,
		objects: []string{namespace(3*time.Second, ""), configMap("left", ""), managerAlive()},
	}, {
		name: "namespace without conditions, and the controller manager is dead", target: "namespaces/shop",
		verdict: result.Stuck,
		objects: []string{namespace(time.Second, ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "namespace with custom resources that share a finalizer", target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour,
				condition("NamespaceContentRemaining", "True",
					"Some resources are remaining: databases.shop.example.com has 3 resource instances, "+
						"configmaps. has 1 resource instances")),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "carts", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "users", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			configMap("held", deleted(time.Hour, "example.com/hold")),
		},
		// What frees most comes first.
		causes: []string{"ControllerMissing Database/shop/carts × 3", "ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "namespace with a pod, while the conditions say that all is well", target: "namespaces/shop",
		verdict: result.Undetermined,
		objects: []string{
			namespace(time.Hour, contentGone),
			object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
			configMap("untouched", "finalizers: [example.com/innocent]"),
		},
		causes: []string{"ControllerUnknown Pod/shop/held"},
	}, {
		name: "namespace for which an operator has a role that is bound in other namespaces", target: "namespaces/shop",
		verdict: result.Stuck,
		objects: []string{
			left, database(time.Hour, "", ""), program("ops", "keeper", "keeper", 1, podIsReady),
			strings.Split(granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper"), "---")[0],
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "other", "keeper", "",
				"roleRef: {kind: ClusterRole, name: keeper}\nsubjects: [{kind: ServiceAccount, namespace: ops, name: keeper}]"),
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
		remedy: "create clusterrolebinding keeper-keeper --clusterrole=keeper --serviceaccount=ops:keeper",
	}, {
		name: "namespace that has lost its operator's pods", target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			left, database(time.Hour, "", ""), ownRights, own(account("shop-operator")), own(operator(1, "")),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
		says:   []string{"probably Deployment shop/shop-operator", "no new ones can start"},
	}, {
		name: "namespace whose operator is scaled to zero", target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			left, database(time.Hour, "", ""), ownRights, own(account("shop-operator")), own(operator(0, "")),
		},
		causes: []string{"ControllerMissing Database/shop/orders"}, says: []string{"no new ones can start"},
	}, {
		name: "namespace whose conditions are fossils", target: "namespaces/shop", verdict: result.Stuck, deep: true,
		objects: []string{
			namespace(time.Hour, contentGone), managerAlive(),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "elsewhere", "other", deleted(time.Hour, "shop.example.com/cleanup"), ""),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "namespace whose pods have just gone", target: "namespaces/shop", verdict: result.Progressing,
		objects: []string{namespace(30*time.Second, contentGone), managerAlive(), configMap("left", "")},
		says:    []string{"finish deleting it"},
	}, {
		name: "pod with a finalizer within its grace period", target: "pods/web", verdict: result.Undetermined,
		objects: []string{
			strings.Replace(pod("web", 10*time.Second, "n1", ""), "deletionTimestamp",
				"finalizers: [example.com/hold], deletionTimestamp", 1),
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ControllerUnknown Pod/shop/web"},
	}, {
		name: "pod within its grace period on a node that may not be read", target: "pods/web",
		verdict: result.Undetermined, deny: "nodes",
		objects: []string{pod("web", 10*time.Second, "n1", "")},
	}, {
		name: "claim used by a job's pod", target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "run-x",
				"ownerReferences: [{apiVersion: batch/v1, kind: Job, name: run, uid: job-run, controller: true}]",
				"spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("batch/v1", "Job", "shop", "run",
				"ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: cron, controller: true}]", ""),
		},
		causes: []string{"StillInUse Pod/shop/run-x"}, says: []string{"run by Job shop/run"},
		remedy: "-n shop delete jobs.batch/run",
	}, {
		name: "namespace, and pods may not be listed", target: "namespaces/shop", verdict: result.Undetermined, deny: "pods",
		objects: []string{namespace(time.Hour, contentGone), managerAlive()},
	}, {
		name: "namespace whose content may not be listed", target: "namespaces/shop", verdict: result.Undetermined,
		deny: "configmaps",
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True",
				"Some resources are remaining: configmaps. has 3 resource instances")+", "+
				condition("NamespaceFinalizersRemaining", "True", "Some content in the namespace has finalizers remaining: "+
					"example.com/hold in 2 resource instances, cephobjectstore.ceph.rook.io in 1 resource instances")),
			configMap("held", deleted(time.Hour, "example.com/hold")), managerAlive(),
		},
		says: []string{
			"3 ConfigMaps", "example.com/hold (on 2 objects)",
			"cephobjectstore.ceph.rook.io (on 1 object; removed by rook-ceph-operator)",
		},
	}, {
		name: "namespace with content that may be listed, and other content that may not", target: "namespaces/shop",
		verdict: result.Undetermined, deny: "databases", causes: []string{"ControllerUnknown ConfigMap/shop/held"},
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: "+
				"configmaps. has 1 resource instances, databases.shop.example.com has 2 resource instances")+", "+
				condition("NamespaceFinalizersRemaining", "True", "Some content in the namespace has finalizers remaining: "+
					"example.com/hold in 1 resource instances, shop.example.com/drop in 2 resource instances")),
			configMap("held", deleted(time.Hour, "example.com/hold")), managerAlive(),
		},
		says: []string{"2 Databases still in it, held by the finalizers example.com/hold and shop.example.com/drop"},
	}, {
		name: "namespace whose discovery fails", target: "namespaces/shop", verdict: result.Undetermined,
		failed: "metrics.example.com/v1",
		objects: []string{
			namespace(time.Hour,
				contentGone+", "+
					condition("NamespaceDeletionDiscoveryFailure", "True",
						"Discovery failed for some groups, 1 failing: metrics.example.com/v1")),
			managerAlive(),
		},
		says: []string{"can't be discovered"},
	}, {
		name: "namespace in which a deletion is refused", target: "namespaces/shop", verdict: result.Undetermined,
		objects: []string{
			namespace(time.Hour,
				condition("NamespaceContentRemaining", "True",
					"Some resources are remaining: configmaps. has 1 resource instances")+", "+
					condition("NamespaceDeletionContentFailure", "True",
						"Failed to delete all resource types, 1 remaining: something unheard of")),
			configMap("guarded", ""), managerAlive(),
		},
		says: []string{"an object in the namespace that can't be deleted"},
	}, {
		name: "namespace with a foreign entry in spec.finalizers", target: "namespaces/shop", verdict: result.Undetermined,
		objects: []string{object("v1", "Namespace", "", "shop", deleted(time.Hour),
			"spec: {finalizers: [openshift.io/origin]}")},
		causes: []string{"ControllerUnknown Namespace/shop"}, says: []string{"openshift.io/origin in spec.finalizers"},
	}, {
		name:   "definition whose instances a finalizer holds",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Stuck,
		objects: []string{
			crd(time.Hour),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "elsewhere", "carts", deleted(time.Hour, "shop.example.com/cleanup"), ""),
		},
		causes: []string{"ControllerMissing Database/elsewhere/carts × 2"},
	}, {
		name:   "definition whose instances are just being deleted",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Progressing,
		objects: []string{crd(time.Second), object("shop.example.com/v1", "Database", "shop", "orders", "", "")},
	}, {
		name:   "definition whose instances nobody deletes",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Undetermined,
		objects: []string{crd(time.Hour), object("shop.example.com/v1", "Database", "shop", "orders", "", "")},
		says:    []string{"1 instance of databases.shop.example.com"},
	}, {
		name:    "definition whose instances can't be listed",
		target:  "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{crd(time.Hour)}, says: []string{"databases.shop.example.com in all namespaces"},
	}, {
		name: "nothing holds it any more", target: "configmaps/x", verdict: result.Progressing,
		objects: []string{configMap("x", deleted(time.Second))},
	}, {
		name: "alive", target: "persistentvolumeclaims/data", verdict: result.NotTerminating,
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection, example.com/hold]")},
		says:    []string{"not being deleted", "no scheduled pod", "example.com/hold"},
	}}
}
