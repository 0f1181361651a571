package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// RefusedLater answers what will refuse the write that ends a hold, once that waits for nothing any more: no time that
// passes ends the refusal. said is the hold's answer, which has waits.
func RefusedLater(ctx context.Context, tools *Tools, object *Object, hold finding.Hold, said Answer) Answer {
	write := refusal.RemovalOf(object, hold)
	write.By = said.By
	refused := tools.Refusals.Refused(ctx, write)
	if refused.Found() || len(refused.Unsure) == 0 {
		return refused.Answer
	}
	return session.Open(refused.Doubt(Finding{
		Situation: "RemovalLater", Object: object.Ref, Details: finding.HeldDetails{Object: object.Ref, Hold: hold.Name},
	}))
}

// refusedRemoval answers for a hold whose removal is refused, whoever tries, and for a controller that isn't there to
// try. Where one workload should remove the finalizer and answers for the webhook, it is the cause, and the refusal
// what follows from it: ending the refusal alone would release nothing. The controller of the hold comes later if it is
// not known.
func refusedRemoval(held Held, said Answer, refused refusal.Refusals) Answer {
	answer := Answer{Remarks: said.Remarks, Waits: slices.Clone(said.Waits)}
	absent := []finding.Reason{finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden}
	for _, cause := range said.Causes {
		if slices.Contains(absent, cause.Reason) {
			answer.Causes = append(answer.Causes, cause)
		}
	}
	if len(answer.Causes)+len(answer.Waits) == 0 && len(said.Causes)+len(said.Open) > 0 {
		answer.Remarks = append(answer.Remarks, Finding{
			Situation: "SetterStillDue", Details: finding.HeldDetails{Object: held.Ref, Hold: held.Hold.Name}, Holds: true,
			Key: finding.KeyOf("SetterStillDue", held.Hold.Name),
		})
	}
	for _, wait := range refused.Answer.Waits {
		if behind := backendOf(wait); behind != nil && warnAtCause(&answer, *behind, wait.Blocker.Ref) {
			remarkWebhook(&answer, Finding{
				Situation: "WebhookComesBack", Key: finding.KeyOf("WebhookComesBack", *behind), Holds: true,
				Details: finding.HeldDetails{Object: wait.Blocker.Ref, Blocker: behind}, Evidence: shownBy(wait, 1),
			})
			continue
		}
		if left, joined := showLeftBehind(&answer, wait); joined {
			remarkWebhook(&answer, left)
			continue
		}
		silent := func(cause Finding) bool { return cause.Reason == finding.WebhookUnavailable }
		if slices.ContainsFunc(wait.Otherwise.Causes, silent) {
			answer.Causes = warnForce(answer.Causes, wait.Blocker.Ref)
			for i := range answer.Waits {
				answer.Waits[i].Otherwise.Causes = warnForce(answer.Waits[i].Otherwise.Causes, wait.Blocker.Ref)
			}
		}
		answer.Waits = append(answer.Waits, wait)
	}
	refused.Answer.Waits = nil
	answer.Add(refused.Answer)
	return answer
}

// remarkWebhook adds a remark on a webhook, or adds the webhook's configuration to a remark on others of that backend.
func remarkWebhook(answer *Answer, remark Finding) {
	same := func(other Finding) bool { return other.Situation == remark.Situation && other.Key == remark.Key }
	at := slices.IndexFunc(answer.Remarks, same)
	if at < 0 {
		answer.Remarks = append(answer.Remarks, remark)
		return
	}
	details, _ := answer.Remarks[at].Details.(finding.HeldDetails)
	more, _ := remark.Details.(finding.HeldDetails)
	if !slices.Contains(details.Objects(), more.Object) { // a dry run and the rules may name one configuration each
		details.Also = append(slices.Clone(details.Also), more.Object)
	}
	answer.Remarks = slices.Clone(answer.Remarks)
	answer.Remarks[at].Details = details
	answer.Remarks[at].Evidence = append(slices.Clone(answer.Remarks[at].Evidence), remark.Evidence...)
}

// shownBy is what shows a refusal: the first few observations of each of its causes.
func shownBy(refused Wait, few int) (evidence []Evidence) {
	for _, refusal := range refused.Otherwise.Causes {
		evidence = append(evidence, refusal.Evidence[:min(len(refusal.Evidence), few)]...)
	}
	return evidence
}

// backendOf is the workload behind a webhook that can't answer, if it is known.
func backendOf(wait Wait) *finding.Ref {
	for _, cause := range wait.Otherwise.Causes {
		if details, is := cause.Details.(finding.WebhookUnavailableDetails); is && details.Backend != nil {
			if backend, is := details.Backend.Details.(finding.BackendDetails); is {
				return backend.Workload
			}
		}
	}
	return nil
}

// warnAtCause says at the removal by force of the cause at a workload that a webhook configuration refuses that, too,
// and reports whether the answer waits for the workload.
func warnAtCause(answer *Answer, workload, configuration finding.Ref) bool {
	for i := range answer.Waits {
		wait := &answer.Waits[i]
		if wait.Blocker.Ref.String() != workload.String() {
			continue
		}
		wait.Otherwise.Causes = warnForce(wait.Otherwise.Causes, configuration)
		return true
	}
	return false
}

// warnForce says at the removals by force of some causes that a webhook configuration refuses them, too.
func warnForce(causes []Finding, configuration finding.Ref) []Finding {
	return finding.Each(causes, func(cause Finding) Finding {
		cause.Remedies = finding.Each(cause.Remedies, func(remedy Remedy) Remedy {
			step, is := remedy.Details.(finding.StepDetails)
			if is && remedy.Forces() && !slices.Contains(step.Names, configuration.String()) {
				step.Names = append(slices.Clone(step.Names), configuration.String())
				remedy.Details = step
			}
			return remedy
		})
		return cause
	})
}

// showLeftBehind adds a webhook whose Service has gone to the cause of a controller that isn't there and ran in the
// Service's namespace: it went with the controller, and comes back with it. Where that is gone for good, deleting the
// configuration comes before any force, which the webhook would refuse. It returns what to remark.
func showLeftBehind(answer *Answer, wait Wait) (left Finding, joined bool) {
	for _, refusal := range wait.Otherwise.Causes {
		details, is := refusal.Details.(finding.WebhookUnavailableDetails)
		if !is || details.Backend == nil {
			continue
		}
		service, gone := goneService(*details.Backend)
		if !gone {
			continue
		}
		for i := range answer.Causes {
			cause := &answer.Causes[i]
			missing, is := cause.Details.(finding.ControllerMissingDetails)
			if !is || missing.Account == nil || missing.Account.Namespace != service.Namespace {
				continue
			}
			last := slices.IndexFunc(cause.Remedies, Remedy.Forces)
			if last < 0 {
				last = len(cause.Remedies)
			}
			cause.Remedies = slices.Insert(slices.Clone(cause.Remedies), last, refusal.Remedies[len(refusal.Remedies)-1:]...)
			return Finding{
				Situation: "WebhookLeftBehind", Key: finding.KeyOf("WebhookLeftBehind", service), Holds: true,
				Details: finding.HeldDetails{Object: wait.Blocker.Ref, Blocker: &service}, Evidence: shownBy(wait, 2),
			}, true
		}
	}
	return Finding{}, false
}

// goneService is the Service behind a webhook, if it is gone, or its namespace is.
func goneService(backend finding.Phrase) (service finding.Ref, gone bool) {
	details, _ := backend.Details.(finding.BackendDetails)
	if details.Backend != nil { // told apart from its deleted namespace
		service, _ = goneService(*details.Backend)
		return service, service != (finding.Ref{})
	}
	return details.Service, finding.Is(backend.Situation, finding.NotThere)
}
