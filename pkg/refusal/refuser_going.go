package refusal

import (
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// withRefusersGoing adds to refusals that a webhook configuration, a policy or its binding is being deleted itself. It
// refuses until it is gone, and another DELETE of it changes nothing: what holds it is waited for as well
// (docs/deletion.md#how-webhooks-and-policies-match).
func (c *Checker) withRefusersGoing(ctx context.Context, answer session.Answer) session.Answer {
	waits := slices.Clone(answer.Waits)
	for i, wait := range answer.Waits {
		causes := finding.Each(wait.Otherwise.Causes, func(cause finding.Finding) finding.Finding {
			going := c.refusersGoing(ctx, wait.Blocker, cause)
			for _, refuser := range going {
				waits = append(waits, session.Wait{Blocker: refuser})
				cause.Ends = &refuser.Ref
				at := refuser.RequestedAt()
				cause.Evidence = append(slices.Clone(cause.Evidence), refuser.Ref.Observed("%s, held by %s",
					c.Session.Deleted(at), finding.Some(refuser.Meta.Finalizers, 3)).When(at))
			}
			details, _ := cause.Details.(finding.AdmissionDeniedDetails)
			binding := c.Session.AdmissionRules(ctx).BindingOf(wait.Blocker.Ref, details.Binding)
			cause.Remedies = mayBeUndone(c.Session.Kubectl, cause, wait.Blocker, binding)
			cause.Remedies = c.workingSteps(ctx, cause, going)
			return cause
		})
		waits[i].Otherwise.Causes = causes
	}
	answer.Waits = waits
	return answer
}

// refusersGoing returns what refuses and is being deleted: the configuration or policy itself, or the policy's binding.
func (c *Checker) refusersGoing(
	ctx context.Context, refuser *session.Object, cause finding.Finding,
) (going []*session.Object) {
	details, _ := cause.Details.(finding.AdmissionDeniedDetails)
	binding := c.Session.AdmissionRules(ctx).BindingOf(refuser.Ref, details.Binding)
	for _, object := range []*session.Object{refuser, binding} {
		if cause.Ends == nil && object != nil && object.Terminating() {
			going = append(going, object)
		}
	}
	return going
}

// workingSteps replaces each step that deletes what is being deleted already by one that ends its refusals at once, if
// there is one: a webhook that denies is taken out of its configuration, a binding only audits. A webhook that does not
// answer has a step of its own that works: requests pass without it.
func (c *Checker) workingSteps(
	ctx context.Context, cause finding.Finding, going []*session.Object,
) (steps []finding.Remedy) {
	for _, step := range cause.Remedies {
		object := deletedBy(c.Session.Kubectl, step, going)
		if object < 0 {
			steps = append(steps, step)
			continue
		}
		refuser := going[object]
		step.Details = finding.StepDetails{Object: &refuser.Ref, Appliers: session.AppliersOf(refuser)}
		switch details, _ := cause.Details.(finding.AdmissionDeniedDetails); {
		case refuser.Is("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"):
			const audit = `{"spec":{"validationActions":["Audit"]}}`
			step.Step = "OnlyAudit"
			step.Command = c.Session.Kubectl.Command(refuser, "patch", "--type", "merge", "-p", audit)
			steps = append(steps, step)
		case details.Webhook != "":
			step.Step = "TakeWebhookOut"
			step.Command = c.Session.Kubectl.Command(refuser, "patch", "--type", "json", "-p",
				session.EncodePatch(c.withoutWebhook(ctx, refuser.Ref, details.Webhook)))
			steps = append(steps, step)
		}
	}
	return steps
}

// deletedBy is the index of the object that a step deletes, or -1.
func deletedBy(kubectl session.Kubectl, step finding.Remedy, objects []*session.Object) int {
	return slices.IndexFunc(objects, func(object *session.Object) bool {
		return object != nil && (slices.Equal(step.Command, kubectl.CommandFor(object.Ref, "delete")) ||
			slices.Equal(step.Command, kubectl.Command(object, "delete")))
	})
}

// mayBeUndone names, in the steps that delete what denies, the objects of GitOps tools that apply it again and again.
func mayBeUndone(kubectl session.Kubectl, cause finding.Finding, refusers ...*session.Object) []finding.Remedy {
	steps := slices.Clone(cause.Remedies)
	for i, step := range steps {
		details, denied := step.Details.(finding.AdmissionDeniedDetails)
		if deleted := deletedBy(kubectl, step, refusers); denied && deleted >= 0 {
			details.Appliers = session.AppliersOf(refusers[deleted])
			steps[i].Details = details
		}
	}
	return steps
}

// withoutWebhook is a patch that takes a webhook out of its configuration.
func (c *Checker) withoutWebhook(
	ctx context.Context, configuration finding.Ref, name string,
) (patch []session.Operation) {
	for _, hook := range c.Session.AdmissionRules(ctx).HooksNamed(name) {
		if hook.Configuration.Ref == configuration {
			path := fmt.Sprintf("/webhooks/%d", hook.Index)
			return []session.Operation{
				{Op: "test", Path: path + "/name", Value: name}, {Op: "remove", Path: path},
			}
		}
	}
	return nil
}
