package health

import (
	"fmt"
	"strings"
)

func stoppedCases() []outageCase {
	const failed = `conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, ` +
		`message: Job has reached the specified backoff limit}]`
	ended := pod(byOwner("Job", "batch/v1"), "",
		"phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 3, reason: Error, "+
			"message: \"starting\\nno route to bucket\\n\"}}}]")
	ofCron := func(status string) string {
		return strings.Replace(job("", status), "uid: Job", "uid: Job"+byOwner("CronJob", "batch/v1"), 1)
	}
	return []outageCase{
		{
			name: "scaled to zero", objects: apps("Deployment", "replicas: 0", ""), words: "is scaled to 0",
			remedy: "scale deployments.apps/op --replicas=1",
		},
		{
			name:    "scaled to zero, a pod on its way out",
			objects: apps("StatefulSet", "replicas: 0", "") + pod(", deletionTimestamp: '2026-01-02T11:59:00Z'", "", ""),
			words:   "is scaled to 0",
		},
		{
			name:    "being deleted",
			objects: strings.Replace(apps("Deployment", "", ""), "uid:", "deletionTimestamp: '2026-01-02T11:00:00Z', uid:", 1),
			words:   "is also being deleted and has no pods", remedy: "get deployments.apps/op -o yaml",
			seen: "Terminating for 1h",
		},
		{
			name: "paused before its first rollout", objects: apps("Deployment", "replicas: 1, paused: true", ""),
			words: "is paused and has no pods", remedy: "-n shop rollout resume deployments.apps/op", reads: 1,
		},
		{
			name:    "no node for a DaemonSet",
			objects: apps("DaemonSet", "template: {spec: {nodeSelector: {disk: ssd}}}", "desiredNumberScheduled: 0"),
			words:   "no node fits its node selector", remedy: "get nodes --show-labels", seen: `{"disk":"ssd"}`,
		},
		{
			name:    "a DaemonSet that its controller has not seen",
			objects: strings.Replace(apps("DaemonSet", "", ""), "observedGeneration: 1", "observedGeneration: 0", 1),
			words:   "has no pods", reads: 1,
		},
		{
			name: "a suspended Job", objects: job("suspend: true", ""), words: "is suspended",
			remedy: `patch jobs.batch/op --type=merge -p '{"spec":{"suspend":false}}'`,
		},
		{
			name: "a suspended CronJob", objects: cronJob("suspend: true"), words: "is suspended",
			remedy: "patch cronjobs.batch/op",
		},
		{
			name: "a CronJob that waits", objects: cronJob(""), words: "waits for its next scheduled run", rests: true, reads: 1,
		},
		{
			name:    "a CronJob whose last Job completed",
			objects: cronJob("") + ofCron(`conditions: [{type: Complete, status: "True"}]`),
			words:   "waits for its next scheduled run", rests: true, reads: 2,
		},
		{
			name: "a CronJob whose last Job failed", objects: cronJob("") + ofCron(failed),
			words: "last ran Job shop/op, which failed (BackoffLimitExceeded)", reads: 2,
		},
		{
			name: "a Job that failed, its pods gone", objects: job("", failed),
			words:  "failed (BackoffLimitExceeded)",
			remedy: "describe jobs.batch/op", seen: "condition Failed",
		},
		{
			name: "a Job that failed", objects: job("", failed) + ended,
			words:  `: Pod shop/op failed: container "main" ended with code 3 (Error): "no route to bucket"`,
			remedy: "logs pods/op --all-containers",
		},
		{
			name:    "a Job past its deadline",
			objects: job("", strings.ReplaceAll(failed, "BackoffLimitExceeded", "DeadlineExceeded")),
			words:   "failed (DeadlineExceeded)",
		},
		{
			name: "a Job that completed", objects: job("", `conditions: [{type: Complete, status: "True"}]`),
			words: "has completed", rests: true,
		},
		{
			name: "a Job between two tries", objects: job("", "") + ended,
			words: `has no ready pod: Pod shop/op failed: container "main"`, reads: 1,
		},
	}
}

func podCases() []outageCase {
	crashed := ", restartCount: 4, lastState: {terminated: {exitCode: 137, reason: OOMKilled, message: out of memory}}"
	unready := "phase: Running, conditions: [{type: Ready, status: 'False', reason: ContainersNotReady, " +
		"message: 'containers with unready status: [main]'}]"
	claim := "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"
	unscheduled := func(message string) string {
		return pod("", claim,
			fmt.Sprintf("phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, "+
				"message: %q}]", message))
	}
	return []outageCase{
		{
			name: "unschedulable", objects: unscheduled("0/1 nodes are available: 1 Insufficient cpu."),
			words: "can't be scheduled: 0/1 nodes are available: 1 Insufficient cpu.", remedy: "describe pods/op",
		},
		{
			name: "a claim that isn't there", objects: unscheduled(`persistentvolumeclaim "data" not found`),
			words: "PersistentVolumeClaim shop/data does not exist", remedy: "get persistentvolumeclaims",
		},
		{
			name:    "a claim without a volume",
			objects: unscheduled("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims."),
			words:   "can't be scheduled: PersistentVolumeClaim shop/data has no volume yet",
			remedy:  "describe persistentvolumeclaims/data",
		},
		{
			name: "an image", objects: runs(waiting("ImagePullBackOff", "Back-off pulling image", "")),
			words: `is in ImagePullBackOff (container "main"): image example.com/op:1 can't be pulled ` +
				`("Back-off pulling image")`,
			remedy: "describe pods/op",
		},
		{
			name:    "a missing ConfigMap",
			objects: runs(waiting("CreateContainerConfigError", `configmap "settings" not found`, "")),
			words:   `is in CreateContainerConfigError (container "main"): ConfigMap shop/settings does not exist`,
			remedy:  "-n shop get configmaps",
		},
		{
			name:    "a missing Secret",
			objects: runs(waiting("CreateContainerConfigError", `secret "login" not found`, "")),
			words:   "Secret shop/login does not exist", remedy: "-n shop get secrets",
		},
		{
			name:    "a missing key",
			objects: runs(waiting("CreateContainerConfigError", "couldn't find key url in ConfigMap shop/settings", "")),
			words:   "ConfigMap shop/settings has no key url", remedy: "describe configmap/settings",
		},
		{
			name:    "a container that can't be created",
			objects: runs(waiting("CreateContainerError", "no command specified", "")),
			words:   `is in CreateContainerError (container "main"): "no command specified"`,
		},
		{
			name: "an init container that crashes",
			objects: runs("phase: Pending, initContainerStatuses: [{name: first, state: {waiting: {reason: " +
				"CrashLoopBackOff}}}], containerStatuses: [{name: main, state: {waiting: {reason: PodInitializing}}}]"),
			words: `is in CrashLoopBackOff (container "first")`,
		},
		{
			name: "out of memory", objects: runs(waiting("CrashLoopBackOff", "back-off 5m0s", crashed)),
			words: `is in CrashLoopBackOff (container "main", which last ended with code 137 (OOMKilled): "out of memory")`,
			seen:  "OOMKilled",
		},
		{
			name: "a container that has ended",
			objects: runs("phase: Running, containerStatuses: [{name: main, state: {terminated: {exitCode: 1, " +
				"reason: Error}}}]"),
			words: `is not ready: container "main" ended with code 1 (Error)`,
		},
		{
			name: "a volume that isn't there",
			objects: aliveNode + runs(waiting("ContainerCreating", "", "")) +
				event("Pod", "FailedMount", `MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found`),
			words: "can't start: ConfigMap shop/settings does not exist", remedy: "get configmaps", reads: 3,
		},
		{
			name: "a volume that can't be attached",
			objects: aliveNode + runs(waiting("ContainerCreating", "", "")) +
				event("Pod", "FailedAttachVolume", "Multi-Attach error"),
			words: `can't start: "Multi-Attach error"`, reads: 3,
		},
		{
			name:    "a probe that fails",
			objects: aliveNode + runs(unready) + event("Pod", "Unhealthy", "Readiness probe failed: HTTP 503"),
			words:   `is not ready: "Readiness probe failed: HTTP 503"`, reads: 3,
		},
		{
			name: "events that may not be read", deny: "events", objects: aliveNode + runs(unready),
			words: "is not ready: containers with unready status: [main]; it is not clear why, " +
				"because events about Pod shop/op could not be read",
			reads: 3,
		},
		{
			name:    "an init container that runs",
			objects: aliveNode + runs("phase: Pending, initContainerStatuses: [{name: first, state: {running: {}}}]"),
			words:   `is still initializing in container "first"`, reads: 2,
		},
		{
			name: "on a node that is gone", objects: runs("phase: Running"),
			words: "is on Node n1, which no longer exists", reads: 1,
		},
		{
			name:    "a ready one that isn't meant",
			objects: aliveNode + runs("phase: Running, conditions: [{type: Ready, status: 'True'}]"),
			words:   "is ready but not among the endpoints", reads: 2,
		},
		{
			name:    "evicted",
			objects: runs("phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.'"),
			words:   `was evicted ("The node was low on resource: memory"); nothing starts it again`,
			remedy:  "get pods/op -o yaml", seen: "Evicted",
		},
		{
			name: "shut down with its node",
			objects: runs("phase: Failed, reason: NodeShutdown, message: Pod was terminated in response to imminent " +
				"node shutdown."),
			words: `failed (NodeShutdown): "Pod was terminated`,
		},
		{name: "finished", objects: runs("phase: Succeeded"), words: "has finished; nothing starts it again", rests: true},
	}
}
