package statuses

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// PlainNames returns what the text fields of an object's spec may name without the shape of a reference, as project:
// default does: only who knows that there is an AppProject default can tell. It does not go deeper, where fields of
// these names mean anything.
func PlainNames(object *unstructured.Unstructured) (found []Reference) {
	spec, _, _ := unstructured.NestedMap(object.Object, "spec")
	for _, key := range slices.Sorted(maps.Keys(spec)) {
		if name, text := spec[key].(string); text && name != "" {
			kinds := []string{strings.Join(wordsOf(key), "")}
			found = append(found, Reference{Path: "spec." + key, Kinds: kinds, Name: name})
		}
	}
	return found
}

// KindEndsWith reports whether the last words of a kind are a given one: AppProject ends with project, and not with
// ect.
func KindEndsWith(kind, word string) bool {
	at := len(kind) - len(word)
	return word != "" && at >= 0 && strings.EqualFold(kind[at:], word) && kind[at] >= 'A' && kind[at] <= 'Z'
}
