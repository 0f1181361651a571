package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// told is a refusal that the API server told somebody: in a condition, or in answer to a dry run.
type told struct {
	admission.Refusal
	// what was refused, in words: DELETE of secrets in Namespace shop.
	what string
	// by is where it was read.
	by graph.Evidence
	// write is what was refused, if that is known.
	write *write
}

// explain turns a refusal that was told into the cause that it names. It answers false for one that
// names nothing which can be found.
func (w *World) explain(ctx context.Context, told told) (Answer, bool) {
	switch told.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		return w.explainHook(ctx, told)
	case admission.ConditionFailed:
		return w.explainCondition(ctx, told)
	case admission.PolicyDenied:
		return w.explainPolicy(ctx, told)
	}
	return Answer{}, false
}

func (w *World) explainHook(ctx context.Context, told told) (Answer, bool) {
	rules := w.admissionRules(ctx)
	answer := Answer{}
	for _, registered := range rules.hooksNamed(told.Name) {
		if w.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		answer.Waits = append(answer.Waits, refusedBy(registered.configuration, w.hookCause(ctx, registered, told)))
	}
	if len(answer.Waits) > 0 {
		return answer, true
	}
	if len(rules.unread) > 0 {
		return open(Note{
			Message:  fmt.Sprintf("%s is refused by webhook %s. Which configuration that stands in could not be read.", told.what, told.Name),
			Awaited:  fmt.Sprintf("webhook %s, which refuses the %s", told.Name, told.what),
			Evidence: []graph.Evidence{told.by},
		}), true
	}
	return Answer{}, false // it was deleted since, or the API server has it from a file
}

func (w *World) hookCause(ctx context.Context, registered registeredHook, told told) graph.Cause {
	ref := registered.configuration.Ref
	if told.Kind == admission.HookUnreachable {
		var behind backend
		if service, inCluster := hookService(registered.hook.Client); inCluster {
			behind = w.backend(ctx, service)
		}
		why, remedies := "its backend "+behind.words, append(behind.remedies, w.relieve(registered)...)
		if behind.state != backendBroken {
			why = strings.TrimPrefix(told.Message, "failed to call webhook: ")
			remedies = w.answerAgain(registered, behind, told.Message)
		}
		return graph.Cause{
			Reason: graph.WebhookUnavailable, Object: ref, Certainty: graph.Proven,
			Message:  fmt.Sprintf("%s is refused because webhook %s of %s can't answer: %s.", told.what, registered.hook.Name, ref, why),
			Awaited:  fmt.Sprintf("webhook %s of %s, which must allow the %s and can't be reached: %s", registered.hook.Name, ref, told.what, why),
			Evidence: append([]graph.Evidence{told.by}, behind.evidence...),
			Remedies: remedies,
		}
	}
	return graph.Cause{
		Reason: graph.AdmissionDenied, Object: ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("Webhook %s of %s denies the %s%s. Somebody wants it so: find out what it protects before you lift it.", registered.hook.Name, ref, told.what, bracketed(told.Message)),
		Awaited:  fmt.Sprintf("webhook %s of %s, which denies the %s%s", registered.hook.Name, ref, told.what, bracketed(told.Message)),
		Evidence: []graph.Evidence{told.by},
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
func (w *World) explainCondition(ctx context.Context, told told) (Answer, bool) {
	answer := Answer{}
	for _, registered := range w.admissionRules(ctx).hooks {
		if !registered.hook.FailsClosed() || !registered.hook.Evaluates(told.Expression) || w.calledFor(ctx, registered, told.write) == admission.No {
			continue
		}
		why := "one of its match conditions can't be evaluated: " + told.Message
		answer.Waits = append(answer.Waits, refusedBy(registered.configuration, w.hookRefuses(registered, told.what, told.what, why, told.by)))
	}
	return answer, len(answer.Waits) > 0
}

func (w *World) explainPolicy(ctx context.Context, told told) (Answer, bool) {
	rules := w.admissionRules(ctx)
	policy, certainty := rules.policyNamed(told.Name, told.Mutating), graph.Proven
	if policy == nil {
		policy = Named(policyResource(told.Mutating), "", told.Name)
		if told.write == nil {
			if !slices.Contains(rules.unread, policy.Resource.QualifiedName()) {
				return Answer{}, false // it was deleted since it was told of
			}
			certainty = graph.Likely
		}
	}
	decision := admission.Decision{Message: told.Message, Failed: failedPolicy(told.Message)}
	return Answer{Waits: []Wait{refusedBy(policy, w.policyRefuses(policy, told.Binding, "the "+told.what, decision, certainty, told.by))}}, true
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
func (w *World) invalidUpdate(write write, message string, fields []string, by graph.Evidence, doubts []graph.Evidence) graph.Cause {
	object := write.object
	named := ""
	if len(fields) > 0 {
		named = " (" + some(fields, 3) + ")"
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
		cause.Message += fmt.Sprintf(" Something may change the object on the way: %s.", some(names, 3))
		return cause
	}
	fix := graph.Remedy{
		Action: "Make the object valid by the present rules, or the rules accept it again. The controller's update then passes by itself. To change field and finalizer in one request works, too.",
		Risk:   graph.NoRisk,
	}
	if !object.is("", "Secret") { // an editor would show its data
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
