package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// now is noon; the fixtures count back from it.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }

// deleted is the metadata of something whose deletion was requested some time ago.
func deleted(ago time.Duration, finalizers ...string) string {
	return fmt.Sprintf("deletionTimestamp: %q, finalizers: [%s]", at(ago), strings.Join(finalizers, ", "))
}

func object(apiVersion, kind, namespace, name, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: %s-%s%s}\n%s\n", apiVersion, kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}

// pod was asked to go some time ago and has a grace period of 30 s.
func pod(name string, requested time.Duration, node, rest string) string {
	meta := fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 30", at(requested-30*time.Second))
	return object("v1", "Pod", "shop", name, meta, fmt.Sprintf("spec: {nodeName: %q%s}", node, rest))
}

func node(name, ready string, rest string) string {
	return object("v1", "Node", "", name, "", fmt.Sprintf("spec: {%s}\nstatus: {conditions: [{type: Ready, status: %q, reason: Told, lastTransitionTime: %q}]}", rest, ready, at(time.Hour)))
}

func lease(namespace, name string, renewed time.Duration) string {
	return object("coordination.k8s.io/v1", "Lease", namespace, name, "",
		fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}", now.Add(-renewed).Format("2006-01-02T15:04:05.000000Z07:00")))
}

func managerAlive() string { return lease("kube-system", "kube-controller-manager", 2*time.Second) }
func managerDead() string  { return lease("kube-system", "kube-controller-manager", time.Hour) }

func owned(owner string, block bool) string {
	return fmt.Sprintf("ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: configmap-%s, blockOwnerDeletion: %t}]", owner, owner, block)
}

func configMap(name, meta string) string { return object("v1", "ConfigMap", "shop", name, meta, "") }

func claim(meta string) string {
	return object("v1", "PersistentVolumeClaim", "shop", "data", meta, "")
}

func crd(ago time.Duration) string {
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", deleted(ago, "customresourcecleanup.apiextensions.k8s.io"),
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, versions: [{name: v0, served: false}, {name: v1, served: true, storage: true}]}")
}

// ephemeralClaim is the claim of volume scratch of pod web.
func ephemeralClaim() string {
	return object("v1", "PersistentVolumeClaim", "shop", "web-scratch",
		deleted(10*time.Second, "kubernetes.io/pvc-protection")+", ownerReferences: [{apiVersion: v1, kind: Pod, name: web, uid: pod-web}]", "")
}

const usesData = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"

func namespace(ago time.Duration, conditions string) string {
	return object("v1", "Namespace", "", "shop", deleted(ago), "spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating, conditions: ["+conditions+"]}")
}

func condition(kind, status, message string) string {
	return fmt.Sprintf("{type: %s, status: %q, reason: Told, message: %q, lastTransitionTime: %q}", kind, status, message, at(time.Minute))
}

type whyCase struct {
	name    string
	objects []string
	target  string // resource/name; in namespace shop unless cluster-scoped
	failed  string // group versions whose discovery fails
	deny    string
	leaves  string                                        // a finalizer that is still there after each dry run
	probe   func() error                                  // what the server answers to dry runs; nil without --probe
	review  func() (allowed bool, said string, err error) // what the server answers to reviews of rights
	damaged map[string]string                             // what reads of RESOURCE or VERSION/RESOURCE fail with
	verdict report.Verdict
	stated  bool              // the cause stands in the target itself, or in the answer to a dry run
	causes  []string          // REASON Kind/path, × count
	says    []string          // in the summary
	remedy  string            // part of a command that must be offered
	sure    finding.Certainty // of the first cause, where it matters
	notes   []string          // text that one of the observations must have, or a command that it offers
	broken  string            // a resource that the server fails to list
	lost    string            // a namespace that doesn't exist although something stands in it
	deep    bool
	// meanwhile changes the cluster before a second look.
	meanwhile func(*clustertest.Memory)
}

func whyCases() []whyCase {
	return slices.Concat(basicCases(), damageCases(), ownerCases(), admissionCases(), refusedCases(), storageCases(), jobCases(), deviceCases(), rangeCases(), balancerCases(),
		pluginCases(), controllerCases(), keptDependentCases(), attributionCases(), pipelineCases(), domainCases(), toldCases(), misleadingCases(), mentionCases(), goingNodeCases(), outageCases(), drainCases(), usageCases(), belowCases(), voiceCases(), leaseCases())
}

func basicCases() []whyCase {
	graceOver := 5 * time.Minute
	contentGone := condition("NamespaceContentRemaining", "False", "All content successfully removed")
	return []whyCase{{
		name: "pod within its grace period on a ready node", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 10*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second)},
		says:    []string{"20s of its 30s grace period"},
	}, {
		name: "pod just over its grace period on a ready node", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 33*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second)},
	}, {
		name: "pod long over its grace period on a ready node", target: "pods/web", verdict: report.Stuck,
		objects: []string{
			pod("web", graceOver, "n1", "") + "status: {phase: Running, containerStatuses: [{name: main, state: {running: {}}}]}\n",
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ContainerNotStopping Pod/shop/web"}, says: []string{"container main"},
	}, {
		name: "pod within its grace period on a dead node", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", 10*time.Second, "n1", ""), node("n1", "Unknown", "")},
		causes:  []string{"NodeNotReady Node/n1"}, remedy: "taint nodes n1 node.kubernetes.io/out-of-service",
	}, {
		name: "pod on a node whose kubelet fell silent before the condition noticed", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", 3*time.Minute)},
		causes:  []string{"NodeNotReady Node/n1"}, says: []string{"not been heard of for 3m"},
	}, {
		name: "pod on a node that never had a kubelet", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), object("v1", "Node", "", "n1", "", "")},
		causes:  []string{"NodeNotReady Node/n1"}, says: []string{"never reported"},
	}, {
		name: "pod on a dead node that is out of service", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", graceOver, "n1", ""), node("n1", "Unknown", "taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]")},
	}, {
		name: "pod on a node that is gone", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 20*time.Second, "n1", "")}, says: []string{"by itself, as a rule within a minute"},
	}, {
		name: "pod on a node that is gone, and the controller manager is dead", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "pod on a node that is gone, and nobody acts", target: "pods/web", verdict: report.Undetermined,
		objects: []string{pod("web", graceOver, "n1", ""), managerAlive()},
	}, {
		name: "pod on a node that is gone, and the controller manager is hidden", target: "pods/web", verdict: report.Undetermined,
		objects: []string{pod("web", graceOver, "n1", "")}, says: []string{"no Lease is visible"},
	}, {
		name: "pod on a dead node with a finalizer besides", target: "pods/web", verdict: report.Stuck,
		objects: []string{
			object("v1", "Pod", "shop", "web", deleted(graceOver, "example.com/hold")+", deletionGracePeriodSeconds: 30", "spec: {nodeName: n1}"), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1", "ControllerUnknown Pod/shop/web"},
	}, {
		name: "claim used by a finished pod", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "migrate", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Failed, containerStatuses: [{state: {terminated: {finishedAt: \""+at(144*time.Hour)+"\"}}}]}"),
			object("v1", "Pod", "shop", "unscheduled", "", "spec: {nodeName: \"\""+usesData+"}"),
			object("v1", "Pod", "shop", "other", "", "spec: {nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: else}}]}"),
		},
		causes: []string{"StillInUse Pod/shop/migrate"}, says: []string{"finished 6d ago"}, remedy: "-n shop delete pods/migrate",
	}, {
		name: "claim used by finished pods, told once", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "a", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "b", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "c", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Failed}"),
		},
		causes: []string{"StillInUse Pod/shop/a × 3"}, says: []string{"3 pods in shop"},
	}, {
		name: "claim used by the running pod of a StatefulSet", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "db-0", "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("apps/v1", "StatefulSet", "shop", "db", "", ""),
		},
		causes: []string{"StillInUse Pod/shop/db-0"}, says: []string{"run by StatefulSet shop/db"}, remedy: "-n shop scale statefulsets.apps/db --replicas=0",
	}, {
		name: "claim used by the running pod of a StatefulSet that takes its claims with it", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "db-0", "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("apps/v1", "StatefulSet", "shop", "db", "", "spec: {persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}}"),
		},
		causes: []string{"StillInUse Pod/shop/db-0"}, remedy: `"whenScaled":"Retain"`,
	}, {
		name: "claim of an ephemeral volume whose pod runs", target: "persistentvolumeclaims/web-scratch", verdict: report.Stuck,
		objects: []string{ephemeralClaim(), object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}\nstatus: {phase: Running}")},
		causes:  []string{"StillInUse Pod/shop/web"},
	}, {
		name: "claim of an ephemeral volume whose pod is shut down", target: "persistentvolumeclaims/web-scratch", verdict: report.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			object("v1", "Pod", "shop", "web", deleted(time.Minute, "example.com/hold")+", deletionGracePeriodSeconds: 0", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"),
		},
	}, {
		name: "claim whose name another pod's ephemeral volume would have", target: "persistentvolumeclaims/web-scratch", verdict: report.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			strings.Replace(object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"), "uid: pod-web", "uid: another", 1),
		},
	}, {
		name: "claim that nobody uses, just released", target: "persistentvolumeclaims/data", verdict: report.Progressing,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerAlive()},
	}, {
		name: "claim that nobody uses, and the controller manager is dead", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "claim that nobody uses, for an hour", target: "persistentvolumeclaims/data", verdict: report.Undetermined,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()}, says: []string{"nothing tells why"},
	}, {
		name: "claim, and pods may not be listed", target: "persistentvolumeclaims/data", verdict: report.Undetermined, deny: "pods",
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerDead()}, says: []string{"reading pods in shop, and you may not"},
	}, {
		name: "volume whose claim is alive", target: "persistentvolumes/disk", verdict: report.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(""),
		},
		causes: []string{"StillInUse PersistentVolumeClaim/shop/data"}, remedy: "-n shop delete persistentvolumeclaims/data",
	}, {
		name: "volume whose claim was replaced by another of the same name", target: "persistentvolumes/disk", verdict: report.Undetermined,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: former}}\nstatus: {phase: Bound}"),
			claim(""), managerAlive(),
		},
	}, {
		name: "volume whose claim waits for a pod on a dead node", target: "persistentvolumes/disk", verdict: report.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), pod("db", time.Hour, "n1", usesData), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "namespace that was deleted a moment ago", target: "namespaces/shop", verdict: report.Progressing,
		objects: []string{namespace(3*time.Second, ""), configMap("left", ""), managerAlive()},
	}, {
		name: "namespace without conditions, and the controller manager is dead", target: "namespaces/shop", verdict: report.Stuck,
		objects: []string{namespace(time.Second, ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "namespace with custom resources that share a finalizer", target: "namespaces/shop", verdict: report.Stuck,
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: databases.shop.example.com has 3 resource instances, configmaps. has 1 resource instances")),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "carts", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "users", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			configMap("held", deleted(time.Hour, "example.com/hold")),
		},
		// What frees most comes first.
		causes: []string{"ControllerMissing Database/shop/carts × 3", "ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "namespace with a pod, while the conditions say that all is well", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{
			namespace(time.Hour, contentGone), object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
			configMap("untouched", "finalizers: [example.com/innocent]"),
		},
		causes: []string{"ControllerUnknown Pod/shop/held"},
	}, {
		name: "namespace whose conditions are fossils", target: "namespaces/shop", verdict: report.Stuck, deep: true,
		objects: []string{
			namespace(time.Hour, contentGone), managerAlive(),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "elsewhere", "other", deleted(time.Hour, "shop.example.com/cleanup"), ""),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "namespace whose pods have just gone", target: "namespaces/shop", verdict: report.Progressing,
		objects: []string{namespace(30*time.Second, contentGone), managerAlive(), configMap("left", "")},
		says:    []string{"go on with it"},
	}, {
		name: "pod with a finalizer within its grace period", target: "pods/web", verdict: report.Undetermined,
		objects: []string{
			strings.Replace(pod("web", 10*time.Second, "n1", ""), "deletionTimestamp", "finalizers: [example.com/hold], deletionTimestamp", 1),
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ControllerUnknown Pod/shop/web"},
	}, {
		name: "pod within its grace period on a node that may not be read", target: "pods/web", verdict: report.Undetermined, deny: "nodes",
		objects: []string{pod("web", 10*time.Second, "n1", "")},
	}, {
		name: "claim used by a job's pod", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "run-x", "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: run, uid: job-run, controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("batch/v1", "Job", "shop", "run", "ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: cron, controller: true}]", ""),
		},
		causes: []string{"StillInUse Pod/shop/run-x"}, says: []string{"run by Job shop/run"}, remedy: "-n shop delete jobs.batch/run",
	}, {
		name: "namespace, and pods may not be listed", target: "namespaces/shop", verdict: report.Undetermined, deny: "pods",
		objects: []string{namespace(time.Hour, contentGone), managerAlive()},
	}, {
		name: "namespace whose discovery fails", target: "namespaces/shop", verdict: report.Undetermined, failed: "metrics.example.com/v1",
		objects: []string{namespace(time.Hour, contentGone+", "+condition("NamespaceDeletionDiscoveryFailure", "True", "Discovery failed for some groups, 1 failing: metrics.example.com/v1")), managerAlive()},
		says:    []string{"can't be discovered"},
	}, {
		name: "namespace in which a deletion is refused", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: configmaps. has 1 resource instances")+", "+
				condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: admission webhook \"w\" denied the request")),
			configMap("guarded", ""), managerAlive(),
		},
		says: []string{"a deletion inside it that fails"},
	}, {
		name: "namespace with a foreign entry in spec.finalizers", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{object("v1", "Namespace", "", "shop", deleted(time.Hour), "spec: {finalizers: [openshift.io/origin]}")},
		causes:  []string{"ControllerUnknown Namespace/shop"}, says: []string{"openshift.io/origin of spec.finalizers"},
	}, {
		name: "owner whose dependents were just found", target: "configmaps/owner", verdict: report.Progressing,
		objects: []string{configMap("owner", deleted(3*time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)), managerAlive()},
	}, {
		name: "owner whose dependent is not deleted", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)), configMap("free", owned("owner", false)), managerAlive()},
		causes:  []string{"DependentNotDeleted ConfigMap/shop/child"}, remedy: "-n shop delete configmap/owner --cascade=background",
	}, {
		name: "owner whose dependent is not deleted, and the controller manager is dead", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "owner whose only blocking dependent is in another namespace", target: "configmaps/owner", verdict: report.Undetermined,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")),
			object("v1", "ConfigMap", "elsewhere", "child", deleted(time.Hour, "example.com/hold")+", "+owned("owner", true), ""),
		},
		causes: []string{"ControllerUnknown ConfigMap/elsewhere/child"},
	}, {
		name: "owner whose dependent has an owner in a version that isn't served", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")), managerAlive(),
			configMap("child", strings.Replace(owned("owner", true), "]", ", {apiVersion: shop.example.com/v0, kind: Database, name: db, uid: former}]", 1)),
		},
		causes: []string{"UnresolvableOwner ConfigMap/shop/child"}, says: []string{"Database in shop.example.com/v0"}, remedy: "-n shop patch configmaps/child",
	}, {
		name: "owner whose dependent has an owner in a group that can't be discovered", target: "configmaps/owner", verdict: report.Stuck, failed: "shop.example.com/v0",
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive(),
			configMap("child", strings.Replace(owned("owner", true), "]", ", {apiVersion: shop.example.com/v0, kind: Database, name: db, uid: former}]", 1)),
		},
		causes: []string{"DependentNotDeleted ConfigMap/shop/child"},
	}, {
		name: "namespaced owner of a cluster-scoped dependent", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{configMap("owner", deleted(time.Second, "foregroundDeletion")), object("v1", "Node", "", "n1", owned("owner", true), ""), managerAlive()},
		causes:  []string{"InvalidOwnerReference Node/n1"}, remedy: "patch nodes/n1",
	}, {
		name: "owner without dependents, as far as can be seen", target: "configmaps/owner", verdict: report.Undetermined, deny: "databases",
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive()}, says: []string{"databases.shop.example.com"},
	}, {
		name: "owner without dependents, and the collector has yet to come", target: "configmaps/owner", verdict: report.Progressing,
		objects: []string{configMap("owner", deleted(2*time.Second, "foregroundDeletion")), managerAlive()},
	}, {
		name: "owner that waits for a namespace and what is in it", target: "nodes/n1", verdict: report.Undetermined,
		objects: []string{
			object("v1", "Node", "", "n1", deleted(time.Hour, "foregroundDeletion"), ""),
			strings.Replace(namespace(time.Hour, contentGone), "finalizers: []", "finalizers: [], ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: node-n1, blockOwnerDeletion: true}]", 1),
			object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
		},
		causes: []string{"ControllerUnknown Pod/shop/held"},
	}, {
		name: "three that own each other", target: "configmaps/a", verdict: report.Stuck,
		objects: []string{
			configMap("a", deleted(time.Hour, "foregroundDeletion")+", "+owned("b", true)),
			configMap("b", deleted(time.Hour, "foregroundDeletion")+", "+owned("c", true)),
			configMap("c", deleted(time.Hour, "foregroundDeletion")+", "+owned("a", true)),
		},
		causes: []string{"OwnershipDeadlock ConfigMap/shop/a"}, remedy: "--cascade=background",
	}, {
		name: "definition whose instances a finalizer holds", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Stuck,
		objects: []string{
			crd(time.Hour),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "elsewhere", "carts", deleted(time.Hour, "shop.example.com/cleanup"), ""),
		},
		causes: []string{"ControllerMissing Database/elsewhere/carts × 2"},
	}, {
		name: "definition whose instances are just being deleted", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Progressing,
		objects: []string{crd(time.Second), object("shop.example.com/v1", "Database", "shop", "orders", "", "")},
	}, {
		name: "definition whose instances nobody deletes", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Undetermined,
		objects: []string{crd(time.Hour), object("shop.example.com/v1", "Database", "shop", "orders", "", "")}, says: []string{"1 databases.shop.example.com"},
	}, {
		name: "definition whose instances can't be listed", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Undetermined, deny: "databases",
		objects: []string{crd(time.Hour)}, says: []string{"databases.shop.example.com in all namespaces"},
	}, {
		name: "nothing holds it any more", target: "configmaps/x", verdict: report.Progressing,
		objects: []string{configMap("x", deleted(time.Second))},
	}, {
		name: "alive", target: "persistentvolumeclaims/data", verdict: report.NotTerminating,
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection, example.com/hold]")},
		says:    []string{"not being deleted", "no pod that was given a node", "example.com/hold"},
	}}
}
