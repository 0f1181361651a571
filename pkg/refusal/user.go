package refusal

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

// A dry run is sent as the user who asks. What refuses it for being that user says nothing of the
// controller that has to send the same write (deletion-mechanics M17-3).

// calledFor tells whether a webhook is called for a write, as far as can be read. It may be if the
// write isn't known.
func (w *World) calledFor(ctx context.Context, registered RegisteredHook, write *Write) admission.Match {
	if write == nil {
		return admission.Maybe
	}
	look := w.lookAt(ctx, *write)
	return look.decided(ctx, func() admission.Match { return w.evaluator.Calls(&registered.Hook, look.request).Match })
}

// refusesSender tells whether what refused a dry run refuses whoever has to send the write: Yes unless it
// asks who that is, and then as far as can be read.
func (w *World) refusesSender(ctx context.Context, write Write, refusal admission.Refusal) admission.Match {
	rules := w.AdmissionRules(ctx)
	switch refusal.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		match, asks := admission.No, false
		for _, registered := range rules.HooksNamed(refusal.Name) {
			asks = asks || registered.Hook.AsksWho()
			match = max(match, w.calledFor(ctx, registered, &write))
		}
		if asks {
			return match
		}
	case admission.PolicyDenied:
		if slices.Contains(rules.unread, policyResource(refusal.Mutating).QualifiedName()) {
			return admission.Maybe
		}
		i := slices.IndexFunc(rules.policies, func(p registeredPolicy) bool { return p.object.Ref.Name == refusal.Name })
		if i >= 0 && !refusal.Mutating && admission.AsksWho(rules.policies[i].policy) {
			return w.lookAt(ctx, write).denies(ctx, rules.policies[i])
		}
	}
	return admission.Yes
}

// denies tells whether a policy refuses the write by any of its bindings.
func (l *admissionLook) denies(ctx context.Context, registered registeredPolicy) admission.Match {
	match := admission.No
	for _, binding := range registered.bindings {
		for _, policy := range l.withParams(ctx, registered.policy, binding) {
			match = max(match, l.decided(ctx, func() admission.Match { return l.evaluator.Decides(policy, l.request).Denies }))
		}
	}
	return match
}
