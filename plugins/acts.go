package plugins

import (
	"regexp"
	"slices"
)

// Act is a write that a controller makes in the held object's namespace before it removes the finalizer.
type Act struct {
	// Verb is the one that it needs the right for: create, delete or deletecollection.
	Verb string `json:"verb"`
	// Resource is the resource of what it creates or deletes, as PLURAL or PLURAL.GROUP.
	Resource string `json:"resource"`
	// Where is a CEL expression that is true for what it creates or deletes, as that of a wait. A creation is due while
	// there is no such object, and a deletion while there is one that isn't being deleted.
	Where string `json:"where"`
}

// Creates reports whether an act is a creation: nothing can be created in a namespace that is being deleted.
func (a Act) Creates() bool { return a.Verb == "create" }

func (v *validator) act(field string, act Act) {
	verbs := []string{"create", "delete", "deletecollection"}
	v.check(field+".verb", slices.Contains(verbs, act.Verb), "%q is not one of %v", act.Verb, verbs)
	v.check(field+".resource", regexp.MustCompile(resourceForm).MatchString(act.Resource),
		"%q is not of the form PLURAL, PLURAL.GROUP or PLURAL.*", act.Resource)
	v.where(field+".where", act.Where, act.Resource)
}
