package mechanism

import (
	"context"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// kindDamaged answers for an object of a kind that can be read only in its stored version: whoever
// should act on it meets the same failure.
func (w *World) kindDamaged(ctx context.Context, object *facts.Object) (facts.Answer, bool) {
	return w.resourceDamaged(ctx, object, object.Resource)
}

// resourceDamaged is kindDamaged for something else that the damage holds.
func (w *World) resourceDamaged(ctx context.Context, held *facts.Object, resource cluster.Resource) (facts.Answer, bool) {
	return w.storageAnswer(ctx, held, w.DamageOf(resource), true)
}

// unreadableKind explains a finalizer on an object of which the kind can't be converted: before that
// is mended, nothing tells whether its controller would remove it.
func unreadableKind(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Type != graph.Finalizer {
		return facts.Answer{}, false
	}
	return w.kindDamaged(ctx, object)
}

// dependentsDamaged answers for an owner of which no blocking dependent was seen, when the kinds that
// could not be listed are damaged in storage: the garbage collector can't delete what it can't read.
func (w *World) dependentsDamaged(ctx context.Context, owner *facts.Object, unread []cluster.Unlisted) (facts.Answer, bool) {
	if w.Since(owner) < facts.Patience {
		return facts.Answer{}, false
	}
	if answer, down := w.ControllerManagerDown(ctx); down {
		return answer, true
	}
	answer := facts.Answer{}
	for _, one := range unread {
		found, damaged := w.storageAnswer(ctx, owner, one.Err.Error(), true)
		if !damaged {
			return facts.Answer{}, false
		}
		for i := range found.Waits {
			for j := range found.Waits[i].Otherwise.Causes {
				found.Waits[i].Otherwise.Causes[j].Certainty = graph.Likely // it may be no dependent of this one
			}
		}
		answer.Add(found)
	}
	return answer, true
}

// Unreadable answers for a target of which the read failed with err: where that is because of what is
// in storage, it is the finding. All that is known of the object is its name.
func (w *World) Unreadable(ctx context.Context, resource cluster.Resource, namespace, name string, err error) (*facts.Object, facts.Answer, bool) {
	object := facts.Named(resource, namespace, name)
	answer, damaged := w.storageAnswer(ctx, object, err.Error(), true)
	return object, answer, damaged
}

// Aside is what is to be said of an object that nobody has deleted, and that is not about its holds.
func (w *World) Aside(ctx context.Context, object *facts.Object) facts.Answer {
	damaged, found := w.kindDamaged(ctx, object)
	answer := facts.Answer{}
	if !found {
		return answer
	}
	for _, wait := range damaged.Waits {
		for _, cause := range wait.Otherwise.Causes {
			answer.Remarks = append(answer.Remarks, facts.Note{
				Message:  fmt.Sprintf("%s could be read only in the version that it is stored in, %s. %s", object.Ref, object.Ref.APIVersion, cause.Message),
				Evidence: cause.Evidence,
			})
		}
	}
	return answer
}
