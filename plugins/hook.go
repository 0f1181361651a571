package plugins

import (
	"maps"
	"slices"
	"strings"
)

// Hook is a kind of annotation by which another program keeps a controller from continuing with a deletion, until it
// removes the annotation itself. The value names that program, by convention.
type Hook struct {
	// Annotation is how the names of these annotations begin: pre-drain.delete.hook.example.com.
	Annotation string `json:"annotation"`
	// Before says what is not done as long as one is there: a clause, "its node is drained".
	Before string `json:"before"`
	// If is a JSONPath: only for objects that have that field, they are waited for.
	If string `json:"if,omitempty"`
	// First says that they come before the drain of the Node; else that comes before them.
	First bool `json:"first,omitempty"`
}

// Of returns the names of the annotations of this kind that an object has.
func (h Hook) Of(annotations map[string]string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if strings.HasPrefix(name, h.Annotation) {
			names = append(names, name)
		}
	}
	return names
}

// readHooks returns what is read of whole objects to find hooks.
func (f Finalizer) readHooks() (all []Reads) {
	for _, one := range f.Hooks {
		for _, path := range PathsIn(one.If) {
			all = append(all, Reads{Kinds: f.Kinds, Path: path})
		}
	}
	return all
}

func (v *validator) hooks(field string, hooks []Hook) {
	for i, one := range hooks {
		v.check(item(field, i)+".annotation", strings.Contains(one.Annotation, "."),
			"%q is no beginning of an annotation's name with a domain", one.Annotation)
		v.check(item(field, i)+".before", one.Before != "", "it is missing")
		v.check(item(field, i)+".if", one.If == "" || walkable(one.If),
			"%q is no JSONPath through fields alone, such as {.status.nodeRef.name}", one.If)
	}
}
