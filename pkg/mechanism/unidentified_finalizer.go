package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unidentifiedFinalizer answers for a hold that no other mechanism explains (docs/deletion.md#custom-finalizers). Whose
// it is the cluster itself may show: by who may write the kind, or, for kinds of Kubernetes, by the finalizer's domain.
func unidentifiedFinalizer(ctx context.Context, t *Tools, held Held) Answer {
	if held.Hold.Type != finding.Finalizer {
		return unidentified(t.Attribution, held)
	}
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(held.Object, held.Hold))
	if refused.Found() && (cluster.ServedByKubernetes(held.Resource.Group) || len(refused.Answer.Waits) == 0) {
		// Many accounts may write that kind, or none at all: a search would free nothing.
		return unidentified(t.Attribution, held)
	}
	answer := withStopHook(ctx, t, held, t.Attribution.Attribute(ctx, held.Object, held.Hold, known(refused)))
	if answer.By == "" || len(refused.Unsure) == 0 {
		return answer
	}
	// It may depend on who asks whether it is refused.
	by := refusal.Removal(held.Object, held.Hold.Name, answer.By)
	if refused = t.Refusals.Refused(ctx, by); !refused.Found() && len(refused.Unsure) == 0 {
		answer = t.Attribution.Attribute(ctx, held.Object, held.Hold, attribution.RefusalsDecided)
		answer.By = by.By
	}
	return answer
}

func known(refused refusal.Refusals) attribution.RefusalsKnown {
	switch {
	case refused.Unread:
		return attribution.RefusalsUnread
	case len(refused.Unsure) > 0:
		return attribution.RefusalsUndecided
	}
	return attribution.RefusalsDecided
}

func unidentified(finder *attribution.Finder, held Held) Answer {
	evidence, setBy := finder.WhoSet(held.Object, held.Hold)
	return session.Cause(Finding{
		Reason: finding.ControllerUnknown, Situation: "FinalizerUnidentified",
		Details: finding.ControllerUnknownDetails{SetBy: setBy, SpecFinalizer: held.Hold.Type == finding.SpecFinalizer},
		Object:  held.Ref, Finalizer: held.Hold.Name, Certainty: finding.Unknown, Evidence: evidence,
		Remedies: finder.AskThenRemove(held.Object, held.Hold, setBy, attribution.UnidentifiedLoss(held.Object)),
		Key:      finding.KeyOf("FinalizerUnidentified", held.Hold.Type, held.Hold.Name, held.Resource.QualifiedName()),
	})
}
