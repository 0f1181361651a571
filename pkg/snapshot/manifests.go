package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// errPartial is why nothing is known of kinds of which manifests hold no object.
var errPartial = errors.New("the files don't say what the cluster serves")

// assembly makes a recording of objects that kubectl or oc has written. It knows of each object what the
// file says, and that some lists are complete; of all else it knows nothing.
type assembly struct {
	*Recording
	kinds  map[schema.GroupVersionKind]cluster.Resource
	newest time.Time // time in any object
	beats  bool      // something in it is written every few seconds
}

func newAssembly() *assembly {
	a := &assembly{Recording: newRecording(header{Format: Format, Version: Version, Scope: "what the given files hold"}), kinds: map[schema.GroupVersionKind]cluster.Resource{}}
	for _, resource := range builtIn() {
		a.kinds[resource.GroupVersion().WithKind(resource.Kind)] = resource
	}
	return a
}

// take takes in an object. Items of lists are handed in one by one.
func (a *assembly) take(fields map[string]any) error {
	if err := tooDeep(fields, mostLevels); err != nil {
		return err
	}
	one := &unstructured.Unstructured{Object: fields}
	if one.GetKind() == "" || one.GetAPIVersion() == "" {
		return errors.New("it holds something without apiVersion or kind, which is no object of Kubernetes")
	}
	return a.addOne(one)
}

func (a *assembly) addOne(object *unstructured.Unstructured) error {
	if object.GetKind() == "CustomResourceDefinition" {
		a.define(object)
	}
	if object.GetName() == "" {
		return nil // a question to the API server, like a SubjectAccessReview, or its answer
	}
	resource := a.resource(object)
	kept := whole
	if resource.Group == "" && resource.Resource == "secrets" {
		kept = metadata // nothing of its data is of interest
		object = &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": object.Object["metadata"]}}
	}
	a.age(object)
	body, err := object.MarshalJSON()
	if err != nil {
		return err
	}
	return a.addObject(&objectLine{place: placeOf(resource), Form: kept, Namespace: object.GetNamespace(), Name: object.GetName()}, body)
}

// resource returns where an object is served, as far as a manifest tells.
func (a *assembly) resource(object *unstructured.Unstructured) cluster.Resource {
	kind := object.GroupVersionKind()
	if known, is := a.kinds[kind]; is {
		return known
	}
	resource := cluster.Resource{Kind: kind.Kind, Namespaced: object.GetNamespace() != "", Verbs: allVerbs()}
	for other, known := range a.kinds { // in another version
		if other.GroupKind() == kind.GroupKind() {
			resource = known
			resource.Version = kind.Version
		}
	}
	if resource.Resource == "" {
		resource.GroupVersionResource = guess(kind)
	}
	a.kinds[kind] = resource
	return resource
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
		a.kinds[resource.GroupVersion().WithKind(resource.Kind)] = resource
	}
}

// listed notes that all objects of a resource in a namespace are there, or all of them.
func (a *assembly) listed(resource cluster.Resource, namespace string) {
	_ = a.addRead(&readLine{place: placeOf(resource), Form: whole, Namespace: namespace}) // it fails for reads of nothing
}

// finish returns the recording. written is when the files were written, as far as that is known.
func (a *assembly) finish(ctx context.Context, written time.Time) (*Recording, error) {
	if a.objects == 0 && a.reads == 0 {
		return nil, errors.New("it holds no object of Kubernetes: neither a recording, nor manifests as kubectl get -o yaml or json prints them, nor the folder of a must-gather or kubectl cluster-info dump")
	}
	// What is written every few seconds tells the time best. Without it, no file is older than what it
	// holds, nor younger than its last change.
	if a.newest.IsZero() || !a.beats && written.After(a.newest) {
		a.newest = written
	}
	if a.newest.IsZero() {
		return nil, errors.New("nothing tells when it was written")
	}
	a.header.RecordedAt = a.newest.UTC()
	a.catalog = a.serves()
	a.ended = &endLine{Objects: a.objects, Reads: a.reads}
	return a.Recording, errors.Join(a.complete(), ctx.Err())
}

// serves is what is known to be served: each resource in one version, and all kinds that were seen.
func (a *assembly) serves() *catalogLine {
	catalog := &cluster.Catalog{Kinds: map[schema.GroupVersionKind]bool{}}
	chosen := map[schema.GroupResource]cluster.Resource{}
	for kind, resource := range a.kinds {
		catalog.Kinds[kind] = true
		other, has := chosen[resource.GroupResource()]
		held, otherHeld := a.places[placeOf(resource)] != nil, a.places[placeOf(other)] != nil
		if !has || held && !otherHeld || held == otherHeld && resource.Version < other.Version {
			chosen[resource.GroupResource()] = resource
		}
	}
	for _, resource := range chosen {
		catalog.Resources = append(catalog.Resources, resource)
	}
	line := catalogToLine(catalog)
	sortResources(line.Resources)
	line.Partial = errPartial.Error()
	return line
}

// tooDeep is an error for what is nested deeper than any object of Kubernetes.
func tooDeep(value any, left int) error {
	if left == 0 {
		return fmt.Errorf("it is nested deeper than %d levels, as no object of Kubernetes is", mostLevels)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, one := range value {
			if err := tooDeep(one, left-1); err != nil {
				return err
			}
		}
	case []any:
		for _, one := range value {
			if err := tooDeep(one, left-1); err != nil {
				return err
			}
		}
	}
	return nil
}

const mostLevels = 200
