package snapshot

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Whole tells whether a recording holds objects of a resource with their spec and status: those that
// some mechanism reads so. TestRecordingsHoldWhatMechanismsReadWhole keeps the two together.
func Whole(resource schema.GroupResource) bool {
	return slices.Contains(wholeResources(), resource)
}

// WholeName is Whole for RESOURCE or RESOURCE.GROUP.
func WholeName(name string) bool { return Whole(schema.ParseGroupResource(name)) }

func wholeResources() []schema.GroupResource {
	var all []schema.GroupResource
	for group, resources := range map[string][]string{
		"":                             {"pods", "nodes", "namespaces", "persistentvolumeclaims", "persistentvolumes", "services", "events"},
		"apps":                         {"deployments", "statefulsets", "daemonsets", "replicasets"},
		"batch":                        {"jobs"},
		"coordination.k8s.io":          {"leases"},
		"discovery.k8s.io":             {"endpointslices"},
		"apiextensions.k8s.io":         {"customresourcedefinitions"},
		"apiregistration.k8s.io":       {"apiservices"},
		"admissionregistration.k8s.io": {"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"},
		"storage.k8s.io":               {"volumeattachments", "storageclasses", "csidrivers", "volumeattributesclasses"},
		"resource.k8s.io":              {"resourceclaims"},
		"networking.k8s.io":            {"servicecidrs", "ipaddresses"},
		"snapshot.storage.k8s.io":      {"volumesnapshots", "volumesnapshotcontents"},
		"scheduling.k8s.io":            {"podgroups"},
		"rbac.authorization.k8s.io":    {"roles", "rolebindings", "clusterroles", "clusterrolebindings"},
	} {
		for _, resource := range resources {
			all = append(all, schema.GroupResource{Group: group, Resource: resource})
		}
	}
	return all
}

// neverWhole tells whether objects of a resource are never held with more than their metadata: their
// content is secret, or may be.
func neverWhole(resource schema.GroupResource) bool {
	return resource.Group == "" && (resource.Resource == "secrets" || resource.Resource == "configmaps")
}

// early are the resources that a scope is recorded from first: Leases, because
// their age is judged by the time of recording, and what names drivers, because workloads are searched
// for these names (clean.go).
func early() []schema.GroupResource {
	return []schema.GroupResource{
		{Group: "coordination.k8s.io", Resource: "leases"},
		{Group: "storage.k8s.io", Resource: "csidrivers"},
		{Group: "storage.k8s.io", Resource: "storageclasses"},
		{Group: "storage.k8s.io", Resource: "volumeattachments"},
		{Group: "storage.k8s.io", Resource: "volumeattributesclasses"},
		{Resource: "persistentvolumes"},
		{Group: "batch", Resource: "jobs"},
	}
}
