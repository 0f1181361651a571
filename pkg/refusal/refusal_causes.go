package refusal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// webhookUnavailable is the cause of a write that must pass a webhook which can't answer, or of a request that was
// refused because it didn't.
func webhookUnavailable(
	reads *session.Session, hook session.RegisteredHook, request finding.Request, by finding.Evidence,
	behind health.Backend,
) finding.Finding {
	details := finding.WebhookUnavailableDetails{
		Webhook: hook.Hook.Name, Request: request, Of: hook.Of, Backend: &behind.Words,
	}
	return finding.Finding{
		Reason: finding.WebhookUnavailable, Situation: "WebhookBackendBroken", Details: details,
		Object: hook.Configuration.Ref, Certainty: finding.Proven,
		Evidence: append([]finding.Evidence{by}, behind.Evidence...),
		Remedies: slices.Concat(behind.Remedies, relieve(
			reads, one(hook), details, finding.Remedy{Step: "ReadWebhookConfiguration"},
		)),
	}
}

func webhookNotReached(
	reads *session.Session, hook session.RegisteredHook, denial Denial, behind health.Backend,
) finding.Finding {
	cause := webhookUnavailable(reads, hook, denial.Request, denial.By, behind)
	cause.Situation = "WebhookNotReached"
	if behind.State == health.BackendBroken {
		return cause
	}
	details := finding.WebhookUnavailableDetails{
		Webhook: hook.Hook.Name, Request: denial.Request, Of: hook.Of,
		Said: said(denial),
		Slow: strings.Contains(denial.Message, "context deadline exceeded"),
	}
	// nothing that can be read says why, unless it is one of these
	if details.URL = deref(hook.Hook.ClientConfig.URL); details.URL == "" && behind.State == health.BackendUnknown {
		details.Backend = &behind.Words
	}
	cause.Details = details
	cause.Remedies = relieve(reads, one(hook), details, finding.Remedy{Step: "FindWhyWebhookIsSilent"})
	return cause
}

// relieve are the ways out while a webhook's backend is down: configuration of admission is never subject to it
// (docs/deletion.md#how-webhooks-and-policies-match). The step that reads the configuration says what to look for. The
// hooks are of one configuration.
func relieve(
	reads *session.Session, hooks []session.RegisteredHook, details finding.WebhookUnavailableDetails, read finding.Remedy,
) []finding.Remedy {
	var patch []session.Operation
	for _, hook := range hooks {
		path := fmt.Sprintf("/webhooks/%d", hook.Index)
		patch = append(patch,
			session.Operation{Op: "test", Path: path + "/name", Value: hook.Hook.Name},
			session.Operation{Op: "add", Path: path + "/failurePolicy", Value: "Ignore"},
		)
	}
	configuration := hooks[0].Configuration
	details.Mutates = configuration.Is("admissionregistration.k8s.io", "MutatingWebhookConfiguration")
	details.Appliers = session.AppliersOf(configuration)
	steps := readsAndDeletes(reads, configuration, details, read, finding.Remedy{Step: "DeleteLeftConfiguration"})
	pass := finding.Remedy{
		Step: "LetRequestsPass", Details: details, Risk: finding.Disruption,
		Command: reads.Kubectl.Command(configuration, "patch", "--type", "json", "-p", session.EncodePatch(patch)),
	}
	if len(hooks) > 1 {
		pass.Step = "LetRequestsPassAll"
	}
	return slices.Insert(steps, 1, pass)
}

func one(hook session.RegisteredHook) []session.RegisteredHook { return []session.RegisteredHook{hook} }

func readsAndDeletes(
	reads *session.Session, object *session.Object, details any, read, remove finding.Remedy,
) []finding.Remedy {
	read.Details, read.Risk = details, finding.NoRisk
	read.Command = reads.Kubectl.Command(object, "get", "-o", "yaml")
	remove.Details, remove.Risk = details, finding.Disruption
	remove.Command = reads.Kubectl.Command(object, "delete")
	return []finding.Remedy{read, remove}
}

// hookFails is the cause of a write that fails before a webhook is called: a selector needs a namespace
// that is gone, or a match condition can't be evaluated.
func hookFails(
	reads *session.Session, hook session.RegisteredHook, write Write, called admission.Called,
) finding.Finding {
	by := session.ObservedOf(hook.Configuration, hook.String()+": "+called.Refused)
	details := finding.AdmissionDeniedDetails{
		Webhook: hook.Hook.Name, Request: write.Request(),
		Fault: &finding.Phrase{Situation: "WebhookUndecided", Details: finding.StepDetails{Text: called.Refused}},
	}
	if !called.Lost {
		return webhookNotCalled(reads, hook, details, by)
	}
	namespace := write.Object.Ref.Namespace
	details.Fault = &finding.Phrase{Situation: "NamespaceNeeded", Details: finding.StepDetails{Name: namespace}}
	cause := webhookNotCalled(reads, hook, details, by)
	create := append(reads.Kubectl.Prefix(finding.Ref{}), "create", "namespace", namespace)
	again := finding.Remedy{Step: "CreateNamespaceAgain", Command: create, Risk: finding.NoRisk}
	cause.Remedies = slices.Insert(cause.Remedies, 0, again)
	return cause
}

func webhookNotCalled(
	reads *session.Session, hook session.RegisteredHook, details finding.AdmissionDeniedDetails, by finding.Evidence,
) finding.Finding {
	return finding.Finding{
		Reason: finding.AdmissionDenied, Situation: "WebhookNotCalled", Details: details,
		Object: hook.Configuration.Ref, Certainty: finding.Proven, Evidence: []finding.Evidence{by.Ranked(finding.Restated)},
		Remedies: readsAndDeletes(reads, hook.Configuration, details,
			finding.Remedy{Step: "MendSelection"}, finding.Remedy{Step: "OrDeleteConfiguration"}),
	}
}

func policyDenies(reads *session.Session, policy *session.Object, write Write, by ruling) finding.Finding {
	observed := "it denies " + write.String() // the message says in which words
	if by.binding != "" {
		observed = "binding " + by.binding + " applies it to " + write.String()
	}
	seen := session.ObservedOf(policy, observed)
	return policyRefuses(reads, policy, finding.Likely, seen, finding.AdmissionDeniedDetails{
		Binding: by.binding, Request: write.Request(), Said: by.Message, Failed: by.Failed,
		Lacks: by.Lacks, Parameter: by.parameter,
	})
}

// policyRefuses is the cause of what a policy refuses: on purpose, or because the policy can't be evaluated, which its
// failurePolicy makes a denial.
func policyRefuses(
	reads *session.Session, policy *session.Object, certainty finding.Certainty, by finding.Evidence,
	details finding.AdmissionDeniedDetails,
) finding.Finding {
	return finding.Finding{
		Reason: finding.AdmissionDenied, Situation: "PolicyDenies", Details: details,
		Object: policy.Ref, Certainty: certainty, Remedies: liftPolicy(reads, policy, details),
		Evidence: append([]finding.Evidence{by}, givenTo(policy, details)...),
	}
}

// failedPolicy reports whether a policy's denial is that it could not be evaluated (k8s v1.37
// apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go).
func failedPolicy(message string) bool {
	return regexp.MustCompile(
		`^(failed to configure (policy|binding): |\[?expression '(?s:.*)' resulted in error: )`,
	).MatchString(message)
}

func liftPolicy(
	reads *session.Session, policy *session.Object, details finding.AdmissionDeniedDetails,
) []finding.Remedy {
	lift := readsAndDeletes(
		reads, policy, details, finding.Remedy{Step: "ReadPolicy"}, finding.Remedy{Step: "DeletePolicy"},
	)
	if details.Binding == "" {
		return lift
	}
	bound := bindingOf(policy.Ref, details.Binding)
	words := []string{session.PathFor(bound)}
	if details.ReadsParameter() {
		given := details.Parameter.Object
		words = append(words, session.PathFor(given))
		if given.Namespace != "" {
			words = append(words, "-n", given.Namespace)
		}
	}
	lift[0].Command = reads.Kubectl.Command(policy, "get", append(words, "-o", "yaml")...)
	remove := reads.Kubectl.CommandFor(bound, "delete")
	lift[1].Step, lift[1].Command = "DeletePolicyBinding", remove
	return lift
}
