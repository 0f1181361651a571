package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

func basicCases() []whyCase {
	graceOver := 5 * time.Minute
	return []whyCase{{
		name: "pod within its grace period on a ready node", target: "pods/web", verdict: result.Progressing,
		objects: []string{
			pod("web", 10*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		says: []string{"20s of its 30s grace period"},
	}, {
		name: "pod just over its grace period on a ready node", target: "pods/web", verdict: result.Progressing,
		objects: []string{
			pod("web", 33*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
	}, {
		name: "pod long over its grace period on a ready node", target: "pods/web", verdict: result.Stuck,
		objects: []string{
			pod("web", graceOver, "n1", "") +
				"status: {phase: Running, containerStatuses: [{name: main, state: {running: {}}}]}\n",
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ContainerNotStopping Pod/shop/web"}, says: []string{"container main"},
	}, {
		name: "claim that pods use whose one kubelet does not stop them", target: "persistentvolumeclaims/data",
		verdict: result.Stuck,
		objects: []string{
			object("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "kubernetes.io/pvc-protection"), ""),
			usesClaim("web-1", "main"), usesClaim("web-2", "main"), usesClaim("web-3", "side"),
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ContainerNotStopping Pod/shop/web-1 × 2", "ContainerNotStopping Pod/shop/web-3"},
		says:   []string{"the kubelet of Node n1, which has not stopped 2 pods in time", "web-3"},
	}, {
		name: "pod within its grace period on a dead node", target: "pods/web", verdict: result.Stuck,
		objects: []string{pod("web", 10*time.Second, "n1", ""), node("n1", "Unknown", "")},
		causes:  []string{"NodeNotReady Node/n1"}, remedy: "taint nodes n1 node.kubernetes.io/out-of-service",
	}, {
		name: "pod on a node whose kubelet fell silent before the condition noticed", target: "pods/web",
		verdict: result.Stuck,
		objects: []string{
			pod("web", graceOver, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", 3*time.Minute),
		},
		causes: []string{"NodeNotReady Node/n1"}, says: []string{"silent for 3m"},
	}, {
		name: "pod on a node whose kubelet was last heard of a moment ago", target: "pods/web",
		verdict: result.Undetermined,
		objects: []string{
			pod("web", graceOver, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", 45*time.Second),
		},
		says:  []string{"the kubelet of Node n1, which last reported 45s ago and may only be late"},
		notes: []string{"Ask again in a minute, or follow it with --watch."},
	}, {
		name: "pod on a node that was created a moment ago", target: "pods/web", verdict: result.Undetermined,
		objects: []string{
			pod("web", 10*time.Second, "n1", ""),
			object("v1", "Node", "", "n1", fmt.Sprintf("creationTimestamp: %q", at(12*time.Second)), ""),
		},
		says: []string{"was created 12s ago, has not reported yet and may still be starting"},
	}, {
		name: "pod on a node that never had a kubelet", target: "pods/web", verdict: result.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), object("v1", "Node", "", "n1", "", "")},
		causes:  []string{"NodeNotReady Node/n1"}, says: []string{"has never been ready"},
	}, {
		name: "pod on a dead node that is out of service", target: "pods/web", verdict: result.Progressing,
		objects: []string{
			pod("web", graceOver, "n1", ""),
			node("n1", "Unknown", "taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]"),
		},
	}, {
		name: "pod on a node that is gone", target: "pods/web", verdict: result.Progressing,
		objects: []string{pod("web", 20*time.Second, "n1", "")}, says: []string{"by itself, usually within a minute"},
	}, {
		name: "pod on a node that is gone, and the controller manager is dead", target: "pods/web", verdict: result.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "pod on a node that is gone, and nobody acts", target: "pods/web", verdict: result.Undetermined,
		objects: []string{pod("web", graceOver, "n1", ""), managerAlive()},
	}, {
		name: "pod on a node that is gone, and the controller manager is hidden", target: "pods/web",
		verdict: result.Undetermined,
		objects: []string{pod("web", graceOver, "n1", "")}, says: []string{"kube-controller-manager is not visible"},
	}, {
		name: "pod on a dead node with a finalizer besides", target: "pods/web", verdict: result.Stuck,
		objects: []string{
			object("v1", "Pod", "shop", "web",
				deleted(graceOver, "example.com/hold")+", deletionGracePeriodSeconds: 30", "spec: {nodeName: n1}"),
			node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1", "ControllerUnknown Pod/shop/web"},
	}, {
		name: "claim used by a finished pod", target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "migrate", "",
				"spec: {nodeName: n1"+usesData+
					"}\nstatus: {phase: Failed, containerStatuses: [{state: {terminated: {finishedAt: \""+at(144*time.Hour)+"\"}}}]}"),
			object("v1", "Pod", "shop", "unscheduled", "", "spec: {nodeName: \"\""+usesData+"}"),
			object("v1", "Pod", "shop", "other", "",
				"spec: {nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: else}}]}"),
		},
		causes: []string{"StillInUse Pod/shop/migrate"}, says: []string{"finished 6d ago"},
		remedy: "-n shop delete pods/migrate",
	}, {
		name: "claim used by finished pods, told once", target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "a", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "b", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "c", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Failed}"),
		},
		causes: []string{"StillInUse Pod/shop/a × 3"}, says: []string{"3 pods in Namespace shop"},
	}, {
		name: "claim used by the running pod of a StatefulSet", target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "db-0",
				"ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, "+
					"controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("apps/v1", "StatefulSet", "shop", "db", "", ""),
		},
		causes: []string{"StillInUse Pod/shop/db-0"}, says: []string{"run by StatefulSet shop/db"},
		remedy: "-n shop scale statefulsets.apps/db --replicas=0",
	}, {
		name:   "claim used by the running pod of a StatefulSet that takes its claims with it",
		target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "db-0",
				"ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, "+
					"controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("apps/v1", "StatefulSet", "shop", "db", "",
				"spec: {persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}}"),
		},
		causes: []string{"StillInUse Pod/shop/db-0"}, remedy: `"whenScaled":"Retain"`,
	}, {
		name: "claim of an ephemeral volume whose pod runs", target: "persistentvolumeclaims/web-scratch",
		verdict: result.Stuck,
		objects: []string{
			ephemeralClaim(),
			object("v1", "Pod", "shop", "web", "",
				"spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}\nstatus: {phase: Running}"),
		},
		causes: []string{"StillInUse Pod/shop/web"},
	}, {
		name: "claim of an ephemeral volume whose pod is shut down", target: "persistentvolumeclaims/web-scratch",
		verdict: result.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			object("v1", "Pod", "shop", "web",
				deleted(time.Minute, "example.com/hold")+", deletionGracePeriodSeconds: 0",
				"spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"),
		},
	}, {
		name:   "claim whose name another pod's ephemeral volume would have",
		target: "persistentvolumeclaims/web-scratch", verdict: result.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			strings.Replace(object("v1", "Pod", "shop", "web", "",
				"spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"), "uid: pod-web", "uid: another", 1),
		},
	}, {
		name: "claim that nobody uses, just released", target: "persistentvolumeclaims/data", verdict: result.Progressing,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerAlive()},
	}, {
		name: "claim that nobody uses, and the controller manager is dead", target: "persistentvolumeclaims/data",
		verdict: result.Stuck,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "claim that nobody uses, for an hour", target: "persistentvolumeclaims/data", verdict: result.Undetermined,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()},
		says:    []string{"nothing in this cluster shows what delays that"},
	}, {
		name: "claim, and pods may not be listed", target: "persistentvolumeclaims/data", verdict: result.Undetermined,
		deny:    "pods",
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerDead()},
		says:    []string{"pods in Namespace shop could not be read (forbidden)"},
	}, {
		name: "volume whose claim is alive", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {namespace: shop, name: data, "+
					"uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(""),
		},
		causes: []string{"StillInUse PersistentVolumeClaim/shop/data"}, remedy: "-n shop delete persistentvolumeclaims/data",
	}, {
		name: "volume whose claim was replaced by another of the same name", target: "persistentvolumes/disk",
		verdict: result.Undetermined,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: former}}\nstatus: {phase: Bound}"),
			claim(""), managerAlive(),
		},
	}, {
		name: "volume whose claim waits for a pod on a dead node", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), pod("db", time.Hour, "n1", usesData),
			node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}}
}

// usesClaim is a pod that uses a claim and should have stopped long ago, with a container that runs.
func usesClaim(name, running string) string {
	const claim = ", volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"
	return pod(name, 5*time.Minute, "n1", claim) +
		"status: {phase: Running, containerStatuses: [{name: " + running + ", state: {running: {}}}]}\n"
}
