package cluster

// ServedByKubernetes reports whether an API group is one that Kubernetes' own API server serves: it knows how its
// objects are validated, printed and converted, and which of their fields may hold secrets. All other groups
// come from CustomResourceDefinitions and aggregated API servers, also those below k8s.io and x-k8s.io, which
// Kubernetes' community hands out.
//
// The table has the groups of Kubernetes 1.37 (k8s v1.37 pkg/controlplane/instance.go:StorageProviders,
// pkg/controlplane/apiserver/apiextensions.go, aggregator.go) and those of older versions.
func ServedByKubernetes(group string) bool {
	switch group {
	case "", // v1
		"admissionregistration.k8s.io",
		"apiextensions.k8s.io",
		"apiregistration.k8s.io",
		"apps",
		"authentication.k8s.io",
		"authorization.k8s.io",
		"autoscaling",
		"batch",
		"certificates.k8s.io",
		"coordination.k8s.io",
		"discovery.k8s.io",
		"events.k8s.io",
		"flowcontrol.apiserver.k8s.io",
		"internal.apiserver.k8s.io",
		"lifecycle.k8s.io",
		"networking.k8s.io",
		"node.k8s.io",
		"policy",
		"rbac.authorization.k8s.io",
		"resource.k8s.io",
		"scheduling.k8s.io",
		"storage.k8s.io",
		"storagemigration.k8s.io":
		return true
	case "auditregistration.k8s.io", // up to 1.18
		"extensions",      // up to 1.21
		"settings.k8s.io": // up to 1.19
		return true
	}
	return false
}
