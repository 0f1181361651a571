package refusal

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// givenTo says what a policy that denies a request has for its parameter. The message names one that doesn't exist.
func givenTo(policy *session.Object, details finding.AdmissionDeniedDetails) []finding.Evidence {
	given := details.Parameter
	switch {
	case given == nil || given.Absent:
		return nil
	case given.Unread:
		return []finding.Evidence{session.ObservedOf(policy, "it denies that without regard to "+unreadParameter(given))}
	}
	observed := "binding " + details.Binding + " gives it to the policy as its parameter"
	if given.Selector != "" {
		observed = "binding " + details.Binding + " selects it (" + given.Selector + ") as the policy's parameter"
	}
	if given.Selected > 1 {
		observed += fmt.Sprintf(", one of %d", given.Selected)
	}
	return []finding.Evidence{{Source: given.Object.String(), Observed: observed, Object: &given.Object}}
}

// parameterOf is what a policy's binding gave it as its parameter when it denied a request; nil if that isn't known.
func (c *Checker) parameterOf(ctx context.Context, denial Denial) *finding.PolicyParameter {
	for _, registered := range c.Session.AdmissionRules(ctx).Policies {
		if denial.Mutating || registered.Object.Ref.Name != denial.Name {
			continue
		}
		look := &admissionLook{checker: c, request: &admission.Request{Namespace: namespaceOf(denial.Request)}}
		if denial.write != nil {
			look = c.lookAt(ctx, *denial.write)
			for _, one := range look.decisions(ctx, registered) {
				if one.binding == denial.Binding && one.Denies == admission.Yes {
					return one.parameter
				}
			}
		}
		for _, binding := range registered.Bindings {
			if binding.Name == denial.Binding {
				return look.onlyParameter(ctx, registered.Policy.Spec.ParamKind, binding)
			}
		}
	}
	return nil
}

// namespaceOf is where the objects are that a request is about.
func namespaceOf(request finding.Request) string {
	switch {
	case request.Object != nil:
		return request.Object.Namespace
	case request.Namespace != nil:
		return request.Namespace.Name
	}
	return ""
}

// onlyParameter is a binding's parameter, if it is only one; else, which ones may be.
func (l *admissionLook) onlyParameter(
	ctx context.Context, kind *admissionregistrationv1.ParamKind,
	binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding,
) *finding.PolicyParameter {
	of := l.parameters(ctx, kind, binding.Spec.ParamRef, binding.Name)
	if len(of.found) == 1 {
		return of.as(of.found[0])
	}
	return of.given
}

// unreadParameter names a parameter that could not be read.
func unreadParameter(given *finding.PolicyParameter) string {
	name := "its parameter " + given.Object.String()
	if given.Selector != "" {
		name += " with " + given.Selector
	}
	if given.Secret() {
		return name + ", which is not read because it is a Secret"
	}
	return name + ", which could not be read"
}
