package refusal

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type admissionLook struct {
	checker   *Checker
	write     Write
	request   *admission.Request
	completed int  // how many of the steps that complete the request were taken
	partial   bool // the object is not read whole
	found     *Refusals
}

func (c *Checker) lookAt(ctx context.Context, write Write) *admissionLook {
	return &admissionLook{checker: c, write: write, request: c.request(ctx, write), found: &Refusals{}}
}

// decided asks again with more that can be read, the least first, as long as what was read doesn't settle it.
func (l *admissionLook) decided(ctx context.Context, ask func() admission.Match) admission.Match {
	match, steps := ask(), []completion{l.checker.addNamespace, l.checker.addWhole}
	if l.partial {
		steps = steps[:1]
	}
	for match == admission.Maybe && l.completed < len(steps) {
		added := steps[l.completed](ctx, l.request, l.write)
		if l.completed++; added {
			match = ask()
		}
	}
	return match
}

// tooCostly says why expressions were not evaluated to their end.
func tooCostly() string {
	return "that is not clear, because its expressions cost more than the API server allows"
}

// ruling is what a policy makes of a request with one of its bindings, and with one of its parameters.
type ruling struct {
	admission.Decision
	binding   string
	parameter *finding.PolicyParameter // nil for a policy without parameters
}

type decision struct {
	admission.Policy
	ruling
}

func (l *admissionLook) decisions(ctx context.Context, registered session.RegisteredPolicy) (all []decision) {
	for _, binding := range registered.Bindings {
		if l.concerned(ctx, registered.Policy, binding) == admission.No {
			continue
		}
		for _, param := range l.withParams(ctx, registered.Policy, binding) {
			l.decided(ctx, func() admission.Match {
				param.Decision = l.checker.evaluator.Decides(ctx, param.Policy, l.request)
				return param.Denies
			})
			if param.ParamUnknown && !insists(binding.Spec.ParamRef) { // it is not asked if there is no parameter
				param.Denies = min(param.Denies, admission.Maybe)
			}
			all = append(all, param)
		}
	}
	return all
}

func (l *admissionLook) concerned(
	ctx context.Context, policy *admissionregistrationv1.ValidatingAdmissionPolicy,
	binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding,
) admission.Match {
	return l.decided(ctx, func() admission.Match { return admission.Concerns(policy, binding, l.request).Match })
}

func (l *admissionLook) policy(ctx context.Context, registered session.RegisteredPolicy) {
	if l.unserved(ctx, registered) {
		return
	}
	for _, one := range l.decisions(ctx, registered) {
		switch one.Denies {
		case admission.Yes:
			l.deny(registered.Object, one.ruling,
				l.personal(func(anybody *admission.Request) admission.Match {
					return l.checker.evaluator.Decides(ctx, one.Policy, anybody).Denies
				}))
		case admission.Maybe:
			why := "that depends on objects that could not be read"
			if l.write.By == "" {
				why = "that depends on who sends it, or on objects that could not be read"
			}
			switch {
			case one.Costly:
				why = tooCostly()
			case one.ParamUnknown:
				why = "that depends on " + unreadParameter(one.parameter)
			}
			l.unsure(registered.Object, fmt.Sprintf("with binding %s it may refuse %s: %s", one.binding, l.write, why))
		}
	}
}

func (l *admissionLook) mutation(ctx context.Context, registered session.RegisteredMutation) {
	for _, binding := range registered.Bindings {
		var concern admission.Concern
		l.decided(ctx, func() admission.Match {
			concern = admission.ConcernsMutating(registered.Policy, binding, l.request)
			if !concern.Lost {
				concern.Match = min(concern.Match, l.checker.evaluator.Applies(ctx, registered.Policy, l.request))
			}
			return concern.Match
		})
		failed := ruling{Decision: admission.Decision{Failed: true}, binding: binding.Name}
		if concern.Lost {
			namespace := l.write.Object.Ref.Namespace
			failed.Message = "a namespaceSelector needs the namespace " + namespace + ", which no longer exists"
			l.deny(registered.Object, failed, false)
			continue
		}
		if concern.Match == admission.No {
			continue
		}
		of := l.parameters(ctx, registered.Policy.Spec.ParamKind, binding.Spec.ParamRef, binding.Name)
		failed.Message, failed.Lacks, failed.parameter = of.missing, of.lacks, of.given
		switch {
		case of.missing != "" && concern.Match == admission.Yes &&
			admission.FailsClosed(registered.Policy.Spec.FailurePolicy):
			l.deny(registered.Object, failed, false)
		case of.missing == "" && !of.unknown && len(of.found) == 0: // it is not asked
		case namesFinalizer(registered.Policy, l.write.removes):
			l.unsure(registered.Object, fmt.Sprintf(
				"with binding %s it changes what %s writes, and names %s: it may put that back",
				binding.Name, l.write, l.write.removes,
			))
		default:
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

func (l *admissionLook) deny(policy *session.Object, by ruling, personal bool) {
	l.refuse(policy, policyDenies(l.checker.Session, policy, l.write, by), personal)
}

// personal reports whether it is because of who sends the write that something has a say in it.
func (l *admissionLook) personal(ask func(*admission.Request) admission.Match) bool {
	return l.request.User != "" && ask(l.request.Anybody()) != admission.Yes
}

func (l *admissionLook) doubt(configuration *session.Object, observed string) {
	l.found.doubts = append(l.found.doubts, session.ObservedOf(configuration, observed))
}

func (l *admissionLook) called(hook session.RegisteredHook, unjudged bool) {
	l.found.Calls = append(l.found.Calls, Call{RegisteredHook: hook, Unjudged: unjudged})
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
