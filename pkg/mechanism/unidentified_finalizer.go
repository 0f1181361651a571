package mechanism

import (
	"context"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// unidentifiedFinalizer is the answer for a hold that no other mechanism explains: a finalizer whose
// owner nothing readable names (deletion-mechanics M01). The API server asks only whether the list
// is empty. Whose it is is found out from the cluster itself: by who may write the kind, or, on kinds of
// Kubernetes' own, which many may write, by where the finalizer's domain leads.
func unidentifiedFinalizer(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Type != graph.Finalizer {
		return w.unidentified(object, hold), true
	}
	refused := w.Refused(ctx, refusal.RemovalOf(object, hold))
	if refused.Found() {
		return w.unidentified(object, hold), true
	}
	return w.Attribute(ctx, object, hold, refused.Unsure), true
}

// unidentified answers for a hold of which nothing tells whose it is.
func (w *World) unidentified(object *facts.Object, hold graph.Hold) facts.Answer {
	evidence, setBy := w.WhoSet(object, hold)
	subject := "the finalizer " + hold.Name
	if hold.Type == graph.SpecFinalizer {
		subject = "the entry " + hold.Name + " of spec.finalizers"
	}
	return facts.Cause(graph.Cause{
		Reason: graph.ControllerUnknown, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Unknown,
		Message:  fmt.Sprintf("%s is held by %s, and nothing readable tells whose it is.%s", object.Ref, subject, setBy),
		Awaited:  fmt.Sprintf("somebody unidentified to remove %s from %s", subject, object.Ref),
		Evidence: evidence,
		Remedies: w.AskThenRemove(object, hold),
		Alike:    fmt.Sprintf("unidentified %s %s on %s", hold.Type, hold.Name, object.Resource.QualifiedName()),
		Several: func(count int) string {
			return fmt.Sprintf("somebody unidentified to remove %s from %d objects of kind %s", subject, count, object.Ref.Kind)
		},
	})
}
