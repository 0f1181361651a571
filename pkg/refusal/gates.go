package refusal

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Gate is a webhook that is not known to answer, and whose silence is a refusal: its failurePolicy is Fail. A webhook
// that is called by URL is not a gate: nothing is known about it.
type Gate struct {
	session.RegisteredHook
	Behind health.Backend // broken, or unknown because it could not be read
	About  []int          // the writes, by number, that its rules are about
}

// Shut reports whether the gate lets nothing pass that it is about.
func (g Gate) Shut() bool { return g.Behind.State == health.BackendBroken }

// Gates returns the gates that are about one of some writes, by their rules alone. Only the backends of these are read,
// each once.
func (c *Checker) Gates(ctx context.Context, writes []Write) (gates []Gate) {
	var requests []*admission.Request
	for _, hook := range c.Session.AdmissionRules(ctx).Hooks {
		_, inCluster := health.HookService(hook.Hook.ClientConfig)
		if !inCluster || !hook.Hook.FailsClosed() {
			continue
		}
		if requests == nil {
			requests = finding.Each(writes, func(write Write) *admission.Request { return c.request(ctx, write) })
		}
		gate := Gate{RegisteredHook: hook}
		for i, request := range requests {
			if hook.Hook.About(request) {
				gate.About = append(gate.About, i)
			}
		}
		if len(gate.About) > 0 {
			gates = append(gates, gate)
		}
	}
	reads := make([]func(), len(gates))
	for i := range gates {
		reads[i] = func() {
			service, _ := health.HookService(gates[i].Hook.ClientConfig)
			gates[i].Behind = c.Health.Backend(ctx, service)
		}
	}
	session.SideBySide(reads)
	return slices.DeleteFunc(gates, func(gate Gate) bool { return !gate.Shut() && !gate.Behind.Unread() })
}

// Stops reports whether a shut gate refuses a write. Another fault of the webhook than its silence is none.
func (c *Checker) Stops(ctx context.Context, gate Gate, write Write) admission.Match {
	called := c.lookAt(ctx, write).calls(ctx, &gate.Hook)
	if called.Refused != "" {
		return admission.No
	}
	return called.Match
}

// Intercepts is the evidence that a shut gate stops a write.
func (g Gate) Intercepts(write Write) finding.Evidence { return intercepts(g.RegisteredHook, write) }

func (c *Checker) refusedBy(ctx context.Context, hook session.RegisteredHook, write Write) Refusals {
	look := c.lookAt(ctx, write)
	look.hook(ctx, hook)
	return *look.found
}

// Relief are the steps that help while some shut gates of one configuration, with one backend, don't answer, safest
// first. details are those of the steps.
func (c *Checker) Relief(gates []Gate, details finding.WebhookUnavailableDetails) []finding.Remedy {
	hooks := finding.Each(gates, func(gate Gate) session.RegisteredHook { return gate.RegisteredHook })
	read := finding.Remedy{Step: "ReadWebhookConfiguration"}
	return slices.Concat(gates[0].Behind.Remedies, c.relieve(hooks, details, read))
}

// RefusedInside are the causes, one for each configuration, of what is in a namespace not being deleted with it: webhooks
// that can't answer, and that are about everything of some of these kinds. What depends on the objects is left unsaid.
func (c *Checker) RefusedInside(
	ctx context.Context, namespace string, kinds []cluster.Resource,
) (refused []finding.Finding) {
	for _, hook := range c.Session.AdmissionRules(ctx).Hooks {
		_, inCluster := health.HookService(hook.Hook.ClientConfig)
		if !inCluster || !hook.Hook.FailsClosed() || hook.Hook.AsksObject() {
			continue
		}
		details := finding.SilentWebhooksDetails{Webhooks: []string{hook.Hook.Name}}
		var cause *finding.Finding
		for _, kind := range kinds {
			write := Deletion(session.Named(kind, namespace, ""), "")
			if !hook.Hook.About(c.request(ctx, write)) {
				continue
			}
			for one := range c.refusedBy(ctx, hook, write).Answer.Blamed() {
				if one.Reason != finding.WebhookUnavailable {
					continue
				}
				if cause == nil {
					cause = one
				}
				details.Refuses = append(details.Refuses, finding.RefusedWrites{
					Write: finding.RefusesDelete, Resource: kind.QualifiedName(), Namespaces: []string{namespace},
				})
			}
		}
		if cause == nil {
			continue
		}
		backend, _ := cause.Details.(finding.WebhookUnavailableDetails)
		details.Backend, cause.Details = backend.Backend, details
		refused = append(refused, *cause)
	}
	return refused
}
