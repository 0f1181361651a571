package preview

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// refusals tells what refuses the deletion of some objects, as far as that can be read, or by dry runs where the user
// wants those.
func (p *previewer) refusals(ctx context.Context, objects ...*session.Object) {
	for _, object := range objects {
		refused := p.tools.Refusals.Refused(ctx, refusal.Deletion(object, ""))
		for _, wait := range refused.Answer.Waits {
			for _, cause := range wait.Otherwise.Causes {
				p.result.Refusals = append(p.result.Refusals, report.Refusal{
					Object: object.Ref, By: cause.Object, Reason: cause.Reason, Situation: cause.Situation,
					Details: cause.Details, Certainty: cause.Certainty, Message: p.voice.Message(cause),
					Evidence: report.Evidence(cause.Evidence), Remedies: p.voice.Remedies(cause.Remedies),
				})
			}
		}
		for _, doubt := range refused.Unsure {
			p.result.Unsure = append(p.result.Unsure, doubt)
		}
	}
}

// addBroken tells what elsewhere uses a Service that goes: webhooks, and APIs that an aggregated API server serves.
func (p *previewer) addBroken(ctx context.Context) {
	services := map[[2]string]finding.Ref{}
	for _, object := range p.cascade.deleted {
		if object.Is("", "Service") {
			services[[2]string{object.Ref.Namespace, object.Ref.Name}] = object.Ref
		}
	}
	if len(services) == 0 {
		return
	}
	lost := func(user *session.Object, namespace, name, what string, closed bool) {
		service, goes := services[[2]string{namespace, name}]
		_, itself := p.cascade.states[user.Ref.UID]
		if goes && !itself {
			broken := report.Broken{Object: user.Ref, Uses: service, What: what, Refuses: closed}
			if !slices.Contains(p.result.Breaks, broken) {
				p.result.Breaks = append(p.result.Breaks, broken)
			}
		}
	}
	for _, hook := range p.tools.Session.AdmissionRules(ctx).Hooks {
		if service := hook.Hook.ClientConfig.Service; service != nil {
			lost(hook.Configuration, service.Namespace, service.Name, hook.Hook.Name, hook.Hook.FailsClosed())
		}
	}
	served, err := session.ListWhole[health.APIService](ctx, p.tools.Session, cluster.APIServices(), "",
		cluster.Selector{})
	if err != nil {
		return // the session remembers it
	}
	for _, item := range served {
		if service := item.Typed.Spec.Service; service != nil {
			lost(item.Object, service.Namespace, service.Name, item.Object.Ref.Name, false)
		}
	}
}
