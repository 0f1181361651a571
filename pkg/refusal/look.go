package refusal

import (
	"context"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// admissionLook judges one write.
type admissionLook struct {
	checker   *Checker
	write     Write
	request   *admission.Request
	completed bool
	found     *Refusals
}

func (c *Checker) lookAt(ctx context.Context, write Write) *admissionLook {
	return &admissionLook{checker: c, write: write, request: c.request(ctx, write), found: &Refusals{}}
}

// decided asks again with all that can be read when what was read doesn't settle it.
func (l *admissionLook) decided(ctx context.Context, ask func() admission.Match) admission.Match {
	match := ask()
	if match == admission.Maybe && !l.completed {
		l.completed = true
		if l.checker.complete(ctx, l.request, l.write) {
			return ask()
		}
	}
	return match
}

func (l *admissionLook) hook(ctx context.Context, registered session.RegisteredHook) {
	var called admission.Called
	match := l.decided(ctx, func() admission.Match {
		called = l.checker.evaluator.Calls(&registered.Hook, l.request)
		return called.Match
	})
	if match == admission.No {
		return
	}
	what := registered.String()
	personal := l.personal(func(anybody *admission.Request) admission.Match {
		return l.checker.evaluator.Calls(&registered.Hook, anybody).Match
	})
	if called.Refused != "" {
		l.refuse(registered.Configuration, l.checker.hookFails(registered, l.write, called), personal)
		return
	}
	service, inCluster := health.HookService(registered.Hook.Client)
	if !inCluster || !registered.Hook.FailsClosed() {
		said := what + " is called for " + l.write.String() + " and may refuse it"
		if !inCluster {
			said += fmt.Sprintf(
				"; it is called by URL (%s), and whether that answers can't be read", deref(registered.Hook.Client.URL),
			)
		}
		l.doubt(registered.Configuration, said)
		if !inCluster && registered.Hook.FailsClosed() {
			l.found.remote = append(l.found.remote, session.ObservedOf(registered.Configuration, said))
		}
		return
	}
	behind := l.checker.Health.Backend(ctx, service)
	words := l.checker.Health.Told(behind.Words)
	switch {
	case behind.State == health.BackendBroken && match == admission.Yes:
		l.refuse(registered.Configuration, l.checker.webhookUnavailable(registered, l.write, behind), personal)
	case behind.State == health.BackendBroken:
		l.unsure(
			registered.Configuration,
			what+" may be called for "+l.write.String()+", which can't be told, and its backend "+words,
		)
	case behind.State == health.BackendUnknown:
		l.unsure(registered.Configuration, what+" is called for "+l.write.String()+"; its backend "+words)
	default:
		l.doubt(registered.Configuration, what+" is called for "+l.write.String()+" and may refuse it; its backend is up")
	}
}

func (l *admissionLook) policy(ctx context.Context, registered session.RegisteredPolicy) {
	if l.unserved(ctx, registered) {
		return
	}
	for _, binding := range registered.Bindings {
		concerned := func() admission.Match { return admission.Concerns(registered.Policy, binding, l.request).Match }
		if l.decided(ctx, concerned) == admission.No {
			continue
		}
		for _, policy := range l.withParams(ctx, registered.Policy, binding) {
			var decision admission.Decision
			denies := l.decided(ctx, func() admission.Match {
				decision = l.checker.evaluator.Decides(policy, l.request)
				return decision.Denies
			})
			switch denies {
			case admission.Yes:
				personal := l.personal(func(anybody *admission.Request) admission.Match {
					return l.checker.evaluator.Decides(policy, anybody).Denies
				})
				l.refuse(registered.Object, l.checker.policyDenies(registered.Object, binding.Name, l.write, decision), personal)
			case admission.Maybe:
				l.unsure(registered.Object, fmt.Sprintf(
					"with binding %s it may refuse %s: that depends on what can't be read", binding.Name, l.write,
				))
			}
		}
	}
}

func (l *admissionLook) mutation(ctx context.Context, registered session.RegisteredMutation) {
	for _, binding := range registered.Bindings {
		var concern admission.Concern
		l.decided(ctx, func() admission.Match {
			concern = admission.ConcernsMutating(registered.Policy, binding, l.request)
			if !concern.Lost {
				concern.Match = min(concern.Match, l.checker.evaluator.Applies(registered.Policy, l.request))
			}
			return concern.Match
		})
		switch {
		case concern.Lost:
			l.refuse(registered.Object, l.checker.policyDenies(registered.Object, binding.Name, l.write, admission.Decision{
				Failed: true,
				Message: "a namespaceSelector needs the namespace " + l.write.Object.Ref.Namespace +
					", which no longer exists",
			}), false)
		case concern.Match != admission.No:
			of := l.parameters(ctx, registered.Policy.Spec.ParamKind, binding.Spec.ParamRef, binding.Name)
			if of.missing != "" && concern.Match == admission.Yes && admission.FailsClosed(registered.Policy) {
				l.refuse(registered.Object, l.checker.policyDenies(
					registered.Object, binding.Name, l.write, admission.Decision{Failed: true, Message: of.missing},
				), false)
				continue
			}
			if of.missing == "" && !of.unknown && len(of.found) == 0 {
				continue // it is not asked
			}
			if namesFinalizer(registered.Policy, l.write.removes) {
				l.unsure(registered.Object, fmt.Sprintf(
					"with binding %s it changes what %s writes, and names %s: it may put that back",
					binding.Name, l.write, l.write.removes,
				))
				continue
			}
			l.doubt(registered.Object, fmt.Sprintf(
				"with binding %s it may change what %s writes, and make it invalid", binding.Name, l.write,
			))
		}
	}
}

func (l *admissionLook) refuse(configuration *session.Object, cause finding.Finding, personal bool) {
	wait := refusedBy(configuration, cause)
	wait.Personal = personal
	l.found.Answer.Waits = append(l.found.Answer.Waits, wait)
}

// Personal tells whether it is because of who sends the write that something has a say in it.
func (l *admissionLook) personal(ask func(*admission.Request) admission.Match) bool {
	return l.request.User != "" && ask(l.request.Anybody()) != admission.Yes
}

func (l *admissionLook) doubt(configuration *session.Object, observed string) {
	l.found.doubts = append(l.found.doubts, session.ObservedOf(configuration, observed))
}

func (l *admissionLook) unsure(configuration *session.Object, observed string) {
	l.found.Unsure = append(l.found.Unsure, session.ObservedOf(configuration, observed))
}

func deref[T any](of *T) (value T) {
	if of != nil {
		value = *of
	}
	return value
}
