package mechanism

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// use is what a declaration says: that one object is used, perhaps by another, perhaps for a reason.
type use struct {
	of, by []reference
	reason string
}

// reference names an object as fields of specs do: by kind and name, or by kind and labels.
type reference struct {
	group           *string // nil where it doesn't say
	kind            string
	namespace, name string
	labels          map[string]string
}

// useIn reads a declaration: Crossplane's Usage has spec.of and spec.by, each with apiVersion, kind, and a
// resourceRef.name or resourceSelector.matchLabels (crossplane apis/protection/v1beta1/usage_types.go), and others are
// alike. Whom a field of the spec names is used, unless its name says that it is the user.
func useIn(declaration *Object) (found use) {
	spec := specOf(declaration)
	found.reason, _, _ = unstructured.NestedString(spec, "reason")
	if of, names := referenceIn(spec); names {
		found.of = append(found.of, of)
	}
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		for _, one := range listed(spec[field]) {
			named, names := referenceIn(one)
			switch {
			case names && namesUser(field):
				found.by = append(found.by, named)
			case names:
				found.of = append(found.of, named)
			}
		}
	}
	return found
}

func specOf(object *Object) map[string]any {
	spec, _, _ := unstructured.NestedFieldNoCopy(object.Whole.Object, "spec")
	fields, _ := spec.(map[string]any)
	return fields
}

// fieldFor returns the field of an object's spec that refers to another by its kind, as databaseRef, database or
// databaseNames; empty if none does.
func fieldFor(held, object *Object) string {
	spec, kind := specOf(object), strings.ToLower(held.Resource.Kind)
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		name := strings.TrimSuffix(strings.ToLower(field), "s")
		if !slices.Contains([]string{kind, kind + "ref", kind + "name", kind + "reference"}, name) {
			continue
		}
		values, isList := spec[field].([]any)
		if !isList {
			values = []any{spec[field]}
		}
		for _, value := range values {
			if text, is := value.(string); is {
				value = map[string]any{"name": text}
			}
			one, _ := value.(map[string]any)
			if named, _ := referenceIn(one); named.name != "" {
				named.kind = held.Resource.Kind
				if named.means(held, object) {
					return "spec." + field
				}
			}
		}
	}
	return ""
}

// namesUser reports whether a field has a name for who uses something.
func namesUser(field string) bool {
	field = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(field), "s"), "ref")
	users := []string{"by", "usedby", "user", "consumer", "consumedby", "dependent", "client", "holder"}
	return slices.Contains(users, field)
}

func listed(value any) []map[string]any {
	switch value := value.(type) {
	case map[string]any:
		return []map[string]any{value}
	case []any:
		var all []map[string]any
		for _, item := range value {
			if one, is := item.(map[string]any); is {
				all = append(all, one)
			}
		}
		return all
	}
	return nil
}

// referenceIn reads a field that names an object: {kind, name}, or the name in a field of its own, as resourceRef.
func referenceIn(field map[string]any) (named reference, names bool) {
	text := func(of map[string]any, key string) string {
		value, _ := of[key].(string)
		return value
	}
	for _, key := range append([]string{""}, statuses.ReferenceKeys()...) {
		at := field
		if key != "" {
			inner, is := field[key].(map[string]any)
			if !is {
				continue
			}
			at = inner
		}
		named.kind = cmp.Or(named.kind, text(at, "kind"))
		named.name = cmp.Or(named.name, text(at, "name"))
		named.namespace = cmp.Or(named.namespace, text(at, "namespace"))
		for _, key := range []string{"apiGroup", "group"} {
			if group, says := at[key].(string); says {
				named.group = &group
			}
		}
		if version, err := schema.ParseGroupVersion(text(at, "apiVersion")); err == nil && version.Version != "" {
			named.group = &version.Group
		}
	}
	for _, key := range statuses.SelectorKeys() {
		found, says, err := unstructured.NestedStringMap(field, key, "matchLabels")
		if says && err == nil {
			named.labels = found
		}
	}
	return named, named.kind != "" && (named.name != "" || len(named.labels) > 0)
}

// means reports whether a reference in a declaration names an object.
func (r reference) means(object, declaration *Object) bool {
	if !strings.EqualFold(r.kind, object.Resource.Kind) || r.group != nil && *r.group != object.Resource.Group {
		return false
	}
	namespace := cmp.Or(r.namespace, declaration.Ref.Namespace)
	if object.Resource.Namespaced && namespace != "" && namespace != object.Ref.Namespace {
		return false
	}
	if r.name != "" {
		return r.name == object.Ref.Name
	}
	return object.Meta != nil && labels.SelectorFromSet(r.labels).Matches(labels.Set(object.Meta.Labels))
}
