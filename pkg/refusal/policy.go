package refusal

import (
	"fmt"
	"regexp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// policyDenies is the cause of a write that a policy refuses, judged by reading it.
func (c *Checker) policyDenies(policy *session.Object, binding string, write Write, decision admission.Decision) finding.Finding {
	by := finding.Evidence{
		Source: policy.Ref.String(), Observed: fmt.Sprintf("with binding %s it denies %s%s", binding, write, bracketed(decision.Message)), Object: &policy.Ref,
	}
	if binding == "" {
		by.Observed = fmt.Sprintf("it denies %s%s", write, bracketed(decision.Message))
	}
	return c.policyRefuses(policy, binding, write.String(), decision, finding.Likely, by)
}

// policyRefuses is the cause of what a policy refuses: because somebody wants it so, or because the
// policy can't be evaluated, which its failurePolicy makes a denial.
func (c *Checker) policyRefuses(policy *session.Object, binding, what string, decision admission.Decision, certainty finding.Certainty, by finding.Evidence) finding.Finding {
	ref, message := policy.Ref, bracketed(decision.Message)
	cause := finding.Finding{
		Reason: finding.AdmissionDenied, Object: ref, Certainty: certainty,
		Message:  fmt.Sprintf("%s refuses %s%s. Somebody wants it so: find out what it protects before you lift it.", ref, what, message),
		Awaited:  fmt.Sprintf("%s, which refuses %s%s", ref, what, message),
		Evidence: []finding.Evidence{by},
		Remedies: c.liftPolicy(policy, binding, decision.Failed),
	}
	if decision.Failed {
		cause.Message = fmt.Sprintf("%s refuses %s because of a fault of its own%s: with failurePolicy Fail, what can't be decided is denied.", ref, what, message)
		cause.Awaited = fmt.Sprintf("%s, which can't be evaluated and so refuses %s%s", ref, what, message)
	}
	return cause
}

// failedPolicy tells whether a policy's denial says that it could not be evaluated (k8s v1.37
// apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go).
func failedPolicy(message string) bool {
	return regexp.MustCompile(`^(failed to configure (policy|binding): |\[?expression '(?s:.*)' resulted in error: )`).MatchString(message)
}

// liftPolicy is how to get past a policy.
func (c *Checker) liftPolicy(policy *session.Object, binding string, failed bool) []finding.Remedy {
	read := finding.Remedy{
		Action:  "Read the policy, and ask those who set it. Often a label or an annotation on the object lifts it.",
		Command: c.Session.Kubectl.Command(policy, "get", "-o", "yaml"),
		Risk:    finding.NoRisk,
	}
	if failed {
		read.Action = "Read the policy, and mend what can't be evaluated: an expression has to ask with has() for what may be absent, and a parameter has to exist."
	}
	if binding == "" {
		if failed {
			read.Action = "Read the policy, and mend what can't be evaluated: if it has parameters, their kind has to be served."
		}
		read.Action += " Keep the output: it is what puts the policy back."
		return []finding.Remedy{read, {
			Action:  "If what it belonged to is gone for good, or it shall not apply any more, delete the policy.",
			Command: c.Session.Kubectl.Command(policy, "delete"),
			Risk:    finding.Disruption,
			Loses:   "what the policy guards, until it is put back",
		}}
	}
	bound := policy.Ref
	bound.Kind, bound.Name = bound.Kind+"Binding", binding
	return append([]finding.Remedy{read}, finding.Remedy{
		Action:  "See where it is bound, and keep the output: it is what puts the binding back.",
		Command: c.Session.Kubectl.CommandFor(bound, "get", "-o", "yaml"),
		Risk:    finding.NoRisk,
	}, finding.Remedy{
		Action:  "If it shall not apply here any more, delete that binding.",
		Command: c.Session.Kubectl.CommandFor(bound, "delete"),
		Risk:    finding.Disruption,
		Loses:   "what the policy guards elsewhere, until the binding is put back",
	})
}
