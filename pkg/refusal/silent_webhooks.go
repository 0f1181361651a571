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

// SilentWebhook is a webhook that is not known to answer, and whose silence is a refusal: its failurePolicy is Fail.
type SilentWebhook struct {
	session.RegisteredHook
	Outside bool           // it is called by URL: nothing is known about its backend
	Backend health.Backend // broken, or unknown because it could not be read
	About   []int          // the writes, by number, that its rules are about
}

// Down reports whether the webhook can't answer. Otherwise that is not known.
func (w SilentWebhook) Down() bool { return !w.Outside && w.Backend.State == health.BackendBroken }

// SilentWebhooks returns the silent webhooks that are about one of some writes, by their rules alone. Only the backends
// of these are read, each once.
func (c *Checker) SilentWebhooks(ctx context.Context, writes []Write) (silent []SilentWebhook) {
	var requests []*admission.Request
	for _, hook := range c.Session.AdmissionRules(ctx).Hooks {
		if !hook.Hook.FailsClosed() {
			continue
		}
		if requests == nil {
			requests = finding.Each(writes, func(write Write) *admission.Request { return c.request(ctx, write) })
		}
		_, inCluster := health.HookService(hook.Hook.ClientConfig)
		webhook := SilentWebhook{RegisteredHook: hook, Outside: !inCluster}
		for i, request := range requests {
			if hook.Hook.About(request) {
				webhook.About = append(webhook.About, i)
			}
		}
		if len(webhook.About) > 0 {
			silent = append(silent, webhook)
		}
	}
	reads := make([]func(), len(silent))
	for i := range silent {
		reads[i] = func() {
			if service, inCluster := health.HookService(silent[i].Hook.ClientConfig); inCluster {
				silent[i].Backend = c.Health.Backend(ctx, service)
			}
		}
	}
	session.SideBySide(reads)
	return slices.DeleteFunc(silent, func(webhook SilentWebhook) bool {
		return !webhook.Outside && !webhook.Down() && !webhook.Backend.Unread()
	})
}

// Stops reports whether a webhook that is down refuses a write. Its silence alone counts, and no other fault of it.
func (c *Checker) Stops(ctx context.Context, webhook SilentWebhook, write Write) admission.Match {
	called := c.lookAt(ctx, write).calls(ctx, &webhook.Hook)
	if called.Refused != "" {
		return admission.No
	}
	return called.Match
}

// Intercepts is the evidence that a webhook that is down stops a write.
func (w SilentWebhook) Intercepts(write Write) finding.Evidence {
	return intercepts(w.RegisteredHook, write)
}

func (c *Checker) refusedBy(ctx context.Context, hook session.RegisteredHook, write Write) Refusals {
	look := c.lookAt(ctx, write)
	look.hook(ctx, hook)
	return *look.found
}

// Relief are the steps that help while some webhooks of one configuration, with one backend, are down, safest first.
// details are those of the steps.
func (c *Checker) Relief(down []SilentWebhook, details finding.WebhookUnavailableDetails) []finding.Remedy {
	hooks := finding.Each(down, func(webhook SilentWebhook) session.RegisteredHook { return webhook.RegisteredHook })
	read := finding.Remedy{Step: "ReadWebhookConfiguration"}
	return slices.Concat(down[0].Backend.Remedies, relieve(c.Session, hooks, details, read))
}

// RefusedInside are the causes, one for each configuration, of what is in a namespace not being deleted with it:
// webhooks that can't answer, and that are about everything of some of these kinds. What depends on the objects is left
// unsaid.
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
			for found := range c.refusedBy(ctx, hook, write).Answer.Blamed() {
				if found.Reason != finding.WebhookUnavailable {
					continue
				}
				if cause == nil {
					cause = found
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
