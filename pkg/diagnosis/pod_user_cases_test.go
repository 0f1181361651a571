package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// jobPod is a pod of Job train whose deletion was requested some time ago.
func jobPod(ago time.Duration, grace, owner, rest string) string {
	return object("v1", "Pod", "shop", "train-0",
		deleted(ago, "batch.kubernetes.io/job-tracking")+", deletionGracePeriodSeconds: "+grace+
			", ownerReferences: ["+owner+"]", rest)
}

const ofTrain = "{apiVersion: batch/v1, kind: Job, name: train, uid: job-train, controller: true}"

func job(meta, rest string) string { return object("batch/v1", "Job", "shop", "train", meta, rest) }

func resourceClaim(ago time.Duration, consumers string) string {
	return object("resource.k8s.io/v1", "ResourceClaim", "shop", "gpu",
		deleted(ago, "resource.kubernetes.io/delete-protection"), "status: {reservedFor: ["+consumers+"]}")
}

func podGroup(ago time.Duration) string {
	return object("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "gang",
		deleted(ago, "scheduling.k8s.io/podgroup-protection"), "")
}

func groupPod(name, group, meta, phase string) string {
	return object("v1", "Pod", "shop", name, meta,
		"spec: {schedulingGroup: {podGroupName: "+group+"}}\nstatus: {phase: "+phase+"}")
}

func jobCases() []whyCase {
	return []whyCase{{
		name: "pod of a job that somebody else runs", target: "pods/train-0", verdict: result.Stuck,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: queue.example.com/remote}")},
		causes:  []string{"ControllerMissing Pod/shop/train-0"}, says: []string{"queue.example.com/remote"},
		remedy: "-n shop delete jobs.batch/train",
	}, {
		name: "pod of a job that somebody else runs who is here", target: "pods/train-0", verdict: result.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: shop.example.com/remote}")},
		says:    []string{"the Job controller shop.example.com/remote, which manages Job shop/train"},
	}, {
		name: "pod of a job that somebody else runs who is named by a workload", target: "pods/train-0",
		verdict: result.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: disk.csi.example.com}"),
			workload(0, 1, 1, "")},
	}, {
		name: "pod of a job that somebody else runs, and workloads may not be listed", target: "pods/train-0",
		verdict: result.Undetermined, deny: "deployments",
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: queue.example.com/remote}")},
		says:    []string{"Deployments in all namespaces"},
	}, {
		name: "pod of a job that may not be read", target: "pods/train-0", verdict: result.Undetermined, deny: "jobs",
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), managerDead()},
		says:    []string{"Job shop/train could not be read"},
	}, {
		name: "pod of a job that is gone", target: "pods/train-0", verdict: result.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, ""), managerAlive()}, says: []string{"is gone"},
	}, {
		name: "pod of a job that was replaced by another of the same name", target: "pods/train-0",
		verdict: result.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", strings.Replace(ofTrain, "job-train", "former", 1), ""), managerAlive(),
			job("", "spec: {managedBy: queue.example.com/remote}"),
		},
		says: []string{"is gone"}, notes: []string{"-n shop annotate pods/train-0", "can-i patch pods/train-0"},
	}, {
		name: "pod of no job", target: "pods/train-0", verdict: result.Progressing,
		objects: []string{jobPod(time.Second, "0", "", ""), managerAlive()}, says: []string{"no Job"},
	}, {
		name: "pod with a job's finalizer and another controller", target: "pods/train-0", verdict: result.Stuck,
		objects: []string{
			jobPod(time.Hour, "0", "{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, controller: true}",
				""),
			object("apps/v1", "StatefulSet", "shop", "db", "", ""),
		},
		causes: []string{"ControllerMissing Pod/shop/train-0"}, says: []string{"StatefulSet db"},
	}, {
		name: "pod with a job's finalizer and a custom controller", target: "pods/train-0", verdict: result.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", "{apiVersion: shop.example.com/v1, kind: Database, name: orders, uid: database-orders, "+
				"controller: true}", ""),
			object("shop.example.com/v1", "Database", "shop", "orders", "", ""),
		},
		says: []string{"controller of Database orders"},
	}, {
		name: "pod of a job that only has to count it, and the controller manager is dead", target: "pods/train-0",
		verdict: result.Stuck,
		objects: []string{jobPod(time.Hour, "0", ofTrain, "status: {phase: Running}"), job("", ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "pod of a job that is being deleted", target: "pods/train-0", verdict: result.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, ""), job(deleted(time.Second, "foregroundDeletion"), ""),
			managerAlive()}, says: []string{"is being deleted"},
	}, {
		name: "pod of a job that has finished", target: "pods/train-0", verdict: result.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", ofTrain, ""), managerAlive(),
			job("", "spec: {podReplacementPolicy: Failed}\nstatus: {conditions: [{type: Complete, status: \"True\"}]}"),
		},
		says: []string{"has finished"},
	}, {
		name: "pod of a job that replaces failed pods only, on a dead node", target: "pods/train-0", verdict: result.Stuck,
		objects: []string{
			jobPod(time.Hour, "30", ofTrain, "spec: {nodeName: n1}\nstatus: {phase: Running}"), node("n1", "Unknown", ""),
			job("", "spec: {podReplacementPolicy: Failed}"),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "pod of a job that replaces failed pods only, forgotten by force on a dead node", target: "pods/train-0",
		verdict: result.Stuck,
		objects: []string{
			jobPod(time.Hour, "0", ofTrain, "spec: {nodeName: n1}\nstatus: {phase: Running}"), node("n1", "Unknown", ""),
			job("", "spec: {podReplacementPolicy: Failed}"),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "pod of a job that replaces failed pods only, which no node runs", target: "pods/train-0",
		verdict: result.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, "status: {phase: Pending}"), managerAlive(),
			job("", "spec: {podReplacementPolicy: Failed}")},
	}, {
		name: "pod of a job that counts per index", target: "pods/train-0", verdict: result.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, "status: {phase: Failed}"), managerAlive(),
			job("", "spec: {podReplacementPolicy: Failed, backoffLimitPerIndex: 1}")},
		says: []string{"a replacement pod"},
	}}
}

func deviceCases() []whyCase {
	web := "{resource: pods, name: web, uid: pod-web}"
	return []whyCase{{
		name: "claim to devices of something that isn't served", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Stuck, stated: true,
		objects: []string{resourceClaim(time.Hour, "{apiGroup: example.com, resource: foos, name: trainer, uid: u1}")},
		causes:  []string{"StillInUse foos/shop/trainer"}, says: []string{"foos.example.com"}, remedy: "--subresource status",
	}, {
		name: "claim to devices of something that is served and gone", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Stuck,
		objects: []string{resourceClaim(time.Hour,
			"{apiGroup: shop.example.com, resource: databases, name: orders, uid: u1}")},
		causes: []string{"StillInUse Database/shop/orders"}, says: []string{"which no longer exists"},
	}, {
		name: "claim to devices of something that may not be read", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{resourceClaim(time.Hour,
			"{apiGroup: shop.example.com, resource: databases, name: orders, uid: u1}")},
	}, {
		name:   "claim to devices of pods, running, finished, gone, replaced and on a dead node",
		target: "resourceclaims.resource.k8s.io/gpu", verdict: result.Stuck,
		objects: []string{
			resourceClaim(time.Hour, strings.Join([]string{
				web, "{resource: pods, name: done, uid: pod-done}", "{resource: pods, name: gone, uid: pod-gone}",
				"{resource: pods, name: replaced, uid: former}", "{resource: pods, name: dying, uid: pod-dying}",
				"{resource: pods, name: unplaced, uid: pod-unplaced}",
			}, ", ")),
			object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1}\nstatus: {phase: Running}"),
			object("v1", "Pod", "shop", "done", "", "spec: {nodeName: n1}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "replaced", "", "spec: {nodeName: n1}\nstatus: {phase: Running}"),
			object("v1", "Pod", "shop", "unplaced", deleted(time.Hour, "example.com/hold"), "status: {phase: Pending}"),
			pod("dying", time.Hour, "n1", ""), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1", "StillInUse Pod/shop/web"},
	}, {
		name: "claim to devices of a pod that may not be read", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Undetermined, deny: "pods",
		objects: []string{resourceClaim(time.Hour, web), managerDead()}, says: []string{"Pod shop/web could not be read"},
	}, {
		name: "claim to devices of a group of pods that nobody deletes", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Stuck,
		objects: []string{
			resourceClaim(time.Hour, "{apiGroup: scheduling.k8s.io, resource: podgroups, name: gang, uid: podgroup-gang}"),
			object("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "gang", "", ""),
		},
		causes: []string{"StillInUse PodGroup/shop/gang"},
	}, {
		name: "claim to devices of a group of pods that waits for its own", target: "resourceclaims.resource.k8s.io/gpu",
		verdict: result.Stuck,
		objects: []string{
			resourceClaim(time.Hour, "{apiGroup: scheduling.k8s.io, resource: podgroups, name: gang, uid: podgroup-gang}"),
			podGroup(time.Hour), groupPod("waits", "gang", "", "Pending"),
		},
		causes: []string{"StillInUse Pod/shop/waits"},
	}, {
		name: "claim to devices of nobody", target: "resourceclaims.resource.k8s.io/gpu", verdict: result.Progressing,
		objects: []string{resourceClaim(time.Second, ""), managerAlive()},
	}, {
		name:   "claim to devices of a pod that is gone, and the controller manager is dead",
		target: "resourceclaims.resource.k8s.io/gpu", verdict: result.Stuck,
		objects: []string{resourceClaim(time.Hour, web), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "group of pods with unfinished ones", target: "podgroups.scheduling.k8s.io/gang", verdict: result.Stuck,
		objects: []string{
			podGroup(time.Hour), groupPod("a", "gang", "", "Pending"), groupPod("b", "gang", "", "Pending"),
			groupPod("done", "gang", "", "Succeeded"), groupPod("other", "else", "", "Running"),
			object("v1", "Pod", "shop", "alone", "", "status: {phase: Running}"),
		},
		causes: []string{"StillInUse Pod/shop/a × 2"}, says: []string{"2 pods in Namespace shop"},
	}, {
		name: "group of pods that have finished", target: "podgroups.scheduling.k8s.io/gang", verdict: result.Progressing,
		objects: []string{podGroup(time.Second), groupPod("done", "gang", "", "Failed"), managerAlive()},
	}, {
		name: "group of pods, and pods may not be listed", target: "podgroups.scheduling.k8s.io/gang",
		verdict: result.Undetermined, deny: "pods",
		objects: []string{podGroup(time.Hour), managerDead()}, says: []string{"pods in Namespace shop could not be read"},
	}}
}
