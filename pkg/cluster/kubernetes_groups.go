package cluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ServedByKubernetes reports whether an API group is one that Kubernetes' own API server serves, of version 1.37 (k8s
// v1.37 pkg/controlplane/instance.go:StorageProviders, pkg/controlplane/apiserver/apiextensions.go, aggregator.go) or
// before: it knows how its objects are validated, printed and converted, and which fields may hold secrets. All other
// groups come from CustomResourceDefinitions and aggregated API servers, also those below k8s.io and x-k8s.io.
func ServedByKubernetes(group string) bool {
	return slices.Contains([]string{
		"", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps",
		"authentication.k8s.io", "authorization.k8s.io", "autoscaling", "batch", "certificates.k8s.io",
		"coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io",
		"internal.apiserver.k8s.io", "lifecycle.k8s.io", "networking.k8s.io", "node.k8s.io", "policy",
		"rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io",
		"storagemigration.k8s.io",
		"auditregistration.k8s.io", "settings.k8s.io", "extensions", // up to 1.18, 1.19 and 1.21
	}, group)
}

// StatusWritesMetadata reports whether a write to the status subresource of a kind also writes its metadata, finalizers
// included: of older kinds of Kubernetes' own, whose strategies don't call ResetObjectMetaForStatus (k8s v1.37
// pkg/registry/*/*/strategy.go:PrepareForUpdate).
func StatusWritesMetadata(kind schema.GroupResource) bool {
	switch kind.Group {
	case "", "apps", "autoscaling", "batch", "policy", "flowcontrol.apiserver.k8s.io":
		return true
	case "certificates.k8s.io":
		return kind.Resource == "certificatesigningrequests"
	case "networking.k8s.io":
		return kind.Resource == "ingresses"
	}
	return false
}
