package files

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// resource returns where objects of a kind are served, as far as manifests tell: by their definition, by
// the name of the folder that they lay in, or else by the rule of English.
func (a *assembly) resource(kind schema.GroupVersionKind) cluster.Resource {
	if known, is := a.kinds[kind]; is {
		return known
	}
	resource := cluster.Resource{GroupVersionResource: guess(kind), Kind: kind.Kind, Singular: strings.ToLower(kind.Kind), Verbs: allVerbs()}
	for key := range a.objects[kind] {
		resource.Namespaced = resource.Namespaced || key.namespace != ""
	}
	for _, list := range a.listed {
		resource.Namespaced = resource.Namespaced || list.kind == kind && list.namespace != ""
	}
	if plural, is := a.plural(kind); is {
		resource.Resource = plural
	}
	for other, known := range a.kinds { // in another version
		if other.GroupKind() == kind.GroupKind() {
			resource = known
			resource.Version = kind.Version
		}
	}
	a.kinds[kind] = resource
	return resource
}

// named learns from the place of a file what its objects are called.
func (a *assembly) named(at location) {
	if at.resource != "" && len(a.plurals) < mostPlurals {
		a.plurals[location{group: at.group, resource: at.resource}] = true
	}
}

// mostPlurals is more than any cluster serves.
const mostPlurals = 20_000

// plural finds the name of a folder that is a kind's: gateways of Gateway, of which the rule would make
// gatewaies.
func (a *assembly) plural(kind schema.GroupVersionKind) (string, bool) {
	stem := strings.ToLower(kind.Kind)
	for _, plural := range []string{guess(kind).Resource, stem + "s", stem + "es", stem, strings.TrimSuffix(stem, "y") + "ies"} {
		if a.plurals[location{group: kind.Group, resource: plural}] {
			return plural, true
		}
	}
	return "", false
}

// define learns from a definition what its objects are called.
func (a *assembly) define(definition *unstructured.Unstructured) {
	spec, _ := definition.Object["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	text := func(from map[string]any, key string) string { value, _ := from[key].(string); return value }
	versions, _ := spec["versions"].([]any)
	for _, one := range versions {
		version, _ := one.(map[string]any)
		if served, _ := version["served"].(bool); !served || text(names, "plural") == "" || text(names, "kind") == "" {
			continue
		}
		resource := cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{Group: text(spec, "group"), Version: text(version, "name"), Resource: text(names, "plural")},
			Kind:                 text(names, "kind"), Singular: text(names, "singular"), Namespaced: text(spec, "scope") == "Namespaced", Verbs: allVerbs(),
		}
		short, _ := names["shortNames"].([]any)
		for _, name := range short {
			if name, is := name.(string); is {
				resource.ShortNames = append(resource.ShortNames, name)
			}
		}
		// Nothing redefines a kind of Kubernetes itself.
		if kind := resource.GroupVersion().WithKind(resource.Kind); a.kinds[kind].Resource == "" && resource.Version != "" {
			a.kinds[kind] = resource
		}
	}
}

// number reads a resourceVersion.
func number(version string) uint64 {
	number, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return number
}
