package snapshot

import (
	"slices"
	"strings"
)

// keeping says what a recording holds of a field. It is decided by keepingOf alone.
type keeping int

const (
	keepText       keeping = iota // what is kept of each part; of a text, all that doesn't look like a credential
	keepNothing                   // not even that it is there
	keepMark                      // that it is there: Removed stands in its place
	keepMentions                  // the names of drivers, groups and finalizers that it mentions (clean_text.go)
	keepDriver                    // the name of a driver, which other fields are searched for
	keepFinalizer                 // the name of a finalizer, which other fields are searched for
	keepAnnotation                // what cleaner.annotation decides
	keepExpression                // a CEL expression: a program that compares tokens isn't one
)

// keepingOf returns what a recording holds of a field, from its name and the name of the field that it stands in,
// wherever in an object that is. An object's own metadata is decided by cleaner.metadata instead, which names what it
// keeps. Whatever isn't named here is kept without what looks like a credential.
func keepingOf(parent, field string) keeping {
	if parent == "annotations" {
		return keepAnnotation
	}
	switch field {
	case "data", "binaryData", "stringData", "volumeAttributes", "options", "parameters", // may be secret
		"openAPIV3Schema", "caBundle", "images", "volumesInUse", "volumesAttached", "managedFields": // large, of no use
		return keepNothing
	case "command", "args":
		return keepMentions
	case "finalizers":
		return keepFinalizer
	case "expression", "messageExpression":
		return keepExpression
	}
	switch {
	case field == "value" && (parent == "env" || parent == "httpHeaders"):
		return keepMentions
	case namesDriver(field):
		return keepDriver
	case secretName(field):
		return keepMark
	}
	return keepText
}

// LeavesOut tells whether a recording never holds a field, wherever it stands: that it isn't there says nothing.
func LeavesOut(field string) bool { return keepingOf("", field) == keepNothing }

// namesDriver tells whether a field has the name of something that acts for Kubernetes (a storage driver, what runs a
// Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(field string) bool {
	return slices.Contains([]string{
		"driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to",
		"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner",
	}, field)
}

// secretName tells whether a field's name says that its value is secret.
func secretName(field string) bool {
	field = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(field))
	return strings.Contains(field, "tokensecret") || slices.ContainsFunc([]string{
		"password", "passwd", "passphrase", "passcode", "token", "secret", "apikey", "privatekey", "accesskey",
		"secretkey", "clientkey", "encryptionkey", "signingkey", "keydata", "credential", "credentials",
		"connectionstring", "dsn", "userdata", "cloudinit", "kubeconfig", "authorization",
	}, func(word string) bool { return strings.HasSuffix(field, word) })
}

// Whole tells whether a recording holds objects of a kind, RESOURCE or RESOURCE.GROUP, with their spec and status:
// those that some mechanism reads so. TestRecordingsHoldWhatMechanismsReadWhole keeps the two together.
func Whole(name string) bool { return slices.Contains(strings.Fields(wholeKinds), name) }

const wholeKinds = `
pods nodes namespaces persistentvolumeclaims persistentvolumes services events
deployments.apps statefulsets.apps daemonsets.apps replicasets.apps jobs.batch cronjobs.batch
leases.coordination.k8s.io endpointslices.discovery.k8s.io
customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
volumeattachments.storage.k8s.io storageclasses.storage.k8s.io csidrivers.storage.k8s.io
csinodes.storage.k8s.io volumeattributesclasses.storage.k8s.io resourceclaims.resource.k8s.io servicecidrs.networking.k8s.io
ipaddresses.networking.k8s.io volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io
podgroups.scheduling.k8s.io poddisruptionbudgets.policy roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`

// neverWhole tells whether no more than metadata is held of objects of a kind: their content may be secret.
func neverWhole(name string) bool { return name == "secrets" || name == "configmaps" }

// early are the resources that are recorded first: Leases, because their age is judged by the time of recording, and
// what names drivers, because workloads are searched for these names (clean.go).
const early = `
leases.coordination.k8s.io csidrivers.storage.k8s.io storageclasses.storage.k8s.io volumeattachments.storage.k8s.io
volumeattributesclasses.storage.k8s.io persistentvolumes jobs.batch`
