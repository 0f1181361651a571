package preview

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostJudged is of how many objects of a kind it is found out whether their deletion would be refused.
const mostJudged = 200

// refusals says what refuses the deletion of what goes, as far as that can be read, or by dry runs where the user wants
// those. The garbage collector and the namespace controller ask admission as people do.
func (p *previewer) refusals(ctx context.Context) {
	judged := map[string]int{}
	var asked []*session.Object
	for _, object := range p.cascade.deleted {
		if object.Terminating() || p.cascade.unasked[object.Ref.UID] {
			continue
		}
		intercepted := p.tools.Refusals.Intercepts(ctx, admissionregistrationv1.Delete, object.Resource)
		if !intercepted && object.Ref != p.target.Ref {
			continue
		}
		kind := object.Resource.QualifiedName()
		if judged[kind]++; judged[kind] > mostJudged {
			p.skipped++
			continue
		}
		asked = append(asked, object)
	}
	if p.skipped > 0 {
		details := finding.CheckedDetails{Asked: mostJudged, More: p.skipped}
		p.note(finding.Finding{Situation: "RefusalsNotAsked", Details: details})
	}
	then := emptied(ctx, p)
	refused := make([]refusal.Refusals, len(asked))
	asks := make([]func(), len(asked))
	for i, object := range asked {
		asks[i] = func() {
			if read, err := p.tools.Session.Read(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name); err == nil {
				write := refusal.Deletion(read, p.cascade.by[object.Ref.UID])
				refused[i] = then.refused(ctx, read, write, p.tools.Refusals.Refused(ctx, write))
			}
		}
	}
	session.SideBySide(asks)
	for i, refusals := range refused {
		p.addAsked(ctx, asked[i], refusals.Calls)
		for _, wait := range refusals.Answer.Waits {
			for _, cause := range wait.Otherwise.Causes {
				p.addRefusal(asked[i].Ref, cause)
			}
		}
		for _, doubt := range refusals.Unsure {
			if !slices.ContainsFunc(p.result.Unsure, func(known finding.Evidence) bool {
				return known.Source == doubt.Source && known.Observed == doubt.Observed
			}) {
				p.result.Unsure = append(p.result.Unsure, doubt)
			}
		}
	}
	p.tellAsked()
}

// addAsked keeps which webhooks are asked about the deletion of an object, and may refuse it: once for all objects of a
// kind.
func (p *previewer) addAsked(ctx context.Context, object *session.Object, calls []refusal.Call) {
	for _, call := range calls {
		if !p.tools.Refusals.CanRefuse(ctx, call) {
			continue
		}
		resource := object.Resource.QualifiedName()
		at := slices.IndexFunc(p.result.Asked, func(known result.AskedWebhook) bool {
			return known.By == call.Configuration.Ref && known.Webhook == call.Hook.Name && known.Resource == resource
		})
		if at < 0 {
			at = len(p.result.Asked)
			p.result.Asked = append(p.result.Asked, result.AskedWebhook{
				By: call.Configuration.Ref, Webhook: call.Hook.Name, Resource: resource, Unjudged: call.Unjudged,
			})
			if call.Hook.ClientConfig.URL != nil {
				p.result.Asked[at].URL = *call.Hook.ClientConfig.URL
			}
		}
		for _, cause := range mechanism.RefusingUses(ctx, p.tools, object, call.Hook.Name) {
			p.addRefusal(object.Ref, cause)
		}
		p.result.Asked[at].Objects = append(p.result.Asked[at].Objects, object.Ref)
	}
}

// tellAsked puts into words which webhooks are asked.
func (p *previewer) tellAsked() {
	mayProbe := p.options.Prober == nil && p.tools.Session.Reader.Source().Changes()
	for i := range p.result.Asked {
		asked := &p.result.Asked[i]
		asked.Message = p.voice.Message(finding.Finding{
			Situation: "WebhookOnTheWay", Object: asked.By, Details: finding.AskedDetails{
				Webhook: asked.Webhook, Objects: asked.Objects, URL: asked.URL, Unjudged: asked.Unjudged,
				Probe: mayProbe,
			},
		})
	}
}

// unjudged reports whether a webhook that is asked can't be judged, and its silence would be a refusal.
func unjudged(askedWebhook result.AskedWebhook) bool { return askedWebhook.Unjudged }

// addRefusal keeps what refuses the deletion of an object: once for all objects that it refuses in the same way.
func (p *previewer) addRefusal(object finding.Ref, cause finding.Finding) {
	same := func(known result.Refusal) bool {
		return known.By == cause.Object && known.Reason == cause.Reason &&
			(known.Object.Kind == object.Kind || refusesAlike(known.Details, cause.Details))
	}
	if at := slices.IndexFunc(p.result.Refusals, same); at >= 0 {
		known := &p.result.Refusals[at]
		if known.Object != object && !slices.Contains(known.Others, object) {
			known.Others = append(known.Others, object)
		}
		return
	}
	p.result.Refusals = append(p.result.Refusals, result.Refusal{
		Object: object, By: cause.Object, Reason: cause.Reason, Situation: cause.Situation,
		Details: cause.Details, Certainty: cause.Certainty, Message: p.voice.Message(cause),
		InShort: cause.InShort(p.voice), Evidence: result.Evidence(cause.Evidence),
		Remedies: p.voice.Remedies(cause.Remedies),
	})
}

// refusesAlike reports whether one cause refuses the deletion of objects of different kinds, with the same steps.
func refusesAlike(known, other any) bool {
	switch one := known.(type) {
	case finding.WebhookUnavailableDetails:
		silent, is := other.(finding.WebhookUnavailableDetails)
		return is && silent.Webhook == one.Webhook
	case finding.AdmissionDeniedDetails:
		denies, is := other.(finding.AdmissionDeniedDetails)
		return is && denies.Webhook == one.Webhook && denies.Binding == one.Binding && denies.Said == one.Said
	}
	return false
}

// addBroken says what elsewhere uses a Service that goes: webhooks, and APIs that an aggregated API server serves.
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
			broken := result.Broken{Object: user.Ref, Uses: service, What: what, Refuses: closed}
			broken.Message = p.voice.Message(finding.Finding{
				Situation: "LosesBackend", Object: user.Ref,
				Details: finding.StayingDetails{Uses: &service, What: what, Refuses: closed},
			})
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
