package refusal

import (
	"context"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Denial is a refusal by the API server: in a condition, or in answer to a dry run.
type Denial struct {
	admission.Refusal
	Request finding.Request  // what was refused
	By      finding.Evidence // where it was read
	write   *Write           // what was refused, if that is known
}

// Explain turns a denial into the cause that it names. It answers false for one that
// names nothing which can be found.
func (c *Checker) Explain(ctx context.Context, denial Denial) (answer session.Answer, explained bool) {
	switch denial.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		answer, explained = c.explainHook(ctx, denial)
	case admission.ConditionFailed:
		answer, explained = c.explainCondition(ctx, denial)
	case admission.PolicyDenied:
		answer, explained = c.explainPolicy(ctx, denial)
	}
	return c.withRefusersGoing(ctx, answer), explained
}

func (c *Checker) explainHook(ctx context.Context, denial Denial) (answer session.Answer, explained bool) {
	rules := c.Session.AdmissionRules(ctx)
	for _, registered := range rules.HooksNamed(denial.Name) {
		harmless := denial.Kind == admission.HookUnreachable && !registered.Hook.FailsClosed()
		if harmless || c.calledFor(ctx, registered, denial.write) == admission.No {
			continue
		}
		answer.Waits = append(answer.Waits, refusedBy(registered.Configuration, c.hookCause(ctx, registered, denial)))
	}
	if len(answer.Waits) > 0 {
		return answer, true
	}
	if len(rules.Unread) > 0 {
		return session.Open(unreadHook(denial)), true
	}
	return answer, false // it was deleted since, or the API server has it from a file
}

// unreadHook is what a denial says of a webhook whose configuration could not be read.
func unreadHook(denial Denial) finding.Finding {
	details := finding.AdmissionDeniedDetails{Webhook: denial.Name, Request: denial.Request, Seen: true}
	open := finding.Finding{Situation: "UnreadWebhookDenies", Evidence: []finding.Evidence{denial.By}}
	if denial.Kind == admission.HookUnreachable {
		open.Situation, details.Said = "UnreadWebhookNotReached", said(denial)
	}
	open.Details = details
	return open
}

// said is what the API server says of a webhook that it could not call.
func said(denial Denial) string {
	return strings.TrimPrefix(denial.Message, "failed to call webhook: ")
}

func (c *Checker) hookCause(ctx context.Context, registered session.RegisteredHook, denial Denial) finding.Finding {
	if denial.Kind == admission.HookUnreachable {
		var behind health.Backend
		if service, inCluster := health.HookService(registered.Hook.ClientConfig); inCluster {
			behind = c.Health.Backend(ctx, service)
		}
		return webhookNotReached(c.Session, registered, denial, behind)
	}
	details := finding.AdmissionDeniedDetails{
		Webhook: registered.Hook.Name, Request: denial.Request, Said: denial.Message, Seen: true,
	}
	return finding.Finding{
		Reason: finding.AdmissionDenied, Situation: "WebhookDenies", Details: details,
		Object: registered.Configuration.Ref, Certainty: finding.Proven, Evidence: []finding.Evidence{denial.By},
		Remedies: readsAndDeletes(c.Session, registered.Configuration, details,
			finding.Remedy{Step: "DoWhatDenialAsks"}, finding.Remedy{Step: "DeleteUnwantedConfiguration"}),
	}
}

func (c *Checker) explainCondition(ctx context.Context, denial Denial) (answer session.Answer, explained bool) {
	fault := &finding.Phrase{Situation: "ConditionFails", Details: finding.StepDetails{Name: denial.Message}}
	for _, registered := range c.Session.AdmissionRules(ctx).Hooks {
		if !registered.Hook.FailsClosed() || !registered.Hook.Evaluates(denial.Expression) ||
			c.calledFor(ctx, registered, denial.write) == admission.No {
			continue
		}
		details := finding.AdmissionDeniedDetails{
			Webhook: registered.Hook.Name, Request: denial.Request, Fault: fault, Seen: true,
		}
		cause := webhookNotCalled(c.Session, registered, details, denial.By)
		answer.Waits = append(answer.Waits, refusedBy(registered.Configuration, cause))
	}
	return answer, len(answer.Waits) > 0
}

func (c *Checker) explainPolicy(ctx context.Context, denial Denial) (session.Answer, bool) {
	rules := c.Session.AdmissionRules(ctx)
	policy, certainty := rules.PolicyNamed(denial.Name, denial.Mutating), finding.Proven
	if policy == nil {
		policy = session.Named(policyResource(denial.Mutating), "", denial.Name)
		if denial.write == nil {
			if !slices.Contains(rules.Unread, policy.Resource.QualifiedName()) {
				return session.Answer{}, false // it was deleted since it was named
			}
			certainty = finding.Likely
		}
	}
	cause := policyRefuses(c.Session, policy, certainty, denial.By, finding.AdmissionDeniedDetails{
		Binding: denial.Binding, Request: denial.Request, Said: denial.Message, Failed: failedPolicy(denial.Message),
		Seen: true, Parameter: c.parameterOf(ctx, denial),
	})
	return session.Answer{Waits: []session.Wait{refusedBy(policy, cause)}}, true
}

// Lifted says what is over of a refusal: its policy, binding or webhook doesn't exist any more, or a webhook that can't
// be reached no longer has failurePolicy Fail. It is nil for all others. What the API server has from a file has a name
// of its own (k8s v1.37 apiserver/pkg/admission/plugin/manifest/validation.go:StaticConfigSuffix), but for webhooks,
// whose configuration a refusal doesn't name.
func (c *Checker) Lifted(ctx context.Context, denial admission.Refusal) *finding.Phrase {
	rules := c.Session.AdmissionRules(ctx)
	unread := func(kinds ...string) bool {
		return slices.ContainsFunc(rules.Unread, func(text string) bool {
			among := func(kind string) bool { return strings.Contains(text, kind) }
			return text == admissionregistrationv1.GroupName || slices.ContainsFunc(kinds, among)
		})
	}
	switch denial.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		if unread("webhookconfigurations") {
			return nil
		}
		return gone(denial, rules.HooksNamed(denial.Name))
	case admission.PolicyDenied:
	default:
		return nil
	}
	resource := policyResource(denial.Mutating)
	policy, kind := session.Named(resource, "", denial.Name).Ref, strings.ToLower(resource.Kind)
	switch known := rules.PolicyNamed(denial.Name, denial.Mutating); {
	case fromFile(denial.Name), fromFile(denial.Binding), unread(resource.Resource, kind+"bindings"):
		return nil
	case known == nil:
		return &finding.Phrase{Situation: "PolicyGone", Details: finding.TaskDetails{Object: policy}}
	case denial.Binding == "" || rules.BindingOf(known.Ref, denial.Binding) != nil:
		return nil
	default:
		binding := bindingOf(known.Ref, denial.Binding)
		return &finding.Phrase{Situation: "BindingGone", Details: finding.TaskDetails{Object: binding}}
	}
}

// fromFile reports whether a name is one that only the API server's files may use.
func fromFile(name string) bool { return strings.HasSuffix(name, ".static.k8s.io") }

// gone says that no webhook of a name is there any more, or none that refuses what it can't be asked about; nil where
// one does, or may.
func gone(denial admission.Refusal, named []session.RegisteredHook) *finding.Phrase {
	refuses := func(registeredHook session.RegisteredHook) bool { return registeredHook.Hook.FailsClosed() }
	switch {
	case len(named) == 0:
		return &finding.Phrase{Situation: "WebhookGone", Details: finding.StepDetails{Name: denial.Name}}
	case denial.Kind == admission.HookDenied || slices.ContainsFunc(named, refuses):
		return nil
	}
	return &finding.Phrase{
		Situation: "WebhookIgnored", Details: finding.TaskDetails{Object: named[0].Configuration.Ref},
	}
}

// bindingOf is a policy's binding of a name.
func bindingOf(policy finding.Ref, name string) finding.Ref {
	policy.Kind, policy.Name, policy.UID = policy.Kind+"Binding", name, ""
	return policy
}

func policyResource(mutating bool) cluster.Resource {
	plural, kind := "validatingadmissionpolicies", "ValidatingAdmissionPolicy"
	if mutating {
		plural, kind = "mutatingadmissionpolicies", "MutatingAdmissionPolicy"
	}
	served := admissionregistrationv1.SchemeGroupVersion.WithResource(plural)
	return cluster.Resource{GroupVersionResource: served, Kind: kind}
}
