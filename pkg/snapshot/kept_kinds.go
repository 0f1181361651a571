package snapshot

import (
	"slices"
	"strings"
)

// Whole reports whether a recording holds objects of a kind, RESOURCE or RESOURCE.GROUP, with what is read of their
// spec and status: the ones that some mechanism reads so. TestRecordingsHoldWhatMechanismsReadWhole keeps the two
// together.
func Whole(name string) bool { return slices.Contains(strings.Fields(wholeKinds), name) }

const wholeKinds = `
pods nodes namespaces persistentvolumeclaims persistentvolumes services events resourcequotas
limitranges horizontalpodautoscalers.autoscaling
deployments.apps statefulsets.apps daemonsets.apps replicasets.apps replicationcontrollers jobs.batch cronjobs.batch
leases.coordination.k8s.io endpointslices.discovery.k8s.io
customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
volumeattachments.storage.k8s.io csinodes.storage.k8s.io resourceclaims.resource.k8s.io servicecidrs.networking.k8s.io
ipaddresses.networking.k8s.io volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io
poddisruptionbudgets.policy roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`

// early are the resources that are recorded first: Leases, because their age is judged by the time of recording, what
// names drivers, because workloads are searched for these names (clean_text.go), and what asks for fields of other
// objects (asked_fields.go).
const early = `
leases.coordination.k8s.io csidrivers.storage.k8s.io volumeattachments.storage.k8s.io persistentvolumes jobs.batch
customresourcedefinitions.apiextensions.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicies.admissionregistration.k8s.io`
