package refusal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// webhookUnavailable is the cause of a write that must pass a webhook which can't answer, or of a request that was
// refused because it didn't.
func (c *Checker) webhookUnavailable(
	hook session.RegisteredHook, details finding.WebhookUnavailableDetails, by finding.Evidence, behind health.Backend,
) finding.Finding {
	details.Webhook, details.Of, details.Backend = hook.Hook.Name, hook.Of, &behind.Words
	return finding.Finding{
		Reason: finding.WebhookUnavailable, Situation: "WebhookBackendBroken", Details: details,
		Object: hook.Configuration.Ref, Certainty: finding.Proven, Evidence: append([]finding.Evidence{by}, behind.Evidence...),
		Remedies: slices.Concat(behind.Remedies, c.relieve(hook, details, finding.Remedy{Step: "ReadWebhookConfiguration"})),
	}
}

// webhookNotReached is the cause of a request that was refused because a webhook didn't answer.
func (c *Checker) webhookNotReached(hook session.RegisteredHook, told Told, behind health.Backend) finding.Finding {
	details := finding.WebhookUnavailableDetails{Request: told.Request}
	cause := c.webhookUnavailable(hook, details, told.By, behind)
	cause.Situation = "WebhookNotReached"
	if behind.State == health.BackendBroken {
		return cause
	}
	details = finding.WebhookUnavailableDetails{
		Webhook: hook.Hook.Name, Request: told.Request, Of: hook.Of,
		Said: strings.TrimPrefix(told.Message, "failed to call webhook: "),
		Slow: strings.Contains(told.Message, "context deadline exceeded"),
	}
	cause.Details = details
	// nothing that can be read tells why, unless it is one of these
	if details.URL = deref(hook.Hook.Client.URL); details.URL == "" && behind.State == health.BackendUnknown {
		details.Backend = &behind.Words
	}
	cause.Remedies = c.relieve(hook, details, finding.Remedy{Step: "FindWhyWebhookIsSilent"})
	return cause
}

// relieve are the ways out while a webhook's backend is down: configuration of admission is never subject to it
// (deletion-mechanics M17-2). The step that reads the configuration says what to look for.
func (c *Checker) relieve(
	hook session.RegisteredHook, details finding.WebhookUnavailableDetails, read finding.Remedy,
) []finding.Remedy {
	path := fmt.Sprintf("/webhooks/%d", hook.Index)
	ignore := session.EncodePatch([]session.Operation{
		{Op: "test", Path: path + "/name", Value: hook.Hook.Name},
		{Op: "add", Path: path + "/failurePolicy", Value: "Ignore"},
	})
	steps := c.readsAndDeletes(hook.Configuration, details, read, finding.Remedy{Step: "DeleteLeftConfiguration"})
	return slices.Insert(steps, 1, finding.Remedy{
		Step: "LetRequestsPass", Details: details, Risk: finding.Disruption,
		Command: c.Session.Kubectl.Command(hook.Configuration, "patch", "--type", "json", "-p", ignore),
	})
}

// readsAndDeletes completes the steps to read something that refuses requests, and to delete it.
func (c *Checker) readsAndDeletes(
	configured *session.Object, details any, read, remove finding.Remedy,
) []finding.Remedy {
	read.Details, read.Risk = details, finding.NoRisk
	read.Command = c.Session.Kubectl.Command(configured, "get", "-o", "yaml")
	remove.Details, remove.Risk = details, finding.Disruption
	remove.Command = c.Session.Kubectl.Command(configured, "delete")
	return []finding.Remedy{read, remove}
}

// hookFails is the cause of a write that fails before a webhook is called: a selector needs a namespace
// that is gone, or a match condition can't be evaluated.
func (c *Checker) hookFails(hook session.RegisteredHook, write Write, called admission.Called) finding.Finding {
	by := session.ObservedOf(hook.Configuration, hook.String()+": "+called.Refused)
	details := finding.AdmissionDeniedDetails{
		Webhook: hook.Hook.Name, Request: write.Request(), Fault: finding.Said(called.Refused),
	}
	if called.Lost {
		lost := finding.StepDetails{Name: write.Object.Ref.Namespace}
		details.Fault = &finding.Phrase{Situation: "NamespaceNeeded", Details: lost}
	}
	cause := c.webhookNotCalled(hook, details, by)
	if called.Lost {
		create := append(c.Session.Kubectl.Prefix(finding.Ref{}), "create", "namespace", write.Object.Ref.Namespace)
		again := finding.Remedy{Step: "CreateNamespaceAgain", Command: create, Risk: finding.NoRisk}
		cause.Remedies = append([]finding.Remedy{again}, cause.Remedies...)
	}
	return cause
}

// webhookNotCalled is the cause of what is refused on account of a webhook that isn't even called.
func (c *Checker) webhookNotCalled(
	hook session.RegisteredHook, details finding.AdmissionDeniedDetails, by finding.Evidence,
) finding.Finding {
	return finding.Finding{
		Reason: finding.AdmissionDenied, Situation: "WebhookNotCalled", Details: details,
		Object: hook.Configuration.Ref, Certainty: finding.Proven, Evidence: []finding.Evidence{by},
		Remedies: c.readsAndDeletes(hook.Configuration, details,
			finding.Remedy{Step: "MendSelection"}, finding.Remedy{Step: "OrDeleteConfiguration"}),
	}
}
