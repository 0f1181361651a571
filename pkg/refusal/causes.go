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
func (c *Checker) webhookUnavailable(registered session.RegisteredHook, write Write, behind health.Backend) finding.Finding {
	ref := registered.Configuration.Ref
	return finding.Finding{
		Reason: finding.WebhookUnavailable, Object: ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s must be asked about every %s, and its webhook %s can't answer: its backend %s. With failurePolicy Fail the request is then refused.",
			ref, write.kind(), registered.Hook.Name, c.Health.Told(behind.Words)),
		Awaited: fmt.Sprintf("webhook %s of %s, which must allow the %s and can't be reached: its backend %s", registered.Hook.Name, ref, write.kind(), c.Health.Told(behind.Words)),
		Evidence: append([]finding.Evidence{{
			Source: ref.String(), Observed: fmt.Sprintf("webhook %s intercepts %s, failurePolicy Fail", registered.Hook.Name, write), Object: &ref,
		}}, behind.Evidence...),
		Remedies: append(slices.Clone(behind.Remedies), c.relieve(registered)...),
	}
}

// relieve are the ways out while a webhook's backend is down: configuration of admission is never
// subject to it (deletion-mechanics M17-2).
func (c *Checker) relieve(registered session.RegisteredHook) []finding.Remedy {
	loses := "the checks or changes that it makes, until it is put back"
	path := fmt.Sprintf("/webhooks/%d", registered.Index)
	patch := []session.Operation{
		{Op: "test", Path: path + "/name", Value: registered.Hook.Name},
		{Op: "add", Path: path + "/failurePolicy", Value: "Ignore"},
	}
	remove := finding.Remedy{
		Action:  "If what it belonged to is gone for good, delete the configuration, which was left behind.",
		Command: c.Session.Kubectl.Command(registered.Configuration, "delete"),
		Risk:    finding.Disruption,
		Loses:   loses,
	}
	if registered.Of > 1 {
		remove.Loses = fmt.Sprintf("the checks or changes of all its %d webhooks, until they are put back", registered.Of)
	}
	return []finding.Remedy{{
		Action:  "Read the configuration, and keep the output: it is what puts it back.",
		Command: c.Session.Kubectl.Command(registered.Configuration, "get", "-o", "yaml"),
		Risk:    finding.NoRisk,
	}, {
		Action:  fmt.Sprintf("Meanwhile, let requests pass while webhook %s can't be reached.", registered.Hook.Name),
		Command: c.Session.Kubectl.Command(registered.Configuration, "patch", "--type", "json", "-p", session.EncodePatch(patch)),
		Risk:    finding.Disruption,
		Loses:   loses,
	}, remove}
}

// answerAgain are the ways out while a webhook doesn't answer and nothing that can be read tells why.
func (c *Checker) answerAgain(registered session.RegisteredHook, behind health.Backend, message string) []finding.Remedy {
	remedies := c.relieve(registered)
	look := "Its backend looks well from here. Compare caBundle with its certificate, and see whether the control plane can reach pods at all."
	switch client := registered.Hook.Client; {
	case client.URL != nil:
		look = fmt.Sprintf("It is called by URL, so nothing in the cluster tells what should answer: see to it that %s answers the hosts of the control plane, with a certificate that caBundle vouches for.", *client.URL)
	case behind.State == health.BackendUnknown:
		look = fmt.Sprintf("Its backend %s. See to it that it answers the hosts of the control plane, with a certificate that caBundle vouches for.", c.Health.Told(behind.Words))
	}
	if strings.Contains(message, "context deadline exceeded") {
		look += " It may only be slow: it has as long as timeoutSeconds allows."
	}
	remedies[0].Action = look + " Keep the output: it is what puts the configuration back."
	return remedies
}

// hookFails is the cause of a write that fails before a webhook is called: a selector needs a namespace
// that is gone, or a match condition can't be evaluated.
func (c *Checker) hookFails(registered session.RegisteredHook, write Write, called admission.Called) finding.Finding {
	ref := registered.Configuration.Ref
	by := finding.Evidence{Source: ref.String(), Observed: fmt.Sprintf("webhook %s: %s", registered.Hook.Name, called.Refused), Object: &ref}
	cause := c.hookRefuses(registered, write.String(), write.kind(), called.Refused, by)
	if called.Lost {
		cause.Remedies = append([]finding.Remedy{{
			Action:  "Create the namespace again, so that selectors have something to look at. What was left in it comes back to sight with it; delete the namespace again when that is gone.",
			Command: append(c.Session.Kubectl.Prefix(finding.Ref{}), "create", "namespace", write.Object.Ref.Namespace),
			Risk:    finding.NoRisk,
		}}, cause.Remedies...)
	}
	return cause
}

// hookRefuses is the cause of what is refused on account of a webhook that isn't even called.
func (c *Checker) hookRefuses(registered session.RegisteredHook, what, kind, why string, by finding.Evidence) finding.Finding {
	ref := registered.Configuration.Ref
	return finding.Finding{
		Reason: finding.AdmissionDenied, Object: ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("%s is refused because of webhook %s of %s: %s.", what, registered.Hook.Name, ref, why),
		Awaited:  fmt.Sprintf("the %s to be allowed, which webhook %s of %s prevents: %s", kind, registered.Hook.Name, ref, why),
		Evidence: []finding.Evidence{by},
		Remedies: []finding.Remedy{{
			Action:  "Read the configuration, and mend what it selects by. Keep the output: it is what puts it back.",
			Command: c.Session.Kubectl.Command(registered.Configuration, "get", "-o", "yaml"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "Or delete the configuration.",
			Command: c.Session.Kubectl.Command(registered.Configuration, "delete"),
			Risk:    finding.Disruption,
			Loses:   "the checks or changes that it makes, until it is put back",
		}},
	}
}

// bracketed is a message of the cluster in a sentence.
func bracketed(message string) string {
	if message == "" {
		return ""
	}
	return " (" + health.Quoted(message) + ")"
}
