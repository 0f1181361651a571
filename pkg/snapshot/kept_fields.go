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

// add adds the fields of a type, below the ones that are there.
func (p *plan) add(types map[string][]string, name string) {
	for _, field := range types[name] {
		field, text, typed := strings.Cut(field, ":")
		inner := p.fields[field]
		if inner == nil {
			inner = &plan{}
			p.fields[field] = inner
		}
		switch {
		case !typed:
		case text == "texts":
			inner.kind = keptTexts
		case text == "metadata":
			inner.kind = keptMetadata
		default:
			inner.kind = keptStruct
			if inner.fields == nil {
				inner.fields = map[string]*plan{}
			}
			inner.add(types, text)
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

// keepingOf returns what a recording holds of a text, from the name of its field and of the field that this is in.
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

// namesDriver reports whether a field has the name of something that acts for Kubernetes (a storage driver, what runs a
// Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(field string) bool {
	return slices.Contains([]string{
		"driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to",
		"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner",
	}, field)
}

// readAnnotations are the ones that are read, beside what the catalogue and policies ask for.
const readAnnotations = `
meta.helm.sh/release-name meta.helm.sh/release-namespace kubernetes.io/config.mirror
pv.kubernetes.io/provisioned-by pv.kubernetes.io/migrated-to control-plane.alpha.kubernetes.io/leader
argocd.argoproj.io/tracking-id`

// longestUID is the longest value that is taken for a uid.
const longestUID = 63

func templateFields() *asked {
	fields := &asked{}
	for _, name := range []string{"name", "namespace", "labels", "finalizers"} {
		fields.add([]string{name})
	}
	return fields
}
