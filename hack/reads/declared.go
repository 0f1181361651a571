package main

// module is the program's own.
const module = "github.com/kubectl-finalizers/kubectl-finalizers/"

// notOfRecordings are packages that read no objects, or of live clusters and manifests alone.
func notOfRecordings() []string {
	return []string{
		module + "pkg/removal", module + "pkg/snapshot", module + "pkg/snapshot/files",
		module + "pkg/snapshot/clustertest",
	}
}

// views are the structs that objects are decoded into, in place of types of k8s.io/api, and the kinds of these objects.
func views() map[string][]string {
	runners := []string{"Deployment.apps", "StatefulSet.apps", "DaemonSet.apps"}
	workloads := append([]string{"ReplicaSet.apps", "Job.batch", "CronJob.batch", "ReplicationController"}, runners...)
	return map[string][]string{
		module + "pkg/attribution.podRunner":     append([]string{"ReplicaSet.apps", "Job.batch"}, runners...),
		module + "pkg/attribution.scaledRunner":  append([]string{"ReplicaSet.apps", "ReplicationController"}, runners...),
		module + "pkg/health.workloadSpec":       workloads,
		module + "pkg/session.Definition":        {"CustomResourceDefinition.apiextensions.k8s.io"},
		module + "pkg/health.APIService":         {"APIService.apiregistration.k8s.io"},
		module + "pkg/snapshot/states.versioned": {"CustomResourceDefinition.apiextensions.k8s.io"},
	}
}

// byLibraries are fields that libraries read of what they are handed, by type.
func byLibraries() map[string][]string {
	return map[string][]string{
		// apimachinery's LabelSelectorAsSelector
		"k8s.io/apimachinery/pkg/apis/meta/v1.LabelSelector":            {"matchLabels", "matchExpressions"},
		"k8s.io/apimachinery/pkg/apis/meta/v1.LabelSelectorRequirement": {"key", "operator", "values"},
		// apiserver's rules.Matcher
		"k8s.io/api/admissionregistration/v1.Rule": {
			"apiGroups", "apiVersions", "resources", "scope",
		},
		"k8s.io/api/admissionregistration/v1.RuleWithOperations":      {"operations"},
		"k8s.io/api/admissionregistration/v1.NamedRuleWithOperations": {"resourceNames"},
		// component-helpers' PodRequests and PodLimits
		"k8s.io/api/core/v1.PodSpec":              {"overhead"},
		"k8s.io/api/core/v1.Container":            {"resources"},
		"k8s.io/api/core/v1.ResourceRequirements": {"requests", "limits"},
	}
}

// withoutType are fields that are read by their names (unstructured.Nested…, cluster.Selector.Fields), by the type
// that has them.
func withoutType() map[string][]string {
	const core, apps, batch = "k8s.io/api/core/v1.", "k8s.io/api/apps/v1.", "k8s.io/api/batch/v1."
	return map[string][]string{
		core + "Event":           {"type"},                                 // health.Warnings
		core + "Namespace":       {"spec"},                                 // session.Object.Holds
		core + "NamespaceSpec":   {"finalizers"},                           // the same
		apps + "StatefulSetSpec": {"persistentVolumeClaimRetentionPolicy"}, // health.Stopping
		apps + "StatefulSetPersistentVolumeClaimRetentionPolicy": {"whenScaled"}, // the same
		batch + "CronJob":         {"spec"},        // attribution.accountOfJobs
		batch + "CronJobSpec":     {"jobTemplate"}, // the same
		batch + "JobTemplateSpec": {"spec"},        // the same
		batch + "JobSpec":         {"template"},    // the same
	}
}

// also are types that no expression names, although their objects are read.
func also() []string { return []string{"k8s.io/api/batch/v1.CronJob"} }

// groups are the API groups of the packages of k8s.io/api whose names don't tell.
func groups() map[string]string {
	return map[string]string{
		"core": "", "admissionregistration": "admissionregistration.k8s.io", "coordination": "coordination.k8s.io",
		"discovery": "discovery.k8s.io", "networking": "networking.k8s.io", "rbac": "rbac.authorization.k8s.io",
		"resource": "resource.k8s.io", "storage": "storage.k8s.io", "scheduling": "scheduling.k8s.io",
		"authorization": "authorization.k8s.io",
	}
}
