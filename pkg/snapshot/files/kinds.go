package files

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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
	var spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Plural     string   `json:"plural"`
			Singular   string   `json:"singular"`
			Kind       string   `json:"kind"`
			ShortNames []string `json:"shortNames"`
		} `json:"names"`
		Versions []struct {
			Name   string `json:"name"`
			Served bool   `json:"served"`
		} `json:"versions"`
	}
	fields, _ := definition.Object["spec"].(map[string]any)
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &spec) != nil {
		return
	}
	for _, version := range spec.Versions {
		names, kind := spec.Names, schema.GroupVersionKind{Group: spec.Group, Version: version.Name, Kind: spec.Names.Kind}
		// Nothing redefines a kind of Kubernetes itself.
		if !version.Served || names.Plural == "" || kind.Kind == "" || kind.Version == "" || a.kinds[kind].Resource != "" {
			continue
		}
		a.kinds[kind] = cluster.Resource{
			GroupVersionResource: kind.GroupVersion().WithResource(names.Plural), Kind: kind.Kind, Namespaced: spec.Scope == "Namespaced",
			Singular: names.Singular, ShortNames: names.ShortNames, Verbs: allVerbs(),
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
