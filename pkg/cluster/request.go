package cluster

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// InvalidPart is the error of a request that is not sent: one of the names in its path would lead to another path. Who
// may write a reference in some object, or ask for an assistant, would choose with it what is requested with the rights
// of the user. No object can have this name, and what a reference with it leads to is not known.
type InvalidPart struct {
	Part  string // of the path: name, namespace, …
	Value string
	why   []string
}

// mostOfValue is how much of a wrong name a message quotes, in letters: the author of a reference chooses its length.
const mostOfValue = 100

// Error implements error.
func (e *InvalidPart) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("the %s is empty, so nothing was requested", e.Part)
	}
	why := strings.Join(e.why, ", ")
	return fmt.Sprintf("the %s %.*q is not valid (%s), so nothing was requested", e.Part, mostOfValue, e.Value, why)
}

// part is one segment of a path, and what it is.
type part struct{ what, value string }

// at is the path of a group version.
func at(version schema.GroupVersion) []part {
	if version.Group == "" {
		return []part{{"prefix", "api"}, {"version", version.Version}}
	}
	return []part{{"prefix", "apis"}, {"group", version.Group}, {"version", version.Version}}
}

// list is the path of a resource's objects: in a namespace, or without one in all of them.
func (r Resource) list(namespace string) []part {
	path := at(r.GroupVersion())
	if r.Namespaced && namespace != "" {
		path = append(path, part{"prefix", "namespaces"}, part{"namespace", namespace})
	}
	return append(path, part{"resource", r.Resource})
}

// names reports whether this is what a reference without a version leads to: no kind that is served, but valid names.
// There is no such object, and nothing to request.
func (r Resource) names(namespace, name string) bool {
	unserved := r.Version == ""
	r.Version = "v1"
	return unserved && checkAll(r.object(namespace, name)) == nil
}

// object is the path of one object of a resource, or of one of its subresources. Without its namespace, or its name,
// the path would be that of something else.
func (r Resource) object(namespace, name string, subresources ...string) []part {
	path := at(r.GroupVersion())
	if r.Namespaced {
		path = append(path, part{"prefix", "namespaces"}, part{"namespace", namespace})
	}
	path = append(path, part{"resource", r.Resource}, part{"name", name})
	for _, subresource := range subresources {
		path = append(path, part{"subresource", subresource})
	}
	return path
}

// request makes a request for a path. It is the only place where one is made, because client-go joins what a path is
// made of without a look at it: `../../kube-system/secrets/x` as a name leads to another object of another kind. What
// is not one segment of a path is an InvalidPart, as Kubernetes judges it.
func request(client rest.Interface, verb string, path []part) (*rest.Request, error) {
	if err := checkAll(path); err != nil {
		return nil, err
	}
	segments := make([]string, len(path))
	for i, one := range path {
		segments[i] = one.value
	}
	return client.Verb(verb).AbsPath(segments...), nil
}

// checkAll returns an InvalidPart for the first part of a path that isn't a segment.
func checkAll(path []part) error {
	for _, one := range path {
		if err := one.check(); err != nil {
			return err
		}
	}
	return nil
}

// check returns an InvalidPart where a part isn't a segment of a path.
func (p part) check() error {
	why := content.IsPathSegmentName(p.value)
	if !utf8.ValidString(p.value) { // what it would be in a selector, or in a log, is another name
		why = append(why, "must be UTF-8")
	}
	if len(why) > 0 || p.value == "" {
		return &InvalidPart{Part: p.what, Value: p.value, why: why}
	}
	return nil
}

// CheckName returns an InvalidPart for a name that no object can have, and for a namespace that can't be.
func CheckName(namespace, name string) error {
	for _, one := range []part{{"namespace", namespace}, {"name", name}} {
		if err := one.check(); err != nil && one.value != "" {
			return err
		}
	}
	return nil
}

// EventsAbout is the terms of Selector.Fields for the events about an object: by its name where its uid isn't known, as
// in what people paste.
func EventsAbout(kind, name, uid string) string {
	if uid == "" {
		return FieldIs("involvedObject.kind", kind) + "," + FieldIs("involvedObject.name", name)
	}
	return FieldIs("involvedObject.uid", uid)
}

// WithNode selects the pods that have a Node: one without is no user of anything yet.
func WithNode() Selector { return Selector{Fields: "spec.nodeName!="} }

// FieldIs is a term of Selector.Fields: that a field has a value. A name with a comma in it stays one.
func FieldIs(field, value string) string { return fields.OneTermEqualSelector(field, value).String() }
