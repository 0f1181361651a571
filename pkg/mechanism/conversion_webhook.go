package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// conversionFails answers for instances of a definition that can't be handed out, because the
// webhook that converts them fails (deletion-mechanics M19). The way out is never to destroy them:
// they are healthy.
func (w *World) conversionFails(ctx context.Context, held *facts.Object, one facts.Damage, said []graph.Evidence) facts.Answer {
	resource, known := w.resourceOf(ctx, one)
	if !known {
		return facts.Open(facts.Note{
			Message:  fmt.Sprintf("The conversion webhook for %s fails (%s), and what is served doesn't tell whose it is.", one.Kind, one.Said),
			Awaited:  fmt.Sprintf("the conversion webhook for %s, which fails", one.Kind),
			Evidence: said,
		})
	}
	crd := facts.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	whole, err := w.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
	if apierrors.IsNotFound(err) {
		return w.retried(ctx, held, crd.Ref.String()+" is gone, and the kind with it")
	}
	if err != nil {
		return facts.Unread(crd.Ref.String(), err, said...)
	}
	definition, err := facts.As[facts.Definition](whole)
	if err != nil {
		return facts.Unread(crd.Ref.String(), err, said...)
	}
	crd.Ref.UID = string(whole.GetUID())
	if definition.Spec.Conversion.Strategy != "Webhook" {
		return w.retried(ctx, held, crd.Ref.String()+" no longer converts through a webhook")
	}
	return pointAt(held, crd, w.conversionCause(ctx, held, crd, definition, one, said))
}

func (w *World) resourceOf(ctx context.Context, one facts.Damage) (cluster.Resource, bool) {
	if object, known := w.objectAt(ctx, one.Key); known {
		return object.Resource, true
	}
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return cluster.Resource{}, false
	}
	return catalog.OfKind(one.Kind)
}

// pointAt is a wait of what is held for an answer from something else, or the cause at the held
// object when that is the one to blame.
func pointAt(held, blamed *facts.Object, blame graph.Cause) facts.Answer {
	if held.Resource.GroupResource() == blamed.Resource.GroupResource() && held.Ref.Path() == blamed.Ref.Path() {
		return facts.Cause(blame)
	}
	return facts.Answer{Waits: []facts.Wait{{Blocker: blamed, ForAnswer: true, Otherwise: facts.Cause(blame)}}}
}

func (w *World) conversionCause(ctx context.Context, held, crd *facts.Object, definition *facts.Definition, one facts.Damage, said []graph.Evidence) graph.Cause {
	found, through := w.converter(ctx, definition)
	words := found.Words
	if found.State != refusal.BackendBroken {
		words += "; asked to convert, it fails: " + one.Said
	}
	certainty := graph.Likely
	if found.State == refusal.BackendBroken {
		certainty = graph.Proven
	}
	evidence := append(slices.Clone(said), graph.Evidence{Source: "a read of " + definition.Spec.Names.Plural + "." + definition.Spec.Group, Observed: fmt.Sprintf("conversion webhook for %s failed: %s", one.Kind, one.Said)})
	evidence = append(evidence, graph.Evidence{
		Source: crd.Ref.String(), Object: &crd.Ref,
		Observed: fmt.Sprintf("converts through %s; stored in %s", through, strings.Join(definition.Status.StoredVersions, ", ")),
	})
	kind := definition.Spec.Names.Kind
	return graph.Cause{
		Reason: graph.ConversionWebhookUnavailable, Object: crd.Ref, Certainty: certainty,
		Message: fmt.Sprintf("%s converts between its versions through a webhook, and its backend %s. No %s that is stored in another version than the one asked for can be read, changed or deleted. Nothing says that the objects themselves are damaged.",
			crd.Ref, words, kind),
		Awaited:  fmt.Sprintf("the conversion webhook of %s, whose backend %s", crd.Ref, words),
		Evidence: append(evidence, found.Evidence...),
		Remedies: w.restoreConversion(w.emptied(ctx, held, one), crd, definition, found),
	}
}

// converter tells what stands behind a conversion webhook.
func (w *World) converter(ctx context.Context, definition *facts.Definition) (found refusal.Backend, through string) {
	webhook := definition.Spec.Conversion.Webhook
	switch {
	case webhook == nil:
		return refusal.Backend{State: refusal.BackendUnknown, Words: "is not named"}, "a webhook that is not named"
	case webhook.ClientConfig.Service == nil:
		return refusal.Backend{State: refusal.BackendUnknown, Words: "is outside the cluster (" + webhook.ClientConfig.URL + ")"}, webhook.ClientConfig.URL
	}
	of := refusal.Service{Namespace: webhook.ClientConfig.Service.Namespace, Name: webhook.ClientConfig.Service.Name, Port: webhook.ClientConfig.Service.Port}
	return w.Backend(ctx, of), fmt.Sprintf("Service %s, port %d", of.Path(), of.Number())
}

// emptied returns the namespace that is being emptied and has an object that isn't converted in it; an
// object elsewhere is none of its content.
func (w *World) emptied(ctx context.Context, held *facts.Object, one facts.Damage) string {
	if !held.Is("", "Namespace") {
		return ""
	}
	if object, known := w.objectAt(ctx, one.Key); known && object.Ref.Namespace != held.Ref.Name {
		return ""
	}
	return held.Ref.Name
}

func (w *World) restoreConversion(emptied string, crd *facts.Object, definition *facts.Definition, found refusal.Backend) []graph.Remedy {
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []graph.Remedy{{Action: "Find out why the webhook fails: its certificate, its caBundle, or the program itself.", Command: w.Kubectl.Command(crd, "describe"), Risk: graph.NoRisk}}
	}
	if stored, only := definition.StoredIn(); only {
		remedies = append(remedies, w.throughStorage(emptied, definition, stored))
	}
	return append(remedies, graph.Remedy{
		Action:  "Only if the versions differ in nothing but their name: convert without a webhook.",
		Command: w.Kubectl.Command(crd, "patch", "--type", "merge", "-p", `{"spec":{"conversion":{"strategy":"None","webhook":null}}}`),
		Risk:    graph.DataLoss,
		Loses:   "every field that one version has and the other names differently, with the next write of each object",
	})
}

// throughStorage reaches objects through the version that they are stored in, which needs no
// conversion.
func (w *World) throughStorage(emptied string, definition *facts.Definition, stored string) graph.Remedy {
	kind := definition.Spec.Names.Plural + "." + stored + "." + definition.Spec.Group
	if emptied != "" {
		words := append(w.Kubectl.Prefix(graph.Ref{}), "-n", emptied, "delete", kind, "--all", "--wait=false")
		return graph.Remedy{
			Action:  fmt.Sprintf("Delete them through %s, the version that they are stored in, which needs no conversion. The namespace then goes on, unless such objects in others keep the kind from being listed at all.", stored),
			Command: words,
			Risk:    graph.NoRisk,
			Loses:   "nothing that the namespace's deletion would not take as well; their finalizers are respected",
		}
	}
	words := append(w.Kubectl.Prefix(graph.Ref{}), "get", kind)
	if definition.Spec.Scope == "Namespaced" {
		words = append(words, "-A")
	}
	return graph.Remedy{
		Action:  fmt.Sprintf("Meanwhile, read and change them through %s, the version that they are stored in, which needs no conversion.", stored),
		Command: words,
		Risk:    graph.NoRisk,
	}
}
