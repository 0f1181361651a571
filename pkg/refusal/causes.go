package refusal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// webhookUnavailable is the cause of a write that must pass a webhook which can't answer.
func (w *World) webhookUnavailable(registered RegisteredHook, write Write, behind Backend) graph.Cause {
	ref := registered.configuration.Ref
	return graph.Cause{
		Reason: graph.WebhookUnavailable, Object: ref, Certainty: graph.Proven,
		Message: fmt.Sprintf("%s must be asked about every %s, and its webhook %s can't answer: its backend %s. With failurePolicy Fail the request is then refused.",
			ref, write.kind(), registered.Hook.Name, behind.Words),
		Awaited: fmt.Sprintf("webhook %s of %s, which must allow the %s and can't be reached: its backend %s", registered.Hook.Name, ref, write.kind(), behind.Words),
		Evidence: append([]graph.Evidence{{
			Source: ref.String(), Observed: fmt.Sprintf("webhook %s intercepts %s, failurePolicy Fail", registered.Hook.Name, write), Object: &ref,
		}}, behind.Evidence...),
		Remedies: append(slices.Clone(behind.Remedies), w.relieve(registered)...),
	}
}

// relieve are the ways out while a webhook's backend is down: configuration of admission is never
// subject to it (deletion-mechanics M17-2).
func (w *World) relieve(registered RegisteredHook) []graph.Remedy {
	loses := "the checks or changes that it makes, until it is put back"
	path := fmt.Sprintf("/webhooks/%d", registered.index)
	patch := []facts.Operation{
		{Op: "test", Path: path + "/name", Value: registered.Hook.Name},
		{Op: "add", Path: path + "/failurePolicy", Value: "Ignore"},
	}
	remove := graph.Remedy{
		Action:  "If what it belonged to is gone for good, delete the configuration, which was left behind.",
		Command: w.Kubectl.Command(registered.configuration, "delete"),
		Risk:    graph.Disruption,
		Loses:   loses,
	}
	if registered.of > 1 {
		remove.Loses = fmt.Sprintf("the checks or changes of all its %d webhooks, until they are put back", registered.of)
	}
	return []graph.Remedy{{
		Action:  "Read the configuration, and keep the output: it is what puts it back.",
		Command: w.Kubectl.Command(registered.configuration, "get", "-o", "yaml"),
		Risk:    graph.NoRisk,
	}, {
		Action:  fmt.Sprintf("Meanwhile, let requests pass while webhook %s can't be reached.", registered.Hook.Name),
		Command: w.Kubectl.Command(registered.configuration, "patch", "--type", "json", "-p", facts.EncodePatch(patch)),
		Risk:    graph.Disruption,
		Loses:   loses,
	}, remove}
}

// answerAgain are the ways out while a webhook doesn't answer and nothing that can be read tells why.
func (w *World) answerAgain(registered RegisteredHook, behind Backend, message string) []graph.Remedy {
	remedies := w.relieve(registered)
	look := "Its backend looks well from here. Compare caBundle with its certificate, and see whether the control plane can reach pods at all."
	switch client := registered.Hook.Client; {
	case client.URL != nil:
		look = fmt.Sprintf("It is called by URL, so nothing in the cluster tells what should answer: see to it that %s answers the hosts of the control plane, with a certificate that caBundle vouches for.", *client.URL)
	case behind.State == BackendUnknown:
		look = fmt.Sprintf("Its backend %s. See to it that it answers the hosts of the control plane, with a certificate that caBundle vouches for.", behind.Words)
	}
	if strings.Contains(message, "context deadline exceeded") {
		look += " It may only be slow: it has as long as timeoutSeconds allows."
	}
	remedies[0].Action = look + " Keep the output: it is what puts the configuration back."
	return remedies
}

// hookFails is the cause of a write that fails before a webhook is called: a selector needs a namespace
// that is gone, or a match condition can't be evaluated.
func (w *World) hookFails(registered RegisteredHook, write Write, called admission.Called) graph.Cause {
	ref := registered.configuration.Ref
	by := graph.Evidence{Source: ref.String(), Observed: fmt.Sprintf("webhook %s: %s", registered.Hook.Name, called.Refused), Object: &ref}
	cause := w.hookRefuses(registered, write.String(), write.kind(), called.Refused, by)
	if called.Lost {
		cause.Remedies = append([]graph.Remedy{{
			Action:  "Create the namespace again, so that selectors have something to look at. What was left in it comes back to sight with it; delete the namespace again when that is gone.",
			Command: append(w.Kubectl.Prefix(graph.Ref{}), "create", "namespace", write.Object.Ref.Namespace),
			Risk:    graph.NoRisk,
		}}, cause.Remedies...)
	}
	return cause
}

// hookRefuses is the cause of what is refused on account of a webhook that isn't even called.
func (w *World) hookRefuses(registered RegisteredHook, what, kind, why string, by graph.Evidence) graph.Cause {
	ref := registered.configuration.Ref
	return graph.Cause{
		Reason: graph.AdmissionDenied, Object: ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s is refused because of webhook %s of %s: %s.", what, registered.Hook.Name, ref, why),
		Awaited:  fmt.Sprintf("the %s to be allowed, which webhook %s of %s prevents: %s", kind, registered.Hook.Name, ref, why),
		Evidence: []graph.Evidence{by},
		Remedies: []graph.Remedy{{
			Action:  "Read the configuration, and mend what it selects by. Keep the output: it is what puts it back.",
			Command: w.Kubectl.Command(registered.configuration, "get", "-o", "yaml"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "Or delete the configuration.",
			Command: w.Kubectl.Command(registered.configuration, "delete"),
			Risk:    graph.Disruption,
			Loses:   "the checks or changes that it makes, until it is put back",
		}},
	}
}

// bracketed is a message of the cluster in a sentence.
func bracketed(message string) string {
	if message == "" {
		return ""
	}
	return " (" + facts.Quoted(message) + ")"
}
