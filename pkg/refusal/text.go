package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Told is a refusal that the API server told somebody: in a condition, or in answer to a dry run.
type Told struct {
	admission.Refusal
	// What was refused, in words: DELETE of secrets in Namespace shop.
	What string
	// By is where it was read.
	By graph.Evidence
	// Write is what was refused, if that is known.
	write *Write
}

// Explain turns a refusal that was told into the cause that it names. It answers false for one that
// names nothing which can be found.
func (w *World) Explain(ctx context.Context, told Told) (facts.Answer, bool) {
	switch told.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		return w.explainHook(ctx, told)
	case admission.ConditionFailed:
		return w.explainCondition(ctx, told)
	case admission.PolicyDenied:
		return w.explainPolicy(ctx, told)
	}
	return facts.Answer{}, false
}

func (w *World) explainHook(ctx context.Context, told Told) (facts.Answer, bool) {
	rules := w.AdmissionRules(ctx)
	answer := facts.Answer{}
	for _, registered := range rules.HooksNamed(told.Name) {
		if w.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		answer.Waits = append(answer.Waits, refusedBy(registered.configuration, w.hookCause(ctx, registered, told)))
	}
	if len(answer.Waits) > 0 {
		return answer, true
	}
	if len(rules.unread) > 0 {
		return facts.Open(facts.Note{
			Message:  fmt.Sprintf("%s is refused by webhook %s. Which configuration that stands in could not be read.", told.What, told.Name),
			Awaited:  fmt.Sprintf("webhook %s, which refuses the %s", told.Name, told.What),
			Evidence: []graph.Evidence{told.By},
		}), true
	}
	return facts.Answer{}, false // it was deleted since, or the API server has it from a file
}

func (w *World) hookCause(ctx context.Context, registered RegisteredHook, told Told) graph.Cause {
	ref := registered.configuration.Ref
	if told.Kind == admission.HookUnreachable {
		var behind Backend
		if service, inCluster := HookService(registered.Hook.Client); inCluster {
			behind = w.Backend(ctx, service)
		}
		why, remedies := "its backend "+behind.Words, append(behind.Remedies, w.relieve(registered)...)
		if behind.State != BackendBroken {
			why = strings.TrimPrefix(told.Message, "failed to call webhook: ")
			remedies = w.answerAgain(registered, behind, told.Message)
		}
		return graph.Cause{
			Reason: graph.WebhookUnavailable, Object: ref, Certainty: graph.Proven,
			Message:  fmt.Sprintf("%s is refused because webhook %s of %s can't answer: %s.", told.What, registered.Hook.Name, ref, why),
			Awaited:  fmt.Sprintf("webhook %s of %s, which must allow the %s and can't be reached: %s", registered.Hook.Name, ref, told.What, why),
			Evidence: append([]graph.Evidence{told.By}, behind.Evidence...),
			Remedies: remedies,
		}
	}
	return graph.Cause{
		Reason: graph.AdmissionDenied, Object: ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("Webhook %s of %s denies the %s%s. Somebody wants it so: find out what it protects before you lift it.", registered.Hook.Name, ref, told.What, bracketed(told.Message)),
		Awaited:  fmt.Sprintf("webhook %s of %s, which denies the %s%s", registered.Hook.Name, ref, told.What, bracketed(told.Message)),
		Evidence: []graph.Evidence{told.By},
		Remedies: []graph.Remedy{{
			Action:  "See what the webhook is about and whose it is, and do what its denial asks for. Keep the output: it is what puts the configuration back.",
			Command: w.Kubectl.Command(registered.configuration, "get", "-o", "yaml"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "If it shall not apply any more, delete its configuration.",
			Command: w.Kubectl.Command(registered.configuration, "delete"),
			Risk:    graph.Disruption,
			Loses:   "the checks or changes that it makes, until it is put back",
		}},
	}
}

// explainCondition finds the webhooks of which a match condition is the one that failed.
func (w *World) explainCondition(ctx context.Context, told Told) (facts.Answer, bool) {
	answer := facts.Answer{}
	for _, registered := range w.AdmissionRules(ctx).Hooks {
		if !registered.Hook.FailsClosed() || !registered.Hook.Evaluates(told.Expression) || w.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		why := "one of its match conditions can't be evaluated: " + told.Message
		answer.Waits = append(answer.Waits, refusedBy(registered.configuration, w.hookRefuses(registered, told.What, told.What, why, told.By)))
	}
	return answer, len(answer.Waits) > 0
}

func (w *World) explainPolicy(ctx context.Context, told Told) (facts.Answer, bool) {
	rules := w.AdmissionRules(ctx)
	policy, certainty := rules.policyNamed(told.Name, told.Mutating), graph.Proven
	if policy == nil {
		policy = facts.Named(policyResource(told.Mutating), "", told.Name)
		if told.write == nil {
			if !slices.Contains(rules.unread, policy.Resource.QualifiedName()) {
				return facts.Answer{}, false // it was deleted since it was told of
			}
			certainty = graph.Likely
		}
	}
	decision := admission.Decision{Message: told.Message, Failed: failedPolicy(told.Message)}
	return facts.Answer{Waits: []facts.Wait{refusedBy(policy, w.policyRefuses(policy, told.Binding, "the "+told.What, decision, certainty, told.By))}}, true
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
func (w *World) invalidUpdate(write Write, message string, fields []string, by graph.Evidence, doubts []graph.Evidence) graph.Cause {
	object := write.Object
	named := ""
	if len(fields) > 0 {
		named = " (" + facts.Some(fields, 3) + ")"
	}
	cause := graph.Cause{
		Reason: graph.UpdateInvalid, Object: object.Ref, Finalizer: write.removes, Certainty: graph.Proven,
		Message:  fmt.Sprintf("No update of %s passes validation%s, not even one that only removes a finalizer: %s.", object.Ref, named, message),
		Awaited:  fmt.Sprintf("an update of %s that passes validation%s: %s", object.Ref, named, message),
		Evidence: append([]graph.Evidence{by}, doubts...),
	}
	if changers := mutators(doubts); len(changers) > 0 {
		names := make([]string, len(changers))
		for i, changer := range changers {
			names[i] = changer.String()
			cause.Remedies = append(cause.Remedies, graph.Remedy{
				Action:  fmt.Sprintf("See whether it is %s that changes the object on every update. If so, let it do that on CREATE alone.", changer),
				Command: w.Kubectl.CommandFor(changer, "edit"),
				Risk:    graph.NoRisk,
			})
		}
		cause.Message += fmt.Sprintf(" Something may change the object on the way: %s.", facts.Some(names, 3))
		return cause
	}
	fix := graph.Remedy{
		Action: "Make the object valid by the present rules, or the rules accept it again. The controller's update then passes by itself. To change field and finalizer in one request works, too.",
		Risk:   graph.NoRisk,
	}
	if !object.Is("", "Secret") { // an editor would show its data
		fix.Command = w.Kubectl.Command(object, "edit")
	}
	cause.Remedies = []graph.Remedy{fix}
	return cause
}

// mutators are what of some doubts may change an object.
func mutators(doubts []graph.Evidence) []graph.Ref {
	var found []graph.Ref
	for _, doubt := range doubts {
		if doubt.Object != nil && strings.HasPrefix(doubt.Object.Kind, "Mutating") && !slices.Contains(found, *doubt.Object) {
			found = append(found, *doubt.Object)
		}
	}
	return found
}
