package mechanism

import (
	"strings"
	"testing"
	"time"
)

// rayOperator is KubeRay's, which runs, and may update RayClusters and what else is given: VERB RESOURCE.
func rayOperator(may ...string) string {
	made := strings.NewReplacer("kube-system", "ray-system", "karpenter", "kuberay-operator").Replace(
		karpenter(1) + rights("kube-system", "rayclusters"))
	rules := ""
	for _, one := range may {
		verb, resource, _ := strings.Cut(one, " ")
		rules += ", {apiGroups: ['*'], resources: [" + resource + "], verbs: [" + verb + "]}"
	}
	return strings.Replace(made, "verbs: [get, update, patch]}", "verbs: [get, update, patch]}"+rules, 1)
}

func rayCluster() string {
	return manifest("ray.io/v1", "RayCluster", "lab", "etl",
		deleted(time.Hour, "ray.io/gcs-ft-redis-cleanup-finalizer"), "spec: {}")
}

// ofRay is the metadata of what belongs to a RayCluster.
func ofRay(nodeType string) string {
	return "labels: {ray.io/cluster: etl, ray.io/node-type: " + nodeType + "}"
}

// TestDueActs wants a write that a controller owes by the catalogue, and that can't be made, to be the cause: while it
// is owed, and not before or after.
func TestDueActs(t *testing.T) {
	const pods, jobs = "deletecollection pods", "create jobs"
	head := manifest("v1", "Pod", "lab", "etl-head", ofRay("head"), "spec: {}\nstatus: {phase: Running}")
	done := manifest("batch/v1", "Job", "lab", "etl-redis-cleanup", ofRay("redis-cleanup"),
		"spec: {}\nstatus: {conditions: [{type: Complete, status: 'True'}]}")
	// so that both kinds are served
	others := manifest("v1", "Pod", "lab", "other", "", "spec: {}") +
		manifest("batch/v1", "Job", "lab", "other", "", "spec: {}")
	open := others + manifest("v1", "Namespace", "", "lab", "", "")
	closed := others + manifest("v1", "Namespace", "", "lab", "deletionTimestamp: "+ago(time.Hour), "")
	failing := strings.Replace(rayCluster(), "spec: {}", "spec: {}\nstatus: {conditions: [{type: Ready, status: 'False', "+
		"reason: DeletionFailed, message: failed to reach the store, lastTransitionTime: "+ago(time.Minute)+"}]}", 1)
	unknown := []string{"open KnownFinalizer RayCluster lab/etl key KnownFinalizer," +
		"ray.io/gcs-ft-redis-cleanup-finalizer,kuberay-operator,its head Pod is gone, and the Job that deletes the " +
		"cluster's data in Redis has completed, failed or timed out"}
	denied := func(verb, resource string) []string {
		return []string{"cause ControllerForbidden ControllerDenied RayCluster lab/etl key denied," +
			"system:serviceaccount:ray-system:kuberay-operator," + verb + "," + resource +
			",lab,ray.io/gcs-ft-redis-cleanup-finalizer,RayCluster"}
	}
	owes := []string{"cause ControllerFailing OwesCreationInClosed RayCluster lab/etl key owes in closed," +
		"ray.io/gcs-ft-redis-cleanup-finalizer,rayclusters.ray.io,Deployment ray-system/kuberay-operator,,lab"}
	runCases(t, []mechanismCase{
		{name: "it may do all", objects: rayCluster() + rayOperator(pods, jobs) + head + open, told: unknown},
		{name: "it may not delete a pod", objects: rayCluster() + rayOperator(jobs) + head + open,
			told: denied("deletecollection", "pods")},
		{name: "it may not delete a pod, and reports something", objects: failing + rayOperator(jobs) + head + open,
			told: denied("deletecollection", "pods")},
		{name: "it may do all, and reports something", objects: failing + rayOperator(pods, jobs) + head + open,
			told: []string{"cause ControllerFailing ControllerReports RayCluster lab/etl"}},
		{name: "no pod is left to delete", objects: rayCluster() + rayOperator(jobs) + open, told: unknown},
		{name: "it may not create a Job", objects: rayCluster() + rayOperator(pods) + open,
			told: denied("create", "jobs.batch")},
		{name: "the Job is done", objects: rayCluster() + rayOperator(pods) + done + open, told: unknown},
		{name: "nothing can be created", objects: rayCluster() + rayOperator(pods, jobs) + closed, told: owes},
		{name: "nothing has to be created any more", objects: rayCluster() + rayOperator(pods, jobs) + done + closed,
			told: unknown},
		{name: "whether the Job is there may not be read", deny: "jobs",
			objects: rayCluster() + rayOperator(pods) + closed},
	})
}

// TestDeclaredJob wants a Job that is waited for to hold a deletion up only if it can't do its work, and nothing ends
// it.
func TestDeclaredJob(t *testing.T) {
	job := func(spec, status string) string {
		return rayCluster() + rayOperator("create jobs") + manifest("v1", "Namespace", "", "lab", "", "") +
			manifest("batch/v1", "Job", "lab", "etl-redis-cleanup", ofRay("redis-cleanup"),
				"spec: {"+spec+"}\nstatus: {"+status+"}")
	}
	pod := func(status string) string {
		owner := "{apiVersion: batch/v1, kind: Job, name: etl-redis-cleanup, uid: job-etl-redis-cleanup, controller: true}"
		return manifest("v1", "Pod", "lab", "etl-redis-cleanup-x",
			"labels: {job: x}, ownerReferences: ["+owner+"], creationTimestamp: "+ago(time.Hour),
			"spec: {nodeName: n1}\nstatus: {"+status+"}")
	}
	const waits = "wait Job lab/etl-redis-cleanup"
	const key = " key DeclaredWork,ray.io/gcs-ft-redis-cleanup-finalizer,RayCluster lab/etl,jobs.batch"
	began := func(before time.Duration) string { return "startTime: " + ago(before) }
	runs := pod("phase: Running, conditions: [{type: Ready, status: 'True'}]")
	ends := []string{waits, "  progress WorkEnds Job lab/etl-redis-cleanup key WorkEnds,Job lab/etl-redis-cleanup"}
	cannot := []string{waits, "  cause StillInUse DeclaredWork Job lab/etl-redis-cleanup" + key}
	open := []string{waits, "  open WorkRuns Job lab/etl-redis-cleanup key " +
		"WorkRuns,ray.io/gcs-ft-redis-cleanup-finalizer,Job lab/etl-redis-cleanup"}
	const limit = "activeDeadlineSeconds: 300"
	underManager := []string{waits}
	for _, told := range managerIsDown() {
		underManager = append(underManager, "  "+told)
	}
	runCases(t, []mechanismCase{
		{name: "it has a limit", objects: job(limit, began(time.Minute)), told: ends},
		{
			name:    "it has a limit, and kube-controller-manager, which ends it, is down",
			objects: job(limit, began(time.Minute)) + managerDown(), told: underManager,
		},
		{name: "its limit is over", objects: job(limit, began(time.Hour)), told: cannot},
		{name: "it is suspended", objects: job(limit+", suspend: true", began(time.Minute)), told: cannot},
		{name: "it runs without a limit", told: open,
			objects: job("selector: {matchLabels: {job: x}}", began(time.Hour)) + runs},
		{name: "it has no Pod, and no limit", objects: job("", began(time.Hour)), told: cannot},
		{name: "Jobs may not be read", objects: job(limit, began(time.Minute)), deny: "jobs"},
	})
}
