package mechanism

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// definitionCleanup explains customresourcecleanup.apiextensions.k8s.io: a CustomResourceDefinition
// goes when none of its instances is left. kube-apiserver deletes them itself, past admission, and
// counts them in the storage version (deletion-mechanics M15).
func definitionCleanup(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Name != CleanupFinalizer || !object.is("apiextensions.k8s.io", "CustomResourceDefinition") {
		return Answer{}, false
	}
	definition, answer := wholeAs[definition](ctx, w, object)
	if definition == nil {
		return answer, true
	}
	resource := definition.resource()
	instances, err := w.list(ctx, resource, "")
	if err != nil {
		if answer, damaged := w.storageAnswer(ctx, object, err.Error(), true); damaged {
			return answer, true
		}
		return unread(resource.QualifiedName()+" in all namespaces", err), true
	}
	var alive []*Object
	for _, instance := range instances {
		answer.Waits = append(answer.Waits, Wait{Blocker: instance})
		if !instance.Terminating() {
			alive = append(alive, instance)
		}
	}
	damaged := false
	if len(alive) > 0 || len(instances) == 0 {
		damaged = definition.addReported(ctx, w, object, &answer)
	}
	if !damaged && (len(alive) > 0 || len(instances) == 0) {
		answer.add(w.cleanupPending(ctx, object, hold, resource, alive))
	}
	return answer, true
}

// addReported adds what the condition Terminating says of storage that can't be read: a list in pages,
// such as ours, may still show the instances that can.
func (d *definition) addReported(ctx context.Context, w *World, object *Object, answer *Answer) bool {
	for _, condition := range d.Status.Conditions {
		if condition.Type != "Terminating" || condition.Status != metav1.ConditionTrue {
			continue
		}
		at := condition.LastTransitionTime.Time
		said := graph.Evidence{Source: object.Ref.String(), Observed: fmt.Sprintf("condition Terminating: %s: %s", condition.Reason, condition.Message), Object: &object.Ref, At: &at}
		if reported, damaged := w.storageAnswer(ctx, object, condition.Message, false, said); damaged {
			answer.add(reported)
			return true
		}
	}
	return false
}

// cleanupPending answers for instances that kube-apiserver has not deleted, or for none that are left.
func (w *World) cleanupPending(ctx context.Context, object *Object, hold graph.Hold, resource cluster.Resource, alive []*Object) Answer {
	awaited := fmt.Sprintf("kube-apiserver to delete %d %s", len(alive), resource.QualifiedName())
	if len(alive) == 0 {
		awaited = fmt.Sprintf("kube-apiserver to release %s, of which no instance is left", object.Ref)
		// The instances are deleted past admission; the definition itself isn't.
		if refused := w.refused(ctx, removal(object, hold.Name, "system:apiserver")); refused.found() {
			return refused.answer
		}
	}
	note := Note{Message: fmt.Sprintf("%s waits for %s.", object.Ref, awaited), Awaited: awaited}
	if w.since(object) < patience {
		return progress(note)
	}
	if evidence, falls := w.falls(ctx, alive, deleted); falls {
		note.Evidence = []graph.Evidence{evidence}
		return progress(note)
	}
	return open(note)
}

// definition is what of a CustomResourceDefinition tells how to read its instances.
type definition struct {
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Plural string `json:"plural"`
			Kind   string `json:"kind"`
		} `json:"names"`
		Versions []struct {
			Name    string `json:"name"`
			Storage bool   `json:"storage"`
			Served  bool   `json:"served"`
		} `json:"versions"`
		Conversion struct {
			Strategy string `json:"strategy"`
			Webhook  *struct {
				ClientConfig struct {
					URL     string `json:"url"`
					Service *struct {
						Namespace string `json:"namespace"`
						Name      string `json:"name"`
						Port      int32  `json:"port"`
					} `json:"service"`
				} `json:"clientConfig"`
			} `json:"webhook"`
		} `json:"conversion"`
	} `json:"spec"`
	Status struct {
		StoredVersions []string           `json:"storedVersions"`
		Conditions     []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// resource is the instances' resource in the storage version, which needs no conversion, or in a
// served one if the storage version isn't.
func (d *definition) resource() cluster.Resource {
	version := ""
	for _, candidate := range d.Spec.Versions {
		if candidate.Served && (version == "" || candidate.Storage) {
			version = candidate.Name
		}
	}
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: d.Spec.Group, Version: version, Resource: d.Spec.Names.Plural},
		Kind:                 d.Spec.Names.Kind, Namespaced: d.Spec.Scope == "Namespaced",
	}
}
