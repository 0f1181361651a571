package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// conversionFails answers for instances of a definition that can't be handed out, because the
// webhook that converts them fails (deletion-mechanics M19). The way out is never to destroy them:
// they are healthy.
func (t *Tools) conversionFails(ctx context.Context, held *session.Object, one session.Damage, said []finding.Evidence) session.Answer {
	resource, known := t.resourceOf(ctx, one)
	if !known {
		return session.Open(finding.Finding{
			Message:  fmt.Sprintf("The conversion webhook for %s fails (%s), and what is served doesn't tell whose it is.", one.Kind, one.Said),
			Awaited:  fmt.Sprintf("the conversion webhook for %s, which fails", one.Kind),
			Evidence: said,
		})
	}
	crd := session.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	whole, err := t.Session.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
	if apierrors.IsNotFound(err) {
		return t.retried(ctx, held, finding.Phrase{Situation: "KindGone", Details: finding.TaskDetails{Object: crd.Ref}})
	}
	if err != nil {
		return session.Unread(crd.Ref.String(), err, said...)
	}
	definition, err := session.As[session.Definition](whole)
	if err != nil {
		return session.Unread(crd.Ref.String(), err, said...)
	}
	crd.Ref.UID = string(whole.GetUID())
	if definition.Spec.Conversion.Strategy != "Webhook" {
		details := finding.TaskDetails{Object: crd.Ref}
		return t.retried(ctx, held, finding.Phrase{Situation: "ConversionChanged", Details: details})
	}
	return pointAt(held, crd, t.conversionCause(ctx, held, crd, definition, one, said))
}

func (t *Tools) resourceOf(ctx context.Context, one session.Damage) (cluster.Resource, bool) {
	if object, known := t.objectAt(ctx, one.Key); known {
		return object.Resource, true
	}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return cluster.Resource{}, false
	}
	return catalog.OfKind(one.Kind)
}

// pointAt is a wait of what is held for an answer from something else, or the cause at the held
// object when that is the one to blame.
func pointAt(held, blamed *session.Object, blame finding.Finding) session.Answer {
	if held.Resource.GroupResource() == blamed.Resource.GroupResource() && held.Ref.Path() == blamed.Ref.Path() {
		return session.Cause(blame)
	}
	return session.Answer{Waits: []session.Wait{{Blocker: blamed, ForAnswer: true, Otherwise: session.Cause(blame)}}}
}

func (t *Tools) conversionCause(ctx context.Context, held, crd *session.Object, definition *session.Definition, one session.Damage, said []finding.Evidence) finding.Finding {
	found, through := t.converter(ctx, definition)
	words := t.Health.Told(found.Words) // bridge
	if found.State != health.BackendBroken {
		words += "; asked to convert, it fails: " + one.Said
	}
	certainty := finding.Likely
	if found.State == health.BackendBroken {
		certainty = finding.Proven
	}
	evidence := append(slices.Clone(said), finding.Evidence{Source: "a read of " + definition.Spec.Names.Plural + "." + definition.Spec.Group, Observed: fmt.Sprintf("conversion webhook for %s failed: %s", one.Kind, one.Said)})
	evidence = append(evidence, finding.Evidence{
		Source: crd.Ref.String(), Object: &crd.Ref,
		Observed: fmt.Sprintf("converts through %s; stored in %s", through, strings.Join(definition.Status.StoredVersions, ", ")),
	})
	kind := definition.Spec.Names.Kind
	return finding.Finding{
		Reason: finding.ConversionWebhookUnavailable, Object: crd.Ref, Certainty: certainty,
		Message: fmt.Sprintf("%s converts between its versions through a webhook, and its backend %s. No %s that is stored in another version than the one asked for can be read, changed or deleted. Nothing says that the objects themselves are damaged.",
			crd.Ref, words, kind),
		Awaited:  fmt.Sprintf("the conversion webhook of %s, whose backend %s", crd.Ref, words),
		Evidence: append(evidence, found.Evidence...),
		Remedies: t.restoreConversion(t.emptied(ctx, held, one), crd, definition, found),
	}
}

// converter tells what stands behind a conversion webhook.
func (t *Tools) converter(ctx context.Context, definition *session.Definition) (found health.Backend, through string) {
	webhook := definition.Spec.Conversion.Webhook
	switch {
	case webhook == nil:
		return health.Backend{State: health.BackendUnknown, Words: finding.Phrase{Situation: "WebhookUnnamed"}}, "a webhook that is not named"
	case webhook.ClientConfig.Service == nil:
		details := finding.BackendDetails{Outside: webhook.ClientConfig.URL}
		words := finding.Phrase{Situation: "WebhookOutside", Details: details}
		return health.Backend{State: health.BackendUnknown, Words: words}, webhook.ClientConfig.URL
	}
	of := health.Service{Namespace: webhook.ClientConfig.Service.Namespace, Name: webhook.ClientConfig.Service.Name, Port: webhook.ClientConfig.Service.Port}
	return t.Health.Backend(ctx, of), fmt.Sprintf("Service %s, port %d", of.Path(), of.Number())
}

// emptied returns the namespace that is being emptied and has an object that isn't converted in it; an
// object elsewhere is none of its content.
func (t *Tools) emptied(ctx context.Context, held *session.Object, one session.Damage) string {
	if !held.Is("", "Namespace") {
		return ""
	}
	if object, known := t.objectAt(ctx, one.Key); known && object.Ref.Namespace != held.Ref.Name {
		return ""
	}
	return held.Ref.Name
}

func (t *Tools) restoreConversion(emptied string, crd *session.Object, definition *session.Definition, found health.Backend) []finding.Remedy {
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []finding.Remedy{{Action: "Find out why the webhook fails: its certificate, its caBundle, or the program itself.", Command: t.Session.Kubectl.Command(crd, "describe"), Risk: finding.NoRisk}}
	}
	if stored, only := definition.StoredIn(); only {
		remedies = append(remedies, t.throughStorage(emptied, definition, stored))
	}
	return append(remedies, finding.Remedy{
		Action:  "Only if the versions differ in nothing but their name: convert without a webhook.",
		Command: t.Session.Kubectl.Command(crd, "patch", "--type", "merge", "-p", `{"spec":{"conversion":{"strategy":"None","webhook":null}}}`),
		Risk:    finding.DataLoss,
		Loses:   "every field that one version has and the other names differently, with the next write of each object",
	})
}

// throughStorage reaches objects through the version that they are stored in, which needs no
// conversion.
func (t *Tools) throughStorage(emptied string, definition *session.Definition, stored string) finding.Remedy {
	kind := definition.Spec.Names.Plural + "." + stored + "." + definition.Spec.Group
	if emptied != "" {
		words := append(t.Session.Kubectl.Prefix(finding.Ref{}), "-n", emptied, "delete", kind, "--all", "--wait=false")
		return finding.Remedy{
			Action:  fmt.Sprintf("Delete them through %s, the version that they are stored in, which needs no conversion. The namespace then goes on, unless such objects in others keep the kind from being listed at all.", stored),
			Command: words,
			Risk:    finding.NoRisk,
			Loses:   "nothing that the namespace's deletion would not take as well; their finalizers are respected",
		}
	}
	words := append(t.Session.Kubectl.Prefix(finding.Ref{}), "get", kind)
	if definition.Spec.Scope == "Namespaced" {
		words = append(words, "-A")
	}
	return finding.Remedy{
		Action:  fmt.Sprintf("Meanwhile, read and change them through %s, the version that they are stored in, which needs no conversion.", stored),
		Command: words,
		Risk:    finding.NoRisk,
	}
}
