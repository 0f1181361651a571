package plugins

import (
	"regexp"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

// Need is an object that a controller needs in a certain state for the cleanup.
type Need struct {
	// Through leads from the held object to the needed one: each names the next, and the last is the needed one. If one
	// doesn't exist, nothing is needed.
	Through []Named `json:"through"`
	// Unless is a CEL expression that is true while the needed object can be used. In it, object is that object, and self
	// the held one.
	Unless string `json:"unless"`
	// Says completes the sentence "OBJECT …", of one that can't be used: is not available.
	Says string `json:"says"`
	// Words is a JSONPath of what the needed object says of that itself.
	Words string `json:"words,omitempty"`
}

// Named is an object that another one names: in the namespace of the held object, if its kind has namespaces.
type Named struct {
	// Resource is its resource, as PLURAL.GROUP.
	Resource string `json:"resource"`
	// Named is a JSONPath of its name, in the held object or in the one before.
	Named string `json:"named"`
}

func (v *validator) need(field string, need Need) {
	v.check(field+".through", len(need.Through) > 0, "it is missing")
	for i, one := range need.Through {
		v.named(item(field+".through", i), one)
	}
	v.check(field+".says", need.Says != "", "it is missing")
	if need.Words != "" {
		v.path(field+".words", need.Words, "{.status.message}")
	}
	_, err := v.conditions.Compile(need.Unless)
	v.check(field+".unless", need.Unless != "" && err == nil, "no CEL expression over self and object: %v", err)
}

func (v *validator) named(at string, one Named) {
	v.check(at+".resource", regexp.MustCompile(resourceForm).MatchString(one.Resource) &&
		!strings.HasSuffix(one.Resource, "*") && one.Resource != "secrets" && one.Resource != "configmaps",
		"%q is not of the form PLURAL.GROUP, or must not be read whole", one.Resource)
	v.path(at+".named", one.Named, "{.spec.name}")
}

func (v *validator) path(field, path, example string) {
	err := jsonpath.New(field).Parse(path)
	v.check(field, err == nil && strings.HasPrefix(path, "{."), "%q is no JSONPath of the form %s", path, example)
}

// readNeeds returns what is read of whole objects to find out whether a controller has what it needs.
func (f Finalizer) readNeeds(expression func(text, objects string)) (all []Reads) {
	for _, need := range f.Needs {
		from := Reads{Kinds: f.Kinds}
		add := func(text string) {
			for _, path := range PathsIn(text) {
				all = append(all, Reads{Kinds: from.Kinds, Resource: from.Resource, Path: path})
			}
		}
		for _, one := range need.Through {
			add(one.Named)
			from = Reads{Resource: one.Resource}
		}
		add(need.Words)
		expression(need.Unless, from.Resource)
	}
	return all
}
