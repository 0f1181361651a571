package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// kindDamaged answers for an object of a kind that can be read only in its stored version: whoever
// should act on it meets the same failure.
func (t *Tools) kindDamaged(ctx context.Context, object *Object) (Answer, bool) {
	return t.storageAnswer(ctx, object, t.Session.DamageOf(object.Resource), true)
}

// unreadableKind explains a finalizer on an object whose kind can't be converted: until that is repaired, nobody knows
// whether its controller would remove it.
func unreadableKind(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	return t.kindDamaged(ctx, held.Object)
}

// dependentsDamaged answers for an owner without a visible blocking dependent, when the kinds that
// could not be listed are damaged in storage: the garbage collector can't delete what it can't read.
func (t *Tools) dependentsDamaged(ctx context.Context, owner *Object, unread []cluster.Unlisted) (Answer, bool) {
	answer := Answer{}
	if t.Session.Since(owner) < session.Patience {
		return Answer{}, false
	}
	if answer, down := t.Health.ControllerManagerDown(ctx); down {
		return answer, true
	}
	for _, one := range unread {
		found, damaged := t.storageAnswer(ctx, owner, one.Err.Error(), true)
		if !damaged {
			return Answer{}, false
		}
		for cause := range found.Blamed() {
			cause.Certainty = finding.Likely // it may be no dependent of this one
		}
		answer.Add(found)
	}
	return answer, true
}

// Unreadable answers for a target that could not be read because of err: where that is because of what is
// in storage, it is the finding. All that is known of the object is its name.
func (t *Tools) Unreadable(
	ctx context.Context, resource cluster.Resource, namespace, name string, err error,
) (*Object, Answer, bool) {
	object := session.Named(resource, namespace, name)
	answer, damaged := t.storageAnswer(ctx, object, err.Error(), true)
	return object, answer, damaged
}

// Aside is what is to be said of an object that nobody has deleted, and that is not about its holds.
func (t *Tools) Aside(ctx context.Context, object *Object) (answer Answer) {
	damaged, _ := t.kindDamaged(ctx, object)
	for cause := range damaged.Blamed() {
		answer.Remarks = append(answer.Remarks, finding.Finding{
			Situation: "ReadAsStored", Object: object.Ref, Evidence: cause.Evidence, Details: finding.AwaitedCauseDetails{
				Object: object.Ref, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Cause: *cause,
			},
		})
	}
	return answer
}
