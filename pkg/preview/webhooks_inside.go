package preview

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// emptying is the cluster as it would be when the pods of the namespaces that go are gone, and with them the backends
// of webhooks there: Kubernetes deletes everything else in a namespace after them
// (docs/deletion.md#the-order-of-a-namespace-deletion).
type emptying struct {
	tools *mechanism.Tools
	going map[string]bool // the names of these namespaces
}

// emptied is nil where no webhook that may refuse a deletion has its backend in a namespace that goes.
func emptied(ctx context.Context, p *previewer) *emptying {
	going := map[string]bool{}
	for _, object := range p.cascade.deleted {
		if object.Is("", "Namespace") {
			going[object.Ref.Name] = true
		}
	}
	inside := func(hook session.RegisteredHook) bool {
		service := hook.Hook.ClientConfig.Service
		return service != nil && going[service.Namespace] && hook.Hook.FailsClosed()
	}
	if len(going) == 0 || !slices.ContainsFunc(p.tools.Session.AdmissionRules(ctx).Hooks, inside) {
		return nil
	}
	states := map[string]state{}
	for _, object := range p.cascade.deleted {
		if going[object.Ref.Namespace] && (object.Is("", "Pod") || object.Is("", "Service")) {
			states[object.Ref.UID] = state{gone: true}
		}
	}
	return &emptying{tools: p.future.toolsWith(states), going: going}
}

// refused adds to what refuses the deletion of an object now what refuses it then: webhooks whose backend is gone.
// These are not among the ones that are merely asked.
func (e *emptying) refused(
	ctx context.Context, object *session.Object, write refusal.Write, now refusal.Refusals,
) refusal.Refusals {
	if e == nil || object.Is("", "Pod") || !e.going[object.Ref.Namespace] {
		return now
	}
	for _, wait := range e.tools.Refusals.Refused(ctx, write).Answer.Waits {
		silent := slices.DeleteFunc(slices.Clone(wait.Otherwise.Causes), func(cause finding.Finding) bool {
			return cause.Reason != finding.WebhookUnavailable
		})
		for i := range silent {
			silent[i].Certainty = finding.Likely
			silent[i].Remedies = withoutBackend(silent[i])
		}
		if len(silent) == 0 {
			continue
		}
		wait.Otherwise.Causes = silent
		now.Answer.Waits = append(lastingSteps(now.Answer.Waits, silent), wait)
		now.Calls = slices.DeleteFunc(slices.Clone(now.Calls), func(call refusal.Call) bool {
			return call.Configuration.Ref == wait.Blocker.Ref
		})
	}
	return now
}

// withoutBackend are the steps about a webhook itself: its backend goes with the namespace, if it is there at all.
func withoutBackend(cause finding.Finding) []finding.Remedy {
	return slices.DeleteFunc(slices.Clone(cause.Remedies), func(step finding.Remedy) bool {
		_, about := step.Details.(finding.WebhookUnavailableDetails)
		return !about
	})
}

// lastingSteps are waits without steps that bring back the backend of a webhook which loses it again in this deletion.
func lastingSteps(waits []session.Wait, lose []finding.Finding) []session.Wait {
	waits = slices.Clone(waits)
	for i := range waits {
		causes := slices.Clone(waits[i].Otherwise.Causes)
		for at, cause := range causes {
			if slices.ContainsFunc(lose, func(then finding.Finding) bool {
				return then.Object == cause.Object && then.Reason == cause.Reason && refusesAlike(then.Details, cause.Details)
			}) {
				causes[at].Remedies = withoutBackend(cause)
			}
		}
		waits[i].Otherwise.Causes = causes
	}
	return waits
}
