package mechanism

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// inStoredVersion returns a resource in the version that its objects are stored in, when a read
// failed because they could not be converted to another: reading them as they are needs no
// conversion (deletion-mechanics M19-3). The failure is remembered: it is a finding.
func (w *World) inStoredVersion(ctx context.Context, resource cluster.Resource, failure error) (cluster.Resource, bool) {
	found := damages(failure.Error())
	if len(found) == 0 || !found[0].conversion() {
		return resource, false
	}
	whole, err := w.Reader.Get(ctx, cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	if err != nil {
		return resource, false
	}
	definition, err := as[definition](whole)
	if err != nil {
		return resource, false
	}
	w.mu.Lock()
	if w.damaged == nil {
		w.damaged = map[schema.GroupResource]string{}
	}
	w.damaged[resource.GroupResource()] = failure.Error()
	w.mu.Unlock()
	stored := resource
	stored.Version = definition.resource().Version
	return stored, stored.Version != resource.Version
}

// readStored reads an object in its stored version after a read in another failed.
func (w *World) readStored(ctx context.Context, resource cluster.Resource, namespace, name string, failure error) (*Object, error) {
	stored, other := w.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	meta, err := w.Reader.Metadata(ctx, stored, namespace, name)
	if err != nil {
		return nil, failure
	}
	return FromMetadata(stored, meta), nil
}

// listStored lists objects in their stored version after a list in another failed.
func (w *World) listStored(ctx context.Context, resource cluster.Resource, namespace string, failure error) ([]*Object, error) {
	stored, other := w.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	objects, err := w.listVersion(ctx, stored, namespace)
	if err != nil {
		return nil, failure
	}
	return objects, nil
}

// kindDamaged answers for an object of a kind that can be read only in its stored version: whoever
// should act on it meets the same failure.
func (w *World) kindDamaged(ctx context.Context, object *Object) (Answer, bool) {
	return w.resourceDamaged(ctx, object, object.Resource)
}

// resourceDamaged is kindDamaged for something else that the damage holds.
func (w *World) resourceDamaged(ctx context.Context, held *Object, resource cluster.Resource) (Answer, bool) {
	w.mu.Lock()
	text := w.damaged[resource.GroupResource()]
	w.mu.Unlock()
	return w.storageAnswer(ctx, held, text, true)
}

// unreadableKind explains a finalizer on an object of which the kind can't be converted: before that
// is mended, nothing tells whether its controller would remove it.
func unreadableKind(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.Finalizer {
		return Answer{}, false
	}
	return w.kindDamaged(ctx, object)
}

// dependentsDamaged answers for an owner of which no blocking dependent was seen, when the kinds that
// could not be listed are damaged in storage: the garbage collector can't delete what it can't read.
func (w *World) dependentsDamaged(ctx context.Context, owner *Object, unread []cluster.Unlisted) (Answer, bool) {
	if w.since(owner) < patience {
		return Answer{}, false
	}
	if answer, down := w.controllerManagerDown(ctx); down {
		return answer, true
	}
	answer := Answer{}
	for _, one := range unread {
		found, damaged := w.storageAnswer(ctx, owner, one.Err.Error(), true)
		if !damaged {
			return Answer{}, false
		}
		for i := range found.Waits {
			for j := range found.Waits[i].Otherwise.Causes {
				found.Waits[i].Otherwise.Causes[j].Certainty = graph.Likely // it may be no dependent of this one
			}
		}
		answer.add(found)
	}
	return answer, true
}

// Unreadable answers for a target of which the read failed with err: where that is because of what is
// in storage, it is the finding. All that is known of the object is its name.
func (w *World) Unreadable(ctx context.Context, resource cluster.Resource, namespace, name string, err error) (*Object, Answer, bool) {
	object := Named(resource, namespace, name)
	answer, damaged := w.storageAnswer(ctx, object, err.Error(), true)
	return object, answer, damaged
}

// Aside is what is to be said of an object that nobody has deleted, and that is not about its holds.
func (w *World) Aside(ctx context.Context, object *Object) Answer {
	damaged, found := w.kindDamaged(ctx, object)
	answer := Answer{}
	if !found {
		return answer
	}
	for _, wait := range damaged.Waits {
		for _, cause := range wait.Otherwise.Causes {
			answer.Remarks = append(answer.Remarks, Note{
				Message:  fmt.Sprintf("%s could be read only in the version that it is stored in, %s. %s", object.Ref, object.Ref.APIVersion, cause.Message),
				Evidence: cause.Evidence,
			})
		}
	}
	return answer
}
