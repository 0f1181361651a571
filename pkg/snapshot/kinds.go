package snapshot

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Whole tells whether a recording holds objects of a resource with their spec and status: those that
// some mechanism reads so. TestRecordingsHoldWhatMechanismsReadWhole keeps the two together.
func Whole(resource schema.GroupResource) bool { return WholeName(resource.String()) }

// WholeName is Whole for RESOURCE or RESOURCE.GROUP.
func WholeName(name string) bool { return slices.Contains(strings.Fields(wholeKinds), name) }

// wholeKinds are RESOURCE or RESOURCE.GROUP.
const wholeKinds = `
pods nodes namespaces persistentvolumeclaims persistentvolumes services events
deployments.apps statefulsets.apps daemonsets.apps replicasets.apps jobs.batch leases.coordination.k8s.io
endpointslices.discovery.k8s.io customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
volumeattachments.storage.k8s.io storageclasses.storage.k8s.io csidrivers.storage.k8s.io
volumeattributesclasses.storage.k8s.io resourceclaims.resource.k8s.io servicecidrs.networking.k8s.io
ipaddresses.networking.k8s.io volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io
podgroups.scheduling.k8s.io
roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`

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
