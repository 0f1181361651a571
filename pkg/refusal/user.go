package refusal

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// A dry run is sent as the user who asks. What refuses it for being that user says nothing of the
// controller that has to send the same write (deletion-mechanics M17-3).

// calledFor tells whether a webhook is called for a write, as far as can be read. It may be if the
// write isn't known.
func (c *Checker) calledFor(ctx context.Context, registered session.RegisteredHook, write *Write) admission.Match {
	if write == nil {
		return admission.Maybe
	}
	look := c.lookAt(ctx, *write)
	return look.decided(ctx, func() admission.Match { return c.evaluator.Calls(&registered.Hook, look.request).Match })
}

// refusesSender tells whether what refused a dry run refuses whoever has to send the write: Yes unless it
// asks who that is, and then as far as can be read.
func (c *Checker) refusesSender(ctx context.Context, write Write, refusal admission.Refusal) admission.Match {
	rules := c.Session.AdmissionRules(ctx)
	switch refusal.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		match, asks := admission.No, false
		for _, registered := range rules.HooksNamed(refusal.Name) {
			asks = asks || registered.Hook.AsksWho()
			match = max(match, c.calledFor(ctx, registered, &write))
		}
		if asks {
			return match
		}
	case admission.PolicyDenied:
		if slices.Contains(rules.Unread, policyResource(refusal.Mutating).QualifiedName()) {
			return admission.Maybe
		}
		i := slices.IndexFunc(
			rules.Policies, func(p session.RegisteredPolicy) bool { return p.Object.Ref.Name == refusal.Name },
		)
		if i >= 0 && !refusal.Mutating && admission.AsksWho(rules.Policies[i].Policy) {
			return c.lookAt(ctx, write).denies(ctx, rules.Policies[i])
		}
	}
	return admission.Yes
}

// denies tells whether a policy refuses the write by any of its bindings.
func (l *admissionLook) denies(ctx context.Context, registered session.RegisteredPolicy) admission.Match {
	match := admission.No
	for _, binding := range registered.Bindings {
		for _, policy := range l.withParams(ctx, registered.Policy, binding) {
			match = max(
				match, l.decided(ctx, func() admission.Match { return l.checker.evaluator.Decides(policy, l.request).Denies }),
			)
		}
	}
	return match
}
