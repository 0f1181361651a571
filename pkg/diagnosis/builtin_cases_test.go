package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// jobPod is a pod of Job train whose deletion was requested some time ago.
func jobPod(ago time.Duration, grace, owner, rest string) string {
	return object("v1", "Pod", "shop", "train-0", deleted(ago, "batch.kubernetes.io/job-tracking")+", deletionGracePeriodSeconds: "+grace+
		", ownerReferences: ["+owner+"]", rest)
}

const ofTrain = "{apiVersion: batch/v1, kind: Job, name: train, uid: job-train, controller: true}"

func job(meta, rest string) string { return object("batch/v1", "Job", "shop", "train", meta, rest) }

func resourceClaim(ago time.Duration, consumers string) string {
	return object("resource.k8s.io/v1", "ResourceClaim", "shop", "gpu", deleted(ago, "resource.kubernetes.io/delete-protection"), "status: {reservedFor: ["+consumers+"]}")
}

func serviceRange(name, meta string, cidrs ...string) string {
	return object("networking.k8s.io/v1", "ServiceCIDR", "", name, meta, "spec: {cidrs: ['"+strings.Join(cidrs, "', '")+"']}")
}

func rangeDeleted(ago time.Duration) string {
	return serviceRange("extra", deleted(ago, "networking.k8s.io/service-cidr-finalizer"), "10.9.0.0/24", "fd00:9::/120")
}

// address belongs to a Service of shop.
func address(ip, service string, age time.Duration) string {
	quoted := "'" + ip + "'"
	return strings.Replace(object("networking.k8s.io/v1", "IPAddress", "", quoted,
		"labels: {ipaddress.kubernetes.io/managed-by: ipallocator.k8s.io}, creationTimestamp: '"+at(age)+"'",
		"spec: {parentRef: {resource: services, namespace: shop, name: "+service+"}}"), "uid: ipaddress-"+quoted, "uid: 'ipaddress-"+ip+"'", 1)
}

func service(name, meta string) string { return object("v1", "Service", "shop", name, meta, "") }

func balanced(ago time.Duration) string {
	return object("v1", "Service", "shop", "web", deleted(ago, "service.kubernetes.io/load-balancer-cleanup"), "status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}")
}

func cloudManager(renewed time.Duration) string {
	return lease("kube-system", "cloud-controller-manager", renewed)
}

func podGroup(ago time.Duration) string {
	return object("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "gang", deleted(ago, "scheduling.k8s.io/podgroup-protection"), "")
}

func groupPod(name, group, meta, phase string) string {
	return object("v1", "Pod", "shop", name, meta, "spec: {schedulingGroup: {podGroupName: "+group+"}}\nstatus: {phase: "+phase+"}")
}

func builtinCases() []whyCase {
	cases := append(jobCases(), deviceCases()...)
	return append(append(cases, rangeCases()...), balancerCases()...)
}

func jobCases() []whyCase {
	return []whyCase{{
		name: "pod of a job that somebody else runs", target: "pods/train-0", verdict: report.Stuck,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: queue.example.com/remote}")},
		causes:  []string{"ControllerMissing Pod/shop/train-0"}, says: []string{"queue.example.com/remote"}, remedy: "-n shop delete jobs.batch/train",
	}, {
		name: "pod of a job that somebody else runs who is here", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: shop.example.com/remote}")}, says: []string{"shop.example.com/remote, which runs Job shop/train"},
	}, {
		name: "pod of a job that somebody else runs who is named by a workload", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: disk.csi.example.com}"), workload(0, 1, 1, "")},
	}, {
		name: "pod of a job that somebody else runs, and workloads may not be listed", target: "pods/train-0", verdict: report.Undetermined, deny: "deployments",
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job("", "spec: {managedBy: queue.example.com/remote}")}, says: []string{"Deployments in all namespaces"},
	}, {
		name: "pod of a job that may not be read", target: "pods/train-0", verdict: report.Undetermined, deny: "jobs",
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), managerDead()}, says: []string{"reading Job shop/train"},
	}, {
		name: "pod of a job that is gone", target: "pods/train-0", verdict: report.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, ""), managerAlive()}, says: []string{"is gone"},
	}, {
		name: "pod of a job that was replaced by another of the same name", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", strings.Replace(ofTrain, "job-train", "former", 1), ""), managerAlive(),
			job("", "spec: {managedBy: queue.example.com/remote}"),
		},
		says: []string{"is gone"},
	}, {
		name: "pod of no job", target: "pods/train-0", verdict: report.Progressing,
		objects: []string{jobPod(time.Second, "0", "", ""), managerAlive()}, says: []string{"no Job"},
	}, {
		name: "pod with a job's finalizer and another controller", target: "pods/train-0", verdict: report.Stuck,
		objects: []string{
			jobPod(time.Hour, "0", "{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, controller: true}", ""),
			object("apps/v1", "StatefulSet", "shop", "db", "", ""),
		},
		causes: []string{"ControllerMissing Pod/shop/train-0"}, says: []string{"StatefulSet db"},
	}, {
		name: "pod with a job's finalizer and a custom controller", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", "{apiVersion: shop.example.com/v1, kind: Database, name: orders, uid: database-orders, controller: true}", ""),
			object("shop.example.com/v1", "Database", "shop", "orders", "", ""),
		},
		says: []string{"controller of Database orders"},
	}, {
		name: "pod of a job that only has to count it, and the controller manager is dead", target: "pods/train-0", verdict: report.Stuck,
		objects: []string{jobPod(time.Hour, "0", ofTrain, "status: {phase: Running}"), job("", ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "pod of a job that is being deleted", target: "pods/train-0", verdict: report.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, ""), job(deleted(time.Second, "foregroundDeletion"), ""), managerAlive()}, says: []string{"is being deleted"},
	}, {
		name: "pod of a job that has finished", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{
			jobPod(time.Hour, "0", ofTrain, ""), managerAlive(),
			job("", "spec: {podReplacementPolicy: Failed}\nstatus: {conditions: [{type: Complete, status: \"True\"}]}"),
		},
		says: []string{"has finished"},
	}, {
		name: "pod of a job that replaces failed pods only, on a dead node", target: "pods/train-0", verdict: report.Stuck,
		objects: []string{
			jobPod(time.Hour, "30", ofTrain, "spec: {nodeName: n1}\nstatus: {phase: Running}"), node("n1", "Unknown", ""), job("", "spec: {podReplacementPolicy: Failed}"),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "pod of a job that replaces failed pods only, forgotten by force on a dead node", target: "pods/train-0", verdict: report.Stuck,
		objects: []string{
			jobPod(time.Hour, "0", ofTrain, "spec: {nodeName: n1}\nstatus: {phase: Running}"), node("n1", "Unknown", ""), job("", "spec: {podReplacementPolicy: Failed}"),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "pod of a job that replaces failed pods only, which no node runs", target: "pods/train-0", verdict: report.Progressing,
		objects: []string{jobPod(time.Second, "0", ofTrain, "status: {phase: Pending}"), managerAlive(), job("", "spec: {podReplacementPolicy: Failed}")},
	}, {
		name: "pod of a job that counts per index", target: "pods/train-0", verdict: report.Undetermined,
		objects: []string{jobPod(time.Hour, "0", ofTrain, "status: {phase: Failed}"), managerAlive(), job("", "spec: {podReplacementPolicy: Failed, backoffLimitPerIndex: 1}")},
		says:    []string{"another pod in its place"},
	}}
}

func deviceCases() []whyCase {
	web := "{resource: pods, name: web, uid: pod-web}"
	return []whyCase{{
		name: "claim to devices of something that isn't served", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck, stated: true,
		objects: []string{resourceClaim(time.Hour, "{apiGroup: example.com, resource: foos, name: trainer, uid: u1}")},
		causes:  []string{"StillInUse foos/shop/trainer"}, says: []string{"foos.example.com"}, remedy: "--subresource status",
	}, {
		name: "claim to devices of something that is served and gone", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck,
		objects: []string{resourceClaim(time.Hour, "{apiGroup: shop.example.com, resource: databases, name: orders, uid: u1}")},
		causes:  []string{"StillInUse Database/shop/orders"}, says: []string{"is gone"},
	}, {
		name: "claim to devices of something that may not be read", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Undetermined, deny: "databases",
		objects: []string{resourceClaim(time.Hour, "{apiGroup: shop.example.com, resource: databases, name: orders, uid: u1}")},
	}, {
		name: "claim to devices of pods, running, finished, gone, replaced and on a dead node", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck,
		objects: []string{
			resourceClaim(time.Hour, strings.Join([]string{
				web, "{resource: pods, name: done, uid: pod-done}", "{resource: pods, name: gone, uid: pod-gone}",
				"{resource: pods, name: replaced, uid: former}", "{resource: pods, name: dying, uid: pod-dying}", "{resource: pods, name: unplaced, uid: pod-unplaced}",
			}, ", ")),
			object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1}\nstatus: {phase: Running}"),
			object("v1", "Pod", "shop", "done", "", "spec: {nodeName: n1}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "replaced", "", "spec: {nodeName: n1}\nstatus: {phase: Running}"),
			object("v1", "Pod", "shop", "unplaced", deleted(time.Hour, "example.com/hold"), "status: {phase: Pending}"),
			pod("dying", time.Hour, "n1", ""), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1", "StillInUse Pod/shop/web"},
	}, {
		name: "claim to devices of a pod that may not be read", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Undetermined, deny: "pods",
		objects: []string{resourceClaim(time.Hour, web), managerDead()}, says: []string{"reading Pod shop/web"},
	}, {
		name: "claim to devices of a group of pods that nobody deletes", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck,
		objects: []string{
			resourceClaim(time.Hour, "{apiGroup: scheduling.k8s.io, resource: podgroups, name: gang, uid: podgroup-gang}"),
			object("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "gang", "", ""),
		},
		causes: []string{"StillInUse PodGroup/shop/gang"},
	}, {
		name: "claim to devices of a group of pods that waits for its own", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck,
		objects: []string{
			resourceClaim(time.Hour, "{apiGroup: scheduling.k8s.io, resource: podgroups, name: gang, uid: podgroup-gang}"),
			podGroup(time.Hour), groupPod("waits", "gang", "", "Pending"),
		},
		causes: []string{"StillInUse Pod/shop/waits"},
	}, {
		name: "claim to devices of nobody", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Progressing,
		objects: []string{resourceClaim(time.Second, ""), managerAlive()},
	}, {
		name: "claim to devices of a pod that is gone, and the controller manager is dead", target: "resourceclaims.resource.k8s.io/gpu", verdict: report.Stuck,
		objects: []string{resourceClaim(time.Hour, web), managerDead()}, causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "group of pods with unfinished ones", target: "podgroups.scheduling.k8s.io/gang", verdict: report.Stuck,
		objects: []string{
			podGroup(time.Hour), groupPod("a", "gang", "", "Pending"), groupPod("b", "gang", "", "Pending"),
			groupPod("done", "gang", "", "Succeeded"), groupPod("other", "else", "", "Running"), object("v1", "Pod", "shop", "alone", "", "status: {phase: Running}"),
		},
		causes: []string{"StillInUse Pod/shop/a × 2"}, says: []string{"2 pods in shop"},
	}, {
		name: "group of pods that have finished", target: "podgroups.scheduling.k8s.io/gang", verdict: report.Progressing,
		objects: []string{podGroup(time.Second), groupPod("done", "gang", "", "Failed"), managerAlive()},
	}, {
		name: "group of pods, and pods may not be listed", target: "podgroups.scheduling.k8s.io/gang", verdict: report.Undetermined, deny: "pods",
		objects: []string{podGroup(time.Hour), managerDead()}, says: []string{"reading pods in shop"},
	}}
}

func rangeCases() []whyCase {
	const target = "servicecidrs.networking.k8s.io/extra"
	return []whyCase{{
		name: "range of addresses that Services have", target: target, verdict: report.Stuck,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("kubernetes", "", "10.0.0.0/16"),
			address("10.9.0.7", "web", time.Hour), address("10.9.0.8", "db", time.Hour), address("10.0.0.1", "else", time.Hour),
			address("10.9.0.0", "first", time.Hour), address("10.9.0.255", "last", time.Hour),
			service("web", ""), service("db", ""), service("else", ""), service("first", ""), service("last", ""),
		},
		causes: []string{"StillInUse Service/shop/db × 2"}, remedy: "-n shop delete services/db",
	}, {
		name: "range of addresses of the newer family", target: target, verdict: report.Stuck,
		objects: []string{rangeDeleted(time.Hour), address("fd00:9::ff", "web", time.Hour), service("web", "")},
		causes:  []string{"StillInUse Service/shop/web"}, says: []string{"fd00:9::ff"},
	}, {
		name: "range of an address whose Service waits for a cloud", target: target, verdict: report.Stuck,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "web", time.Hour), balanced(time.Hour)},
		causes:  []string{"ControllerMissing Service/shop/web"},
	}, {
		name: "range that lies in another", target: target, verdict: report.Undetermined,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("all", "", "10.0.0.0/8", "fd00::/16"), address("10.9.0.7", "web", time.Hour), service("web", ""), managerAlive(),
		},
		says: []string{"in which alone no address lies"},
	}, {
		name: "range of which a half lies in another", target: target, verdict: report.Stuck,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("half", "", "10.9.0.0/25"), address("10.9.0.7", "inside", time.Hour), address("10.9.0.200", "web", time.Hour),
			service("inside", ""), service("web", ""),
		},
		causes: []string{"StillInUse Service/shop/web"},
	}, {
		name: "range without addresses, just deleted", target: target, verdict: report.Progressing,
		objects: []string{rangeDeleted(4 * time.Second), managerAlive()}, says: []string{"10s"},
	}, {
		name: "range without addresses, and the controller manager is dead", target: target, verdict: report.Stuck,
		objects: []string{rangeDeleted(time.Hour), managerDead()}, causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "range of an address whose Service has just gone", target: target, verdict: report.Progressing,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "gone", 30*time.Second)}, says: []string{"which is gone"},
	}, {
		name: "range of an address whose Service is long gone", target: target, verdict: report.Undetermined,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "gone", time.Hour)},
	}, {
		name: "range, and addresses may not be listed", target: target, verdict: report.Undetermined, deny: "ipaddresses",
		objects: []string{rangeDeleted(time.Hour), managerDead()}, says: []string{"reading IPAddresses"},
	}, {
		name: "range, and Services may not be read", target: target, verdict: report.Undetermined, deny: "services",
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "web", time.Hour)}, says: []string{"reading services shop/web"},
	}}
}

func balancerCases() []whyCase {
	return []whyCase{{
		name: "service whose cloud has no controller", target: "services/web", verdict: report.Stuck,
		objects: []string{balanced(time.Hour)},
		causes:  []string{"ControllerMissing Service/shop/web"}, says: []string{"cloud-controller-manager"}, remedy: "-n shop patch services/web",
	}, {
		name: "service whose cloud's controller is down", target: "services/web", verdict: report.Stuck,
		objects: []string{balanced(time.Hour), cloudManager(2 * time.Hour)}, causes: []string{"ControlPlaneDown Lease/kube-system/cloud-controller-manager"},
	}, {
		name: "service whose cloud's controller has no pods", target: "services/web", verdict: report.Stuck,
		objects: []string{balanced(time.Hour), object("apps/v1", "DaemonSet", "kube-system", "aws-cloud-controller-manager", "", "")},
		causes:  []string{"ControllerDown DaemonSet/kube-system/aws-cloud-controller-manager"},
	}, {
		name: "service whose cloud's controller has no Lease and says nothing", target: "services/web", verdict: report.Undetermined,
		objects: []string{balanced(time.Hour), object("v1", "Pod", "kube-system", "metal-ccm-x", "", "")},
	}, {
		name: "service whose cloud refuses", target: "services/web", verdict: report.Stuck,
		objects: []string{
			balanced(time.Hour), cloudManager(time.Second),
			warned("shop", "service-web", "SyncLoadBalancerFailed", "service-controller", "Error syncing load balancer: failed to delete load balancer: it is in use", time.Minute),
		},
		causes: []string{"ControllerFailing Service/shop/web"}, says: []string{"it is in use"},
	}, {
		name: "service whose cloud is at it", target: "services/web", verdict: report.Progressing,
		objects: []string{balanced(time.Minute), cloudManager(time.Second)},
	}, {
		name: "service whose cloud says nothing", target: "services/web", verdict: report.Undetermined,
		objects: []string{balanced(time.Hour), cloudManager(time.Second)}, says: []string{"nothing tells why"},
	}, {
		name: "service whose cloud's words may not be read", target: "services/web", verdict: report.Undetermined, deny: "events",
		objects: []string{balanced(time.Hour), cloudManager(time.Second)}, says: []string{"reading events in shop"},
	}, {
		name: "service, and Leases may not be read", target: "services/web", verdict: report.Undetermined, deny: "leases",
		objects: []string{balanced(time.Hour)}, says: []string{"Lease kube-system/cloud-controller-manager"},
	}, {
		name: "service, and pods may not be listed", target: "services/web", verdict: report.Undetermined, deny: "pods",
		objects: []string{balanced(time.Hour)}, says: []string{"reading pods in kube-system"},
	}}
}
