package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Told is a refusal that the API server told somebody: in a condition, or in answer to a dry run.
type Told struct {
	admission.Refusal
	// What was refused, in words: DELETE of secrets in Namespace shop.
	What string
	// By is where it was read.
	By finding.Evidence
	// Write is what was refused, if that is known.
	write *Write
}

// Explain turns a refusal that was told into the cause that it names. It answers false for one that
// names nothing which can be found.
func (c *Checker) Explain(ctx context.Context, told Told) (session.Answer, bool) {
	switch told.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		return c.explainHook(ctx, told)
	case admission.ConditionFailed:
		return c.explainCondition(ctx, told)
	case admission.PolicyDenied:
		return c.explainPolicy(ctx, told)
	}
	return session.Answer{}, false
}

func (c *Checker) explainHook(ctx context.Context, told Told) (session.Answer, bool) {
	rules := c.Session.AdmissionRules(ctx)
	answer := session.Answer{}
	for _, registered := range rules.HooksNamed(told.Name) {
		if c.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		answer.Waits = append(answer.Waits, refusedBy(registered.Configuration, c.hookCause(ctx, registered, told)))
	}
	if len(answer.Waits) > 0 {
		return answer, true
	}
	if len(rules.Unread) > 0 {
		return session.Open(finding.Finding{
			Message:  fmt.Sprintf("%s is refused by webhook %s. Which configuration that stands in could not be read.", told.What, told.Name),
			Awaited:  fmt.Sprintf("webhook %s, which refuses the %s", told.Name, told.What),
			Evidence: []finding.Evidence{told.By},
		}), true
	}
	return session.Answer{}, false // it was deleted since, or the API server has it from a file
}

func (c *Checker) hookCause(ctx context.Context, registered session.RegisteredHook, told Told) finding.Finding {
	ref := registered.Configuration.Ref
	if told.Kind == admission.HookUnreachable {
		var behind health.Backend
		if service, inCluster := health.HookService(registered.Hook.Client); inCluster {
			behind = c.Health.Backend(ctx, service)
		}
		why, remedies := "its backend "+c.Health.Told(behind.Words), append(behind.Remedies, c.relieve(registered)...)
		if behind.State != health.BackendBroken {
			why = strings.TrimPrefix(told.Message, "failed to call webhook: ")
			remedies = c.answerAgain(registered, behind, told.Message)
		}
		return finding.Finding{
			Reason: finding.WebhookUnavailable, Object: ref, Certainty: finding.Proven,
			Message:  fmt.Sprintf("%s is refused because webhook %s of %s can't answer: %s.", told.What, registered.Hook.Name, ref, why),
			Awaited:  fmt.Sprintf("webhook %s of %s, which must allow the %s and can't be reached: %s", registered.Hook.Name, ref, told.What, why),
			Evidence: append([]finding.Evidence{told.By}, behind.Evidence...),
			Remedies: remedies,
		}
	}
	return finding.Finding{
		Reason: finding.AdmissionDenied, Object: ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("Webhook %s of %s denies the %s%s. Somebody wants it so: find out what it protects before you lift it.", registered.Hook.Name, ref, told.What, bracketed(told.Message)),
		Awaited:  fmt.Sprintf("webhook %s of %s, which denies the %s%s", registered.Hook.Name, ref, told.What, bracketed(told.Message)),
		Evidence: []finding.Evidence{told.By},
		Remedies: []finding.Remedy{{
			Action:  "See what the webhook is about and whose it is, and do what its denial asks for. Keep the output: it is what puts the configuration back.",
			Command: c.Session.Kubectl.Command(registered.Configuration, "get", "-o", "yaml"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "If it shall not apply any more, delete its configuration.",
			Command: c.Session.Kubectl.Command(registered.Configuration, "delete"),
			Risk:    finding.Disruption,
			Loses:   "the checks or changes that it makes, until it is put back",
		}},
	}
}

// explainCondition finds the webhooks of which a match condition is the one that failed.
func (c *Checker) explainCondition(ctx context.Context, told Told) (session.Answer, bool) {
	answer := session.Answer{}
	for _, registered := range c.Session.AdmissionRules(ctx).Hooks {
		if !registered.Hook.FailsClosed() || !registered.Hook.Evaluates(told.Expression) || c.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		why := "one of its match conditions can't be evaluated: " + told.Message
		answer.Waits = append(answer.Waits, refusedBy(registered.Configuration, c.hookRefuses(registered, told.What, told.What, why, told.By)))
	}
	return answer, len(answer.Waits) > 0
}

func (c *Checker) explainPolicy(ctx context.Context, told Told) (session.Answer, bool) {
	rules := c.Session.AdmissionRules(ctx)
	policy, certainty := rules.PolicyNamed(told.Name, told.Mutating), finding.Proven
	if policy == nil {
		policy = session.Named(policyResource(told.Mutating), "", told.Name)
		if told.write == nil {
			if !slices.Contains(rules.Unread, policy.Resource.QualifiedName()) {
				return session.Answer{}, false // it was deleted since it was told of
			}
			certainty = finding.Likely
		}
	}
	decision := admission.Decision{Message: told.Message, Failed: failedPolicy(told.Message)}
	return session.Answer{Waits: []session.Wait{refusedBy(policy, c.policyRefuses(policy, told.Binding, "the "+told.What, decision, certainty, told.By))}}, true
}

func policyResource(mutating bool) cluster.Resource {
	resource := cluster.Resource{
		GroupVersionResource: admissionregistrationv1.SchemeGroupVersion.WithResource("validatingadmissionpolicies"), Kind: "ValidatingAdmissionPolicy",
	}
	if mutating {
		resource.Resource, resource.Kind = "mutatingadmissionpolicies", "MutatingAdmissionPolicy"
	}
	return resource
}

// invalidUpdate is the cause of an update that validation refuses, whoever sends it
// (deletion-mechanics M18).
func (c *Checker) invalidUpdate(write Write, message string, fields []string, by finding.Evidence, doubts []finding.Evidence) finding.Finding {
	object := write.Object
	named := ""
	if len(fields) > 0 {
		named = " (" + session.Some(fields, 3) + ")"
	}
	cause := finding.Finding{
		Reason: finding.UpdateInvalid, Object: object.Ref, Finalizer: write.removes, Certainty: finding.Proven,
		Message:  fmt.Sprintf("No update of %s passes validation%s, not even one that only removes a finalizer: %s.", object.Ref, named, message),
		Awaited:  fmt.Sprintf("an update of %s that passes validation%s: %s", object.Ref, named, message),
		Evidence: append([]finding.Evidence{by}, doubts...),
	}
	if changers := mutators(doubts); len(changers) > 0 {
		names := make([]string, len(changers))
		for i, changer := range changers {
			names[i] = changer.String()
			cause.Remedies = append(cause.Remedies, finding.Remedy{
				Action:  fmt.Sprintf("See whether it is %s that changes the object on every update. If so, let it do that on CREATE alone.", changer),
				Command: c.Session.Kubectl.CommandFor(changer, "edit"),
				Risk:    finding.NoRisk,
			})
		}
		cause.Message += fmt.Sprintf(" Something may change the object on the way: %s.", session.Some(names, 3))
		return cause
	}
	fix := finding.Remedy{
		Action: "Make the object valid by the present rules, or the rules accept it again. The controller's update then passes by itself. To change field and finalizer in one request works, too.",
		Risk:   finding.NoRisk,
	}
	if !object.Is("", "Secret") { // an editor would show its data
		fix.Command = c.Session.Kubectl.Command(object, "edit")
	}
	cause.Remedies = []finding.Remedy{fix}
	return cause
}

// mutators are what of some doubts may change an object.
func mutators(doubts []finding.Evidence) []finding.Ref {
	var found []finding.Ref
	for _, doubt := range doubts {
		if doubt.Object != nil && strings.HasPrefix(doubt.Object.Kind, "Mutating") && !slices.Contains(found, *doubt.Object) {
			found = append(found, *doubt.Object)
		}
	}
	return found
}
