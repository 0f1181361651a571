package health

import (
	"fmt"
	"strings"
)

type outageCase struct {
	name, objects string
	begins, words string // of what completes "Deployment x …"
	remedy        string // the first one's command
	then          string // in the command of one or more
	seen          string // in the evidence
	deny          string
	reads         int // at most, beyond the workload and its pods, which the caller has read
	rests         bool
}

// failureOf is a condition that says why no pods can be created.
func failureOf(message string) string {
	return fmt.Sprintf("conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, message: %q}]", message)
}

func refusedCases() []outageCase {
	quota := forbidden + "exceeded quota: tiny, requested: pods=1, used: pods=0, limited: pods=0"
	const quotaWords = `can't create its pods: ResourceQuota shop/tiny does not allow them ("exceeded quota: tiny, ` +
		`requested: pods=1, used: pods=0, limited: pods=0")`
	set := apps("ReplicaSet", "replicas: 1", "")
	owned := func(status string) string {
		return strings.Replace(apps("ReplicaSet", "replicas: 1", status), "generation: 1",
			"generation: 1, labels: {app: op}"+byOwner("Deployment", "apps/v1"), 1)
	}
	tiny := func(hard, used string) string {
		full := fmt.Sprintf("status: {hard: {pods: '%s'}, used: {pods: '%s'}}", hard, used)
		return strings.Replace(manifestOf("v1", "ResourceQuota", "", full), "name: op", "name: tiny", 1)
	}
	full := tiny("1", "1")
	const again = `has not created its pods yet: ResourceQuota shop/tiny did not allow them ("exceeded quota: tiny, ` +
		`requested: pods=1, used: pods=0, limited: pods=0"), but no longer refuses them`
	return []outageCase{
		{
			name: "a quota, by the condition", objects: apps("Deployment", "replicas: 1", failureOf(quota)) + full,
			words: quotaWords, remedy: "-n shop describe resourcequota/tiny", seen: "condition ReplicaFailure", reads: 1,
			then: `-n shop patch resourcequota/tiny --type merge -p {"spec":{"hard":{"pods":"1"}}}`,
		},
		{
			name: "a quota that is gone since", objects: apps("Deployment", "replicas: 1", failureOf(quota)),
			words: again, remedy: "-n shop rollout restart deployments.apps/op",
			seen: "ResourceQuota shop/tiny not found", reads: 1,
		},
		{
			name:    "a quota that was raised since",
			objects: apps("StatefulSet", "replicas: 1", "") + event("StatefulSet", "FailedCreate", quota) + tiny("3", "2"),
			words:   again, remedy: "-n shop rollout restart statefulsets.apps/op", seen: "used pods 2 of 3", reads: 2,
		},
		{
			name: "a quota of a Job that is gone since", objects: job("", "") + event("Job", "FailedCreate", quota),
			words: again, remedy: "-n shop describe jobs.batch/op", reads: 2,
		},
		{
			name: "a quota that may not be read", deny: "resourcequotas",
			objects: apps("Deployment", "replicas: 1", failureOf(quota)), words: quotaWords, reads: 1,
		},
		{
			name:    "a quota, by the ReplicaSet's condition",
			objects: apps("Deployment", "replicas: 1", "") + owned(failureOf(quota)) + full, words: quotaWords, reads: 2,
		},
		{
			name: "a quota, by the ReplicaSet's event",
			objects: apps("Deployment", "replicas: 1", "") + owned("") +
				event("ReplicaSet", "FailedCreate", "Error creating: "+quota) + full,
			words: quotaWords, seen: "exceeded quota", reads: 3,
		},
		{
			name: "a quota for ReplicaSets",
			objects: apps("Deployment", "replicas: 1",
				`conditions: [{type: Progressing, status: "False", reason: ReplicaSetCreateError, `+
					`message: 'Failed to create new replica set "op-1": replicasets.apps "op-1" is forbidden: `+
					`exceeded quota: sets, requested: …'}]`) + strings.Replace(full, "tiny", "sets", 1),
			words: "ResourceQuota shop/sets does not allow them", reads: 1,
		},
		{
			name: "a ReplicaSet by itself", objects: set + event("ReplicaSet", "FailedCreate", quota) + full,
			words: quotaWords, reads: 2,
		},
		{
			name: "a StatefulSet, by its event",
			objects: apps("StatefulSet", "replicas: 1", "") +
				event("StatefulSet", "FailedCreate", "create Pod op-0 in StatefulSet op failed error: "+quota) + full,
			words: quotaWords, reads: 2,
		},
		{
			name: "a DaemonSet, by its event",
			objects: apps("DaemonSet", "", "desiredNumberScheduled: 1") +
				event("DaemonSet", "FailedCreate", "Error creating: "+quota) + full,
			words: quotaWords, reads: 2,
		},
		{
			name:    "a Job, by its event",
			objects: job("", "") + event("Job", "FailedCreate", "Error creating: "+quota) + full, words: quotaWords, reads: 2,
		},
		{
			name:    "a quota that wants limits",
			objects: apps("Deployment", "", failureOf(forbidden+"failed quota: tiny: must specify limits.cpu for: main")) + full,
			words:   `ResourceQuota shop/tiny does not allow them ("failed quota: tiny: must`, reads: 1,
		},
		{
			name: "Pod Security",
			objects: apps("Deployment", "",
				failureOf(forbidden+`violates PodSecurity "restricted:latest": privileged (container "main" must not set …)`)),
			words:  "can't create its pods: they violate the Pod Security level restricted:latest of Namespace shop",
			remedy: "get namespace/shop --show-labels",
		},
		{
			name: "a missing ServiceAccount",
			objects: apps("Deployment", "",
				failureOf(forbidden+`error looking up service account shop/op-sa: serviceaccount "op-sa" not found`)),
			words:  "can't create its pods: ServiceAccount shop/op-sa does not exist",
			remedy: "-n shop create serviceaccount op-sa",
		},
		{
			name:    "a missing PriorityClass",
			objects: apps("Deployment", "", failureOf(forbidden+"no PriorityClass with name vital was found")),
			words:   "PriorityClass vital does not exist", remedy: "kubectl get priorityclasses.scheduling.k8s.io",
		},
		{
			name:    "a missing RuntimeClass",
			objects: apps("Deployment", "", failureOf(forbidden+`pod rejected: RuntimeClass "kata" not found`)),
			words:   "RuntimeClass kata does not exist", remedy: "kubectl get runtimeclasses.node.k8s.io",
		},
		{
			name:    "a webhook that denies",
			objects: apps("Deployment", "", failureOf(`admission webhook "guard.example.com" denied the request: no labels`)),
			words:   "webhook guard.example.com denies them", remedy: "get validatingwebhookconfigurations,mutating", reads: 6,
		},
		{
			name: "a webhook that denies, and its configuration",
			objects: apps("Deployment", "",
				failureOf(`admission webhook "guard.example.com" denied the request: no labels`)) + guard("a"),
			words:  "webhook guard.example.com of ValidatingWebhookConfiguration a denies them",
			remedy: "validatingwebhookconfiguration.admissionregistration.k8s.io/a -o yaml", reads: 6,
		},
		{
			name: "a webhook that denies, of two configurations",
			objects: apps("Deployment", "",
				failureOf(`admission webhook "guard.example.com" denied the request: no labels`)) + guard("a") + guard("b"),
			words: "webhook guard.example.com denies them", reads: 6,
		},
		{
			name: "a webhook that fails",
			objects: apps("Deployment", "",
				failureOf(`Internal error occurred: failed calling webhook "guard.example.com": failed to call `+
					`webhook: no endpoints`)),
			words: "webhook guard.example.com, which has to allow them, fails", reads: 6,
		},
		{
			name: "a policy",
			objects: apps("Deployment", "",
				failureOf(forbidden+
					"ValidatingAdmissionPolicy 'no-pods' with binding 'all' denied request: failed expression: false")),
			words:  "ValidatingAdmissionPolicy no-pods does not allow them",
			remedy: "get validatingadmissionpolicy.admissionregistration.k8s.io/no-pods",
		},
		{
			name:    "a LimitRange",
			objects: apps("Deployment", "", failureOf(forbidden+"maximum cpu usage per Container is 100m, but limit is 1")),
			words:   "the LimitRanges of Namespace shop do not allow them", remedy: "-n shop describe limitranges",
		},
		{
			name: "something else", objects: apps("Deployment", "", failureOf("etcdserver: no leader")),
			words: `can't create its pods: "etcdserver: no leader"`, remedy: "describe deployments.apps/op",
		},
		{
			name: "an event that may not be read", deny: "events", objects: apps("StatefulSet", "replicas: 1", ""),
			words:  "has no pods; it is not clear why, because events about StatefulSet shop/op could not be read",
			remedy: "describe statefulsets.apps/op", reads: 1,
		},
		{
			name: "ReplicaSets that may not be read", deny: "replicasets",
			objects: apps("Deployment", "replicas: 1", ""),
			words:   "has no pods; it is not clear why, because ReplicaSets in Namespace shop could not be read", reads: 1,
		},
		{
			name: "nothing that tells", objects: apps("Deployment", "replicas: 1", ""), words: "has no pods",
			remedy: "describe deployments.apps/op", seen: "has no pods", reads: 1,
		},
		{
			name: "everything denied", deny: "*", objects: apps("Deployment", "replicas: 1", ""),
			words: "has no pods; it is not clear why, because", reads: 1,
		},
	}
}

// guard is a configuration with a webhook for pods.
func guard(name string) string {
	return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" +
		"metadata: {name: " + name + ", uid: " + name + "}\n" +
		"webhooks: [{name: guard.example.com, rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], " +
		"resources: [pods]}]}]\n---\n"
}
