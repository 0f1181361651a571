package health

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// manifestOf is an object named op in namespace shop, whose uid is its kind.
func manifestOf(api, kind, meta, rest string) string {
	return fmt.Sprintf("\napiVersion: %s\nkind: %s\nmetadata: {namespace: shop, name: op, uid: %s%s}\n%s\n---", api, kind, kind, meta, rest)
}

func apps(kind, spec, status string) string {
	return manifestOf("apps/v1", kind, ", generation: 1", "spec: {selector: {matchLabels: {app: op}}, "+spec+"}\nstatus: {observedGeneration: 1, "+status+"}")
}

func job(spec, status string) string {
	return manifestOf("batch/v1", "Job", "", "spec: {selector: {matchLabels: {app: op}}, "+spec+"}\nstatus: {"+status+"}")
}

func cronJob(spec string) string {
	return manifestOf("batch/v1", "CronJob", "", "spec: {schedule: '*/5 * * * *', "+spec+"}")
}

func byOwner(kind, api string) string {
	return ", ownerReferences: [{apiVersion: " + api + ", kind: " + kind + ", name: op, uid: " + kind + ", controller: true}]"
}

func pod(meta, spec, status string) string {
	return manifestOf("v1", "Pod", ", labels: {app: op}"+meta, "spec: {"+spec+"}\nstatus: {"+status+"}")
}

func runs(status string) string {
	return pod("", "nodeName: n1, containers: [{name: main, image: 'example.com/op:1'}]", status)
}

func event(kind, reason, message string) string {
	return fmt.Sprintf("\napiVersion: v1\nkind: Event\nmetadata: {namespace: shop, name: %s.1}\ninvolvedObject: {uid: %s}\ntype: Warning\nreason: %s\nmessage: %q\nlastTimestamp: \"2026-01-02T11:59:00Z\"\n---", strings.ToLower(reason), kind, reason, message)
}

func waiting(reason, message, more string) string {
	return fmt.Sprintf("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: %s, message: %q}}%s}]", reason, message, more)
}

const (
	forbidden = `pods "op-" is forbidden: `
	aliveNode = "\napiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: n1}\nstatus: {conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}]}\n---" +
		"\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: kube-node-lease, name: n1}\nspec: {holderIdentity: n1, leaseDurationSeconds: 40, renewTime: '2026-01-02T11:59:55.000000Z'}\n---"
)

type outageCase struct {
	name, objects string
	begins, words string // of what completes "Deployment x …"
	remedy        string // the first one's command
	seen          string // in the evidence
	deny          string
	reads         int // at most, beyond the workload and its pods, which the caller has read
	rests         bool
}

// failureOf is a condition that tells why no pods can be created.
func failureOf(message string) string {
	return fmt.Sprintf("conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, message: %q}]", message)
}

func refusedCases() []outageCase {
	quota := forbidden + "exceeded quota: tiny, requested: pods=1, used: pods=0, limited: pods=0"
	const quotaWords = `can't create its pods: ResourceQuota shop/tiny does not allow them ("exceeded quota: tiny, requested: pods=1, used: pods=0, limited: pods=0")`
	set := apps("ReplicaSet", "replicas: 1", "")
	owned := func(status string) string {
		return strings.Replace(apps("ReplicaSet", "replicas: 1", status), "generation: 1", "generation: 1, labels: {app: op}"+byOwner("Deployment", "apps/v1"), 1)
	}
	return []outageCase{
		{name: "a quota, by the condition", objects: apps("Deployment", "replicas: 1", failureOf(quota)), words: quotaWords, remedy: "-n shop describe resourcequota/tiny", seen: "condition ReplicaFailure"},
		{name: "a quota, by the ReplicaSet's condition", objects: apps("Deployment", "replicas: 1", "") + owned(failureOf(quota)), words: quotaWords, reads: 1},
		{name: "a quota, by the ReplicaSet's event", objects: apps("Deployment", "replicas: 1", "") + owned("") + event("ReplicaSet", "FailedCreate", "Error creating: "+quota), words: quotaWords, seen: "exceeded quota", reads: 2},
		{name: "a quota for ReplicaSets", objects: apps("Deployment", "replicas: 1", `conditions: [{type: Progressing, status: "False", reason: ReplicaSetCreateError, message: 'Failed to create new replica set "op-1": replicasets.apps "op-1" is forbidden: exceeded quota: sets, requested: …'}]`), words: "ResourceQuota shop/sets does not allow them"},
		{name: "a ReplicaSet by itself", objects: set + event("ReplicaSet", "FailedCreate", quota), words: quotaWords, reads: 1},
		{name: "a StatefulSet, by its event", objects: apps("StatefulSet", "replicas: 1", "") + event("StatefulSet", "FailedCreate", "create Pod op-0 in StatefulSet op failed error: "+quota), words: quotaWords, reads: 1},
		{name: "a DaemonSet, by its event", objects: apps("DaemonSet", "", "desiredNumberScheduled: 1") + event("DaemonSet", "FailedCreate", "Error creating: "+quota), words: quotaWords, reads: 1},
		{name: "a Job, by its event", objects: job("", "") + event("Job", "FailedCreate", "Error creating: "+quota), words: quotaWords, reads: 1},
		{name: "a quota that wants limits", objects: apps("Deployment", "", failureOf(forbidden+"failed quota: tiny: must specify limits.cpu for: main")), words: `ResourceQuota shop/tiny does not allow them ("failed quota: tiny: must`},
		{
			name: "Pod Security", objects: apps("Deployment", "", failureOf(forbidden+`violates PodSecurity "restricted:latest": privileged (container "main" must not set …)`)),
			words: "can't create its pods: they violate the Pod Security level restricted:latest of Namespace shop (", remedy: "get namespace/shop --show-labels",
		},
		{
			name: "a missing ServiceAccount", objects: apps("Deployment", "", failureOf(forbidden+`error looking up service account shop/op-sa: serviceaccount "op-sa" not found`)),
			words: `can't create its pods: ServiceAccount shop/op-sa does not exist ("error looking up service account shop/op-sa: serviceaccount "op-sa" not found")`, remedy: "-n shop create serviceaccount op-sa",
		},
		{name: "a missing PriorityClass", objects: apps("Deployment", "", failureOf(forbidden+"no PriorityClass with name vital was found")), words: "PriorityClass vital does not exist", remedy: "kubectl get priorityclasses.scheduling.k8s.io"},
		{name: "a missing RuntimeClass", objects: apps("Deployment", "", failureOf(forbidden+`pod rejected: RuntimeClass "kata" not found`)), words: "RuntimeClass kata does not exist", remedy: "kubectl get runtimeclasses.node.k8s.io"},
		{name: "a webhook that denies", objects: apps("Deployment", "", failureOf(`admission webhook "guard.example.com" denied the request: no labels`)), words: "webhook guard.example.com denies them", remedy: "get validatingwebhookconfigurations,mutating"},
		{name: "a webhook that fails", objects: apps("Deployment", "", failureOf(`Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: no endpoints`)), words: "webhook guard.example.com, which is asked about them, fails"},
		{name: "a policy", objects: apps("Deployment", "", failureOf(forbidden+"ValidatingAdmissionPolicy 'no-pods' with binding 'all' denied request: failed expression: false")), words: "ValidatingAdmissionPolicy no-pods does not allow them", remedy: "get validatingadmissionpolicy.admissionregistration.k8s.io/no-pods"},
		{name: "a LimitRange", objects: apps("Deployment", "", failureOf(forbidden+"maximum cpu usage per Container is 100m, but limit is 1")), words: "the LimitRanges of Namespace shop do not allow them", remedy: "-n shop describe limitranges"},
		{name: "something else", objects: apps("Deployment", "", failureOf("etcdserver: no leader")), words: `can't create its pods: "etcdserver: no leader"`, remedy: "describe deployments.apps/op"},
		{name: "an event that may not be read", deny: "events", objects: apps("StatefulSet", "replicas: 1", ""), words: "has no pods; why can't be told without reading events about StatefulSet shop/op, which you may not read", remedy: "describe statefulsets.apps/op", reads: 1},
		{name: "ReplicaSets that may not be read", deny: "replicasets", objects: apps("Deployment", "replicas: 1", ""), words: "has no pods; why can't be told without reading ReplicaSets in shop, which you may not read", reads: 1},
		{name: "nothing that tells", objects: apps("Deployment", "replicas: 1", ""), words: "has no pods", remedy: "describe deployments.apps/op", seen: "no pod of it is there", reads: 1},
		{name: "everything denied", deny: "*", objects: apps("Deployment", "replicas: 1", ""), words: "has no pods; why can't be told without", reads: 1},
	}
}

func stoppedCases() []outageCase {
	const failed = `conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, message: Job has reached the specified backoff limit}]`
	ended := pod(byOwner("Job", "batch/v1"), "", "phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 3, reason: Error, message: \"starting\\nno route to bucket\\n\"}}}]")
	ofCron := func(status string) string {
		return strings.Replace(job("", status), "uid: Job", "uid: Job"+byOwner("CronJob", "batch/v1"), 1)
	}
	return []outageCase{
		{name: "scaled to zero", objects: apps("Deployment", "replicas: 0", ""), words: "is scaled to 0", remedy: "scale deployments.apps/op --replicas=1"},
		{name: "scaled to zero, a pod on its way out", objects: apps("StatefulSet", "replicas: 0", "") + pod(", deletionTimestamp: '2026-01-02T11:59:00Z'", "", ""), words: "is scaled to 0"},
		{name: "being deleted", objects: strings.Replace(apps("Deployment", "", ""), "uid:", "deletionTimestamp: '2026-01-02T11:00:00Z', uid:", 1), words: "is being deleted itself, and has no pods", remedy: "get deployments.apps/op -o yaml", seen: "deleted 60m ago"},
		{name: "paused before its first rollout", objects: apps("Deployment", "replicas: 1, paused: true", ""), words: "is paused, and has no pods", remedy: "-n shop rollout resume deployments.apps/op", reads: 1},
		{name: "no node for a DaemonSet", objects: apps("DaemonSet", "template: {spec: {nodeSelector: {disk: ssd}}}", "desiredNumberScheduled: 0"), words: "no node fits its node selector", remedy: "get nodes --show-labels", seen: `{"disk":"ssd"}`},
		{name: "a DaemonSet that its controller has not seen", objects: strings.Replace(apps("DaemonSet", "", ""), "observedGeneration: 1", "observedGeneration: 0", 1), words: "has no pods", reads: 1},
		{name: "a suspended Job", objects: job("suspend: true", ""), words: "is suspended", remedy: `patch jobs.batch/op --type=merge -p '{"spec":{"suspend":false}}'`},
		{name: "a suspended CronJob", objects: cronJob("suspend: true"), words: "is suspended", remedy: "patch cronjobs.batch/op"},
		{name: "a CronJob that waits", objects: cronJob(""), words: "waits for its time", rests: true, reads: 1},
		{name: "a CronJob whose last Job completed", objects: cronJob("") + ofCron(`conditions: [{type: Complete, status: "True"}]`), words: "waits for its time", rests: true, reads: 2},
		{name: "a CronJob whose last Job failed", objects: cronJob("") + ofCron(failed), words: "last ran Job shop/op, which failed (BackoffLimitExceeded: Job has reached", reads: 2},
		{name: "a Job that failed, its pods gone", objects: job("", failed), words: "failed (BackoffLimitExceeded: Job has reached the specified backoff limit)", remedy: "describe jobs.batch/op", seen: "condition Failed"},
		{name: "a Job that failed", objects: job("", failed) + ended, words: `: Pod shop/op failed: container main ended with code 3 (Error): "no route to bucket"`, remedy: "logs pods/op --all-containers"},
		{name: "a Job past its deadline", objects: job("", strings.ReplaceAll(failed, "BackoffLimitExceeded", "DeadlineExceeded")), words: "failed (DeadlineExceeded: "},
		{name: "a Job that completed", objects: job("", `conditions: [{type: Complete, status: "True"}]`), words: "has completed", rests: true},
		{name: "a Job between two tries", objects: job("", "") + ended, words: "has no ready pod: Pod shop/op failed: container main", reads: 1},
	}
}

func podCases() []outageCase {
	crashed := ", restartCount: 4, lastState: {terminated: {exitCode: 137, reason: OOMKilled, message: out of memory}}"
	unready := "phase: Running, conditions: [{type: Ready, status: 'False', reason: ContainersNotReady, message: 'containers with unready status: [main]'}]"
	claim := "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"
	unscheduled := func(message string) string {
		return pod("", claim, fmt.Sprintf("phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: %q}]", message))
	}
	return []outageCase{
		{name: "unschedulable", objects: unscheduled("0/1 nodes are available: 1 Insufficient cpu."), words: "can't be scheduled: 0/1 nodes are available: 1 Insufficient cpu.", remedy: "describe pods/op"},
		{name: "a claim that isn't there", objects: unscheduled(`persistentvolumeclaim "data" not found`), words: "PersistentVolumeClaim shop/data does not exist", remedy: "get persistentvolumeclaims"},
		{name: "a claim without a volume", objects: unscheduled("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims."), words: "can't be scheduled: PersistentVolumeClaim shop/data has no volume yet", remedy: "describe persistentvolumeclaims/data"},
		{name: "an image", objects: runs(waiting("ImagePullBackOff", "Back-off pulling image", "")), words: `is in ImagePullBackOff (container main): image example.com/op:1 can't be pulled ("Back-off pulling image")`, remedy: "describe pods/op"},
		{name: "a missing ConfigMap", objects: runs(waiting("CreateContainerConfigError", `configmap "settings" not found`, "")), words: "is in CreateContainerConfigError (container main): ConfigMap shop/settings does not exist", remedy: "-n shop get configmaps"},
		{name: "a missing Secret", objects: runs(waiting("CreateContainerConfigError", `secret "login" not found`, "")), words: "Secret shop/login does not exist", remedy: "-n shop get secrets"},
		{name: "a missing key", objects: runs(waiting("CreateContainerConfigError", "couldn't find key url in ConfigMap shop/settings", "")), words: "ConfigMap shop/settings has no key url", remedy: "describe configmap/settings"},
		{name: "a container that can't be created", objects: runs(waiting("CreateContainerError", "no command specified", "")), words: `is in CreateContainerError (container main): "no command specified"`},
		{name: "an init container that crashes", objects: runs("phase: Pending, initContainerStatuses: [{name: first, state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{name: main, state: {waiting: {reason: PodInitializing}}}]"), words: "is in CrashLoopBackOff (container first)"},
		{name: "out of memory", objects: runs(waiting("CrashLoopBackOff", "back-off 5m0s", crashed)), words: `is in CrashLoopBackOff (container main, which last ended with code 137 (OOMKilled): "out of memory")`, seen: "OOMKilled"},
		{name: "a container that has ended", objects: runs("phase: Running, containerStatuses: [{name: main, state: {terminated: {exitCode: 1, reason: Error}}}]"), words: "is not ready: container main ended with code 1 (Error)"},
		{name: "a volume that isn't there", objects: aliveNode + runs(waiting("ContainerCreating", "", "")) + event("Pod", "FailedMount", `MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found`), words: "can't start: ConfigMap shop/settings does not exist", remedy: "get configmaps", reads: 3},
		{name: "a volume that can't be attached", objects: aliveNode + runs(waiting("ContainerCreating", "", "")) + event("Pod", "FailedAttachVolume", "Multi-Attach error"), words: `can't start: "Multi-Attach error"`, reads: 3},
		{name: "a probe that fails", objects: aliveNode + runs(unready) + event("Pod", "Unhealthy", "Readiness probe failed: HTTP 503"), words: `is not ready: "Readiness probe failed: HTTP 503"`, reads: 3},
		{name: "events that may not be read", deny: "events", objects: aliveNode + runs(unready), words: "is not ready: containers with unready status: [main]; why can't be told without reading events about Pod shop/op", reads: 3},
		{name: "an init container that runs", objects: aliveNode + runs("phase: Pending, initContainerStatuses: [{name: first, state: {running: {}}}]"), words: "is still being initialized by container first", reads: 2},
		{name: "on a node that is gone", objects: runs("phase: Running"), words: "is on Node n1, which no longer exists", reads: 1},
		{name: "a ready one that isn't meant", objects: aliveNode + runs("phase: Running, conditions: [{type: Ready, status: 'True'}]"), words: "is ready, and is not among the endpoints", reads: 2},
		{name: "evicted", objects: runs("phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.'"), words: "was evicted: The node was low on resource: memory; nothing starts it again", remedy: "get pods/op -o yaml", seen: "Evicted"},
		{name: "shut down with its node", objects: runs("phase: Failed, reason: NodeShutdown, message: Pod was terminated in response to imminent node shutdown."), words: "failed (NodeShutdown): Pod was terminated"},
		{name: "finished", objects: runs("phase: Succeeded"), words: "has finished; nothing starts it again", rests: true},
	}
}

func TestOutage(t *testing.T) {
	for _, c := range slices.Concat(refusedCases(), stoppedCases()) {
		runOutage(t, c, false)
	}
	for _, c := range podCases() {
		runOutage(t, c, true)
		c.name, c.begins, c.rests = "Deployment of "+c.name, "has no ready pod: Pod shop/op ", false
		switch {
		case strings.Contains(c.objects, "phase: Failed"), strings.Contains(c.objects, "phase: Succeeded"):
			c.reads++ // its ReplicaSet
		}
		c.objects = apps("Deployment", "replicas: 1", "") + c.objects
		runOutage(t, c, false)
	}
}

func runOutage(t *testing.T, c outageCase, bare bool) {
	t.Run(c.name, func(t *testing.T) {
		checker, memory := outageChecker(t, c.objects)
		resource := workloadIn(c.objects, bare)
		workload, pods := readOutage(t, checker, resource)
		memory.Reads = nil
		if c.deny != "" {
			memory.Deny(c.deny)
		}
		found := checker.Outage(t.Context(), workload, pods)
		if words := checker.Words(found.Words); !strings.HasPrefix(words, c.begins) || !strings.Contains(words, c.words) || found.Rests != c.rests {
			t.Errorf("it %s (rests: %t); want: %s…%s", words, found.Rests, c.begins, c.words)
		}
		command := ""
		if len(found.Remedies) > 0 {
			command = found.Remedies[0].Command.String()
		}
		if !strings.Contains(command, c.remedy) || command == "" && !found.Rests {
			t.Errorf("the first remedy is %q, want %q", command, c.remedy)
		}
		if seen := fmt.Sprint(found.Evidence); !strings.Contains(seen, c.seen) || len(found.Evidence) == 0 {
			t.Errorf("the evidence is %s, want %q", seen, c.seen)
		}
		if len(memory.Reads) > c.reads {
			t.Errorf("it takes %d reads, and may take %d: %s", len(memory.Reads), c.reads, memory.Reads)
		}
	})
}

func outageChecker(t *testing.T, objects string) (*Checker, *clustertest.Memory) {
	t.Helper()
	memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), strings.TrimSuffix(objects, "---"))
	if err != nil {
		t.Fatal(err)
	}
	return NewChecker(session.New(memory, session.Kubectl{})), memory
}

// workloadIn is the resource of the first workload in some documents, or that of pods.
func workloadIn(objects string, bare bool) cluster.Resource {
	kinds := []cluster.Resource{
		cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets(), cluster.CronJobs(), cluster.Jobs(), cluster.ReplicaSets(),
	}
	for _, kind := range kinds {
		if !bare && strings.Contains(objects, "\nkind: "+kind.Kind+"\n") {
			return kind
		}
	}
	return cluster.Pods()
}

func readOutage(t *testing.T, checker *Checker, resource cluster.Resource) (*session.Object, []*corev1.Pod) {
	t.Helper()
	whole, err := checker.Session.Reader.Get(t.Context(), resource, "shop", "op")
	if err != nil {
		t.Fatal(err)
	}
	workload, err := session.FromWhole(resource, whole)
	if err != nil {
		t.Fatal(err)
	}
	pods, err := checker.PodsOf(t.Context(), workload)
	if resource.Kind == "Pod" {
		var one *corev1.Pod
		one, err = session.As[corev1.Pod](whole)
		pods = []*corev1.Pod{one}
	}
	if err != nil {
		t.Fatal(err)
	}
	return workload, pods
}

func TestOutageStarting(t *testing.T) {
	for name, c := range map[string]struct {
		created, status string
		starting        bool
	}{
		"young": {"11:59:50", "phase: Pending", true}, "old": {"11:58:00", "phase: Pending", false},
		"young, creating":       {"11:59:50", waiting("ContainerCreating", "", ""), true},
		"young, without image":  {"11:59:50", waiting("ErrImagePull", "not found", ""), false},
		"young, without secret": {"11:59:50", waiting("CreateContainerConfigError", `secret "x" not found`, ""), false},
		"young, on a dead node": {"11:59:50", "phase: Pending", false},
		"young, evicted":        {"11:59:50", "phase: Failed, reason: Evicted", false},
	} {
		nodes := aliveNode
		if strings.Contains(name, "dead node") {
			nodes = strings.NewReplacer(`"True"`, "Unknown", "'True'", "Unknown").Replace(aliveNode)
		}
		checker, _ := outageChecker(t, nodes+strings.Replace(runs(c.status), "uid:", "creationTimestamp: '2026-01-02T"+c.created+"Z', uid:", 1))
		workload, pods := readOutage(t, checker, cluster.Pods())
		if found := checker.Outage(t.Context(), workload, pods); found.Starting != c.starting {
			t.Errorf("%s: starting is %t", name, found.Starting)
		}
	}
}

func TestOutageOf(t *testing.T) {
	objects := apps("Deployment", "replicas: 1", "") + runs(waiting("CrashLoopBackOff", "", ""))
	for deny, want := range map[string]string{
		"":     "has no ready pod: Pod shop/op is in CrashLoopBackOff",
		"pods": "has no ready pod; why can't be told without reading pods in shop, which you may not read",
	} {
		reader, _ := outageChecker(t, objects)
		workload, _ := readOutage(t, reader, cluster.Deployments())
		checker, memory := outageChecker(t, objects)
		if deny != "" {
			memory.Deny(deny)
		}
		found := checker.OutageOf(t.Context(), workload)
		if words := checker.Words(found.Words); !strings.HasPrefix(words, want) {
			t.Errorf("without %q: %s", deny, words)
		}
	}
}
