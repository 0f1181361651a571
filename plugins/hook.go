package plugins

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Hook is a kind of annotation, or of item in a list, by which another program keeps a controller from continuing with
// a deletion, until it removes that itself. The value, or the item's owner, names that program.
type Hook struct {
	// Annotation is how the names of these annotations begin: pre-drain.delete.hook.example.com.
	Annotation string `json:"annotation,omitempty"`
	// Path is a JSONPath of a list of hooks, each with a name and an owner; instead of Annotation.
	Path string `json:"path,omitempty"`
	// Before says what is not done as long as one is there: a clause, "its node is drained".
	Before string `json:"before"`
	// If is a JSONPath: only for objects that have that field, they are waited for.
	If string `json:"if,omitempty"`
	// First says that they come before the drain of the Node; else that comes before them.
	First bool `json:"first,omitempty"`
}

// Item is a hook in a list of an object.
type Item struct {
	Path        []string // of the list
	At          int
	Name, Owner string
}

// In returns the hooks of this kind in a list of an object.
func (h Hook) In(object map[string]any) (items []Item) {
	for _, path := range PathsIn(h.Path) {
		list, _, _ := unstructured.NestedSlice(object, path...)
		for at, each := range list {
			if fields, is := each.(map[string]any); is {
				name, _ := fields["name"].(string)
				owner, _ := fields["owner"].(string)
				items = append(items, Item{Path: path, At: at, Name: name, Owner: owner})
			}
		}
	}
	return items
}

// Of returns the names of the annotations of this kind that an object has.
func (h Hook) Of(annotations map[string]string) (names []string) {
	if h.Annotation == "" {
		return nil
	}
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
		for _, path := range PathsIn(one.Path) {
			for _, field := range []string{"name", "owner"} {
				all = append(all, Reads{Kinds: f.Kinds, Path: append(slices.Clone(path), field)})
			}
		}
	}
	return all
}

func (v *validator) hooks(field string, hooks []Hook) {
	for i, one := range hooks {
		v.check(item(field, i)+".annotation", one.Path != "" || strings.Contains(one.Annotation, "."),
			"%q is no beginning of an annotation's name with a domain", one.Annotation)
		v.check(item(field, i)+".path", one.Path == "" || one.Annotation == "" && walkable(one.Path),
			"%q is no JSONPath through fields alone, or there is an annotation, too", one.Path)
		v.check(item(field, i)+".before", one.Before != "", "it is missing")
		v.check(item(field, i)+".if", one.If == "" || walkable(one.If),
			"%q is no JSONPath through fields alone, such as {.status.nodeRef.name}", one.If)
	}
}
