package finding

import (
	"cmp"
	"strings"
)

// Ref names one Kubernetes object. Its JSON form is that of the result (docs/json.md).
type Ref struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	UID        string `json:"uid,omitempty"`
}

// Group returns the API group; the core group is the empty string.
func (r Ref) Group() string {
	group, _, found := strings.Cut(r.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// Path returns NAMESPACE/NAME, or NAME for what has no namespace.
func (r Ref) Path() string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

// String returns the object's name as people read it: Kind namespace/name.
func (r Ref) String() string { return r.Kind + " " + r.Path() }

// place is where the object stands, whichever version it is read in and whatever its uid: the name
// by which one object is known to somebody who has not read it.
func (r Ref) Place() Ref {
	return Ref{APIVersion: r.Group(), Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// Compare orders references by kind, namespace and name, for sorted output.
func Compare(a, b Ref) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.UID, b.UID),
	)
}

// SameAs tells whether two references are to one object, as far as they tell.
func (r Ref) SameAs(other Ref) bool {
	if r.UID != "" && other.UID != "" {
		return r.UID == other.UID
	}
	return r.Place() == other.Place()
}
