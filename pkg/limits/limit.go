// Package limits says what the template of a program limits it to: the namespaces, labels, classes, kinds or share of
// the objects that it acts on. It reads nothing.
//
// This package may change at any time.
package limits

import (
	"path"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Limit is what a program's template says of the objects that it acts on: the namespaces that they are in, the labels
// that they have, their classes, or their kinds.
type Limit struct {
	Setting    string // as it is read: WATCH_NAMESPACE=one,two
	Namespaces []string
	Except     bool   // Namespaces are those in which it does nothing
	Off        bool   // it acts on no object of the kind
	ConfigMap  string // that gives the setting, in the program's namespace; empty if the template itself does
	Home       bool   // the object says where its program is: in another namespace
	Own        bool   // it acts in its own namespace alone, as the catalogue says of it
	// Unsure says that the setting may mean something else: --namespace is often where a program itself lives, and
	// --label-selector may be about what it looks up.
	Unsure bool

	selector labels.Selector // nil where labels aren't what it is limited to
	places   labels.Selector // nil where the labels of namespaces aren't
	classes  *classes        // nil where classes aren't
	share    *share          // nil where no share of the objects is
	trait    *trait          // nil where a trait isn't what it may be told from others by
}

// OwnNamespace is the limit of a program that acts on nothing outside the namespace that it runs in.
func OwnNamespace(namespace string) Limit {
	return Limit{Setting: "its own namespace=" + namespace, Namespaces: []string{namespace}, Own: true}
}

// ByClasses reports whether a limit is about the classes of objects.
func (l Limit) ByClasses() bool { return l.classes != nil }

// ByShare reports whether a limit is about a share of the objects.
func (l Limit) ByShare() bool { return l.share != nil }

// ByTenant reports whether a limit is about the share of a tenant.
func (l Limit) ByTenant() bool { return l.share.tenants() }

// BySelector reports whether a limit is about the labels of objects.
func (l Limit) BySelector() bool { return l.selector != nil }

// ByPlaces reports whether a limit is about the labels of namespaces.
func (l Limit) ByPlaces() bool { return l.places != nil }

// Surroundings are what a limit may ask for beside an object's metadata.
type Surroundings struct {
	Classes []Class
	Labels  map[string]string // of its namespace
	Fields  map[string]string // the texts in its spec
}

// Excludes reports whether an object is none that a program with this limit acts on. meta is nil where its labels and
// annotations are not known.
func (l Limit) Excludes(namespace string, meta *metav1.PartialObjectMetadata, around Surroundings) bool {
	switch {
	case l.Off:
		return true
	case l.trait != nil:
		return false // only beside others: LeftToAnother
	case l.share != nil:
		return l.share.excludes(namespace, meta, around)
	case l.classes != nil:
		return l.classes.exclude(around.Classes)
	case l.places != nil:
		return namespace != "" && !l.places.Matches(labels.Set(around.Labels))
	}
	if l.selector != nil {
		return meta == nil || !l.selector.Matches(labels.Set(meta.Labels))
	}
	if l.Except {
		return slices.ContainsFunc(l.Namespaces, func(pattern string) bool {
			matches, err := path.Match(pattern, namespace)
			return err == nil && matches && namespace != ""
		})
	}
	return namespace != "" && !slices.Contains(l.Namespaces, namespace)
}
