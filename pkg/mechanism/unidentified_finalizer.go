package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unidentifiedFinalizer is the answer for a hold that no other mechanism explains: a finalizer whose
// owner nothing readable names (deletion-mechanics M01). The API server asks only whether the list
// is empty. Whose it is is found out from the cluster itself: by who may write the kind, or, on kinds of
// Kubernetes' own, which many may write, by where the finalizer's domain leads.
func unidentifiedFinalizer(ctx context.Context, t *Tools, held Held) Answer {
	if held.Hold.Type != finding.Finalizer {
		return t.unidentified(held)
	}
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(held.Object, held.Hold))
	if refused.Found() {
		return t.unidentified(held)
	}
	return t.Attribution.Attribute(ctx, held.Object, held.Hold, refused.Unsure)
}

// unidentified answers for a hold whose owner nothing names.
func (t *Tools) unidentified(held Held) Answer {
	evidence, setBy := t.Attribution.WhoSet(held.Object, held.Hold)
	return session.Cause(Finding{
		Reason: finding.ControllerUnknown, Situation: "FinalizerUnidentified",
		Details: finding.ControllerUnknownDetails{SetBy: setBy, SpecFinalizer: held.Hold.Type == finding.SpecFinalizer},
		Object:  held.Ref, Finalizer: held.Hold.Name, Certainty: finding.Unknown, Evidence: evidence,
		Remedies: t.Attribution.AskThenRemove(held.Object, held.Hold),
		Key:      finding.KeyOf("FinalizerUnidentified", held.Hold.Type, held.Hold.Name, held.Resource.QualifiedName()),
	})
}
