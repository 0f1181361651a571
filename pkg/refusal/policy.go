package refusal

import (
	"regexp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// policyDenies is the cause of a write that a policy refuses, judged by reading it.
func (c *Checker) policyDenies(
	policy *session.Object, binding string, write Write, decision admission.Decision,
) finding.Finding {
	observed := "it denies " + write.String()
	if binding != "" {
		observed = "with binding " + binding + " " + observed
	}
	if decision.Message != "" {
		observed += " (" + finding.Quoted(decision.Message) + ")"
	}
	return c.policyRefuses(policy, finding.Likely, session.ObservedOf(policy, observed), finding.AdmissionDeniedDetails{
		Binding: binding, Request: write.Request(), Said: decision.Message, Failed: decision.Failed,
	})
}

// policyRefuses is the cause of what a policy refuses: because somebody wants it so, or because the
// policy can't be evaluated, which its failurePolicy makes a denial.
func (c *Checker) policyRefuses(
	policy *session.Object, certainty finding.Certainty, by finding.Evidence, details finding.AdmissionDeniedDetails,
) finding.Finding {
	return finding.Finding{
		Reason: finding.AdmissionDenied, Situation: "PolicyDenies", Details: details,
		Object: policy.Ref, Certainty: certainty, Evidence: []finding.Evidence{by}, Remedies: c.liftPolicy(policy, details),
	}
}

// failedPolicy tells whether a policy's denial says that it could not be evaluated (k8s v1.37
// apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go).
func failedPolicy(message string) bool {
	return regexp.MustCompile(
		`^(failed to configure (policy|binding): |\[?expression '(?s:.*)' resulted in error: )`,
	).MatchString(message)
}

// liftPolicy is how to get past a policy.
func (c *Checker) liftPolicy(policy *session.Object, details finding.AdmissionDeniedDetails) []finding.Remedy {
	lift := c.readsAndDeletes(policy, details, finding.Remedy{Step: "ReadPolicy"}, finding.Remedy{Step: "DeletePolicy"})
	if details.Binding == "" {
		return lift
	}
	bound := policy.Ref
	bound.Kind, bound.Name = bound.Kind+"Binding", details.Binding
	read, remove := c.Session.Kubectl.CommandFor(bound, "get", "-o", "yaml"), c.Session.Kubectl.CommandFor(bound, "delete")
	return []finding.Remedy{
		lift[0], {Step: "ReadPolicyBinding", Command: read, Risk: finding.NoRisk},
		{Step: "DeletePolicyBinding", Command: remove, Risk: finding.Disruption},
	}
}
