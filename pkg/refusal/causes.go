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

// webhookUnavailable is the cause of a write that must pass a webhook which can't answer.
func (c *Checker) webhookUnavailable(hook session.RegisteredHook, write Write, behind health.Backend) finding.Finding {
	ref := hook.Configuration.Ref
	details := finding.WebhookUnavailableDetails{
		Webhook: hook.Hook.Name, Request: write.Request(), Backend: fares(behind), Of: hook.Of,
	}
	return finding.Finding{
		Reason: finding.WebhookUnavailable, Situation: "WebhookBackendBroken", Details: details,
		Object: ref, Certainty: finding.Proven,
		Evidence: append([]finding.Evidence{{
			Source: ref.String(), Object: &ref,
			Observed: "webhook " + hook.Hook.Name + " intercepts " + write.String() + ", failurePolicy Fail",
		}}, behind.Evidence...),
		Remedies: append(
			slices.Clone(behind.Remedies), c.relieve(hook, details, finding.Remedy{Step: "ReadWebhookConfiguration"})...,
		),
	}
}

// fares is how a webhook's backend does.
func fares(behind health.Backend) *finding.Phrase { return &behind.Words }

// webhookNotReached is the cause of a request that was refused because a webhook didn't answer.
func (c *Checker) webhookNotReached(hook session.RegisteredHook, told Told, behind health.Backend) finding.Finding {
	details := finding.WebhookUnavailableDetails{Webhook: hook.Hook.Name, Request: told.Request, Of: hook.Of}
	cause := finding.Finding{
		Reason: finding.WebhookUnavailable, Situation: "WebhookNotReached",
		Object: hook.Configuration.Ref, Certainty: finding.Proven,
		Evidence: append([]finding.Evidence{told.By}, behind.Evidence...),
	}
	if behind.State == health.BackendBroken {
		details.Backend = fares(behind)
		cause.Details = details
		cause.Remedies = append(
			behind.Remedies, c.relieve(hook, details, finding.Remedy{Step: "ReadWebhookConfiguration"})...,
		)
		return cause
	}
	details.Said = strings.TrimPrefix(told.Message, "failed to call webhook: ")
	details.Slow = strings.Contains(told.Message, "context deadline exceeded")
	cause.Details = details
	switch client := hook.Hook.Client; { // nothing that can be read tells why, unless it is one of these
	case client.URL != nil:
		details.URL = *client.URL
	case behind.State == health.BackendUnknown:
		details.Backend = fares(behind)
	}
	cause.Remedies = c.relieve(hook, details, finding.Remedy{Step: "FindWhyWebhookIsSilent"})
	return cause
}

// relieve are the ways out while a webhook's backend is down: configuration of admission is never
// subject to it (deletion-mechanics M17-2). The step that
// reads the configuration says what to look for.
func (c *Checker) relieve(
	hook session.RegisteredHook, details finding.WebhookUnavailableDetails, read finding.Remedy,
) []finding.Remedy {
	steps := c.readsAndDeletes(hook.Configuration, details, read, finding.Remedy{Step: "DeleteLeftConfiguration"})
	return slices.Insert(steps, 1, finding.Remedy{
		Step: "LetRequestsPass", Details: details,
		Command: c.Session.Kubectl.Command(hook.Configuration, "patch", "--type", "json", "-p", ignoreFailures(hook)),
		Risk:    finding.Disruption,
	})
}

// ignoreFailures is the patch that lets requests pass while a webhook can't be reached.
func ignoreFailures(hook session.RegisteredHook) string {
	path := fmt.Sprintf("/webhooks/%d", hook.Index)
	return session.EncodePatch([]session.Operation{
		{Op: "test", Path: path + "/name", Value: hook.Hook.Name},
		{Op: "add", Path: path + "/failurePolicy", Value: "Ignore"},
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
	ref := hook.Configuration.Ref
	observed := "webhook " + hook.Hook.Name + ": " + called.Refused
	details := finding.AdmissionDeniedDetails{
		Webhook: hook.Hook.Name, Request: write.Request(), Fault: finding.Said(called.Refused),
	}
	if called.Lost {
		lost := finding.StepDetails{Name: write.Object.Ref.Namespace}
		details.Fault = &finding.Phrase{Situation: "NamespaceNeeded", Details: lost}
	}
	cause := c.webhookNotCalled(hook, details, finding.Evidence{Source: ref.String(), Observed: observed, Object: &ref})
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

// bracketed is a message of the cluster in an observation.
func bracketed(message string) string {
	if message == "" {
		return ""
	}
	return " (" + finding.Quoted(message) + ")"
}
