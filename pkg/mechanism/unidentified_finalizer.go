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
func unidentifiedFinalizer(
	ctx context.Context, t *Tools, object *session.Object, hold finding.Hold,
) (session.Answer, bool) {
	if hold.Type != finding.Finalizer {
		return t.unidentified(object, hold), true
	}
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(object, hold))
	if refused.Found() {
		return t.unidentified(object, hold), true
	}
	return t.Attribution.Attribute(ctx, object, hold, refused.Unsure), true
}

// unidentified answers for a hold whose owner nothing names.
func (t *Tools) unidentified(object *session.Object, hold finding.Hold) session.Answer {
	evidence, setBy := t.Attribution.WhoSet(object, hold)
	return session.Cause(finding.Finding{
		Reason: finding.ControllerUnknown, Situation: "FinalizerUnidentified",
		Details: finding.ControllerUnknownDetails{SetBy: setBy, SpecFinalizer: hold.Type == finding.SpecFinalizer},
		Object:  object.Ref, Finalizer: hold.Name, Certainty: finding.Unknown, Evidence: evidence,
		Remedies: t.Attribution.AskThenRemove(object, hold),
		Key:      finding.KeyOf("FinalizerUnidentified", hold.Type, hold.Name, object.Resource.QualifiedName()),
	})
}
