package snapshot

import (
	_ "embed" // the fields that are read
	"slices"
	"strings"
	"sync"
)

//go:generate go run ../../hack/reads ../.. read_fields.txt

// readFields are the fields that the program reads of whole objects of Kubernetes' own kinds. They are found in the
// program itself (hack/reads), whose test fails when the file falls behind.
//
//go:embed read_fields.txt
var readFields string

// plan says what of a value is read, and kept: fields of a struct, or what kind says.
type plan struct {
	kind   planKind
	fields map[string]*plan
}

type planKind int

const (
	keptValue    planKind = iota // a number, a truth, a text or a list of these
	keptStruct                   // fields
	keptTexts                    // texts by their names: labels, selectors
	keptMetadata                 // the metadata of a template
)

// field returns what of a field is read; nil for nothing. A plan may be nil.
func (p *plan) field(name string) *plan {
	if p == nil {
		return nil
	}
	return p.fields[name]
}

// plans returns what is read of Kubernetes' own kinds, KIND or KIND.GROUP.
var plans = sync.OnceValue(func() map[string]*plan {
	kinds, types := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(readFields) {
		switch words := strings.Fields(line); {
		case len(words) < 2:
		case words[0] == "kind":
			kinds[words[1]] = words[2:]
		case words[0] == "type":
			types[words[1]] = words[2:]
		}
	}
	all := map[string]*plan{}
	for kind, roots := range kinds {
		all[kind] = &plan{kind: keptStruct, fields: map[string]*plan{}}
		for _, root := range roots {
			all[kind].add(types, root)
		}
	}
	return all
})

// add adds the fields of a type, below those that are there.
func (p *plan) add(types map[string][]string, name string) {
	for _, field := range types[name] {
		field, of, typed := strings.Cut(field, ":")
		inner := p.fields[field]
		if inner == nil {
			inner = &plan{}
			p.fields[field] = inner
		}
		switch {
		case !typed:
		case of == "texts":
			inner.kind = keptTexts
		case of == "metadata":
			inner.kind = keptMetadata
		default:
			inner.kind = keptStruct
			if inner.fields == nil {
				inner.fields = map[string]*plan{}
			}
			inner.add(types, of)
		}
	}
}

// keeping says what a recording holds of a text that is kept.
type keeping int

const (
	keepText       keeping = iota // all that doesn't look like a credential
	keepMark                      // that it is there
	keepMentions                  // the names of drivers, groups and finalizers that it mentions (clean_text.go)
	keepDriver                    // the name of a driver, which other fields are searched for
	keepFinalizer                 // the name of a finalizer, which other fields are searched for
	keepExpression                // a CEL expression: a program that compares tokens isn't one
)

// keepingOf returns what a recording holds of a text, from the name of its field and of the field that this stands in.
func keepingOf(parent, field string) keeping {
	switch field {
	case "command", "args":
		return keepMentions
	case "finalizers":
		return keepFinalizer
	case "expression", "messageExpression", "valueExpression":
		return keepExpression
	}
	switch {
	case field == "value" && parent == "env":
		return keepMentions
	case namesDriver(field):
		return keepDriver
	case secretName(field):
		return keepMark
	}
	return keepText
}

// namesDriver tells whether a field has the name of something that acts for Kubernetes (a storage driver, what runs a
// Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(field string) bool {
	return slices.Contains([]string{
		"driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to",
		"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner",
	}, field)
}

// Whole tells whether a recording holds objects of a kind, RESOURCE or RESOURCE.GROUP, with what is read of their spec
// and status: those that some mechanism reads so. TestRecordingsHoldWhatMechanismsReadWhole keeps the two together.
func Whole(name string) bool { return slices.Contains(strings.Fields(wholeKinds), name) }

const wholeKinds = `
pods nodes namespaces persistentvolumeclaims persistentvolumes services events
deployments.apps statefulsets.apps daemonsets.apps replicasets.apps jobs.batch cronjobs.batch
leases.coordination.k8s.io endpointslices.discovery.k8s.io
customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
volumeattachments.storage.k8s.io csinodes.storage.k8s.io resourceclaims.resource.k8s.io servicecidrs.networking.k8s.io
ipaddresses.networking.k8s.io volumesnapshots.snapshot.storage.k8s.io volumesnapshotcontents.snapshot.storage.k8s.io
poddisruptionbudgets.policy roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`

// neverWhole tells whether no more than metadata is held of objects of a kind: their content may be secret.
func neverWhole(name string) bool { return name == "secrets" || name == "configmaps" }

// early are the resources that are recorded first: Leases, because their age is judged by the time of recording, what
// names drivers, because workloads are searched for these names (clean_text.go), and what asks for fields of other
// objects (asked.go).
const early = `
leases.coordination.k8s.io csidrivers.storage.k8s.io volumeattachments.storage.k8s.io persistentvolumes jobs.batch
customresourcedefinitions.apiextensions.k8s.io
validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
validatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicies.admissionregistration.k8s.io`
