package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// conversionFails answers for instances of a definition that can't be handed out, because the
// webhook that converts them fails (deletion-mechanics M19). The way out is never to destroy them:
// they are healthy.
func (w *World) conversionFails(ctx context.Context, held *Object, one damage, said []graph.Evidence) Answer {
	resource, known := w.resourceOf(ctx, one)
	if !known {
		return open(Note{
			Message:  fmt.Sprintf("The conversion webhook for %s fails (%s), and what is served doesn't tell whose it is.", one.kind, one.said),
			Awaited:  fmt.Sprintf("the conversion webhook for %s, which fails", one.kind),
			Evidence: said,
		})
	}
	crd := Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	whole, err := w.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
	if apierrors.IsNotFound(err) {
		return w.retried(ctx, held, crd.Ref.String()+" is gone, and the kind with it")
	}
	if err != nil {
		return unread(crd.Ref.String(), err, said...)
	}
	definition, err := as[definition](whole)
	if err != nil {
		return unread(crd.Ref.String(), err, said...)
	}
	crd.Ref.UID = string(whole.GetUID())
	if definition.Spec.Conversion.Strategy != "Webhook" {
		return w.retried(ctx, held, crd.Ref.String()+" no longer converts through a webhook")
	}
	return pointAt(held, crd, w.conversionCause(ctx, held, crd, definition, one, said))
}

func (w *World) resourceOf(ctx context.Context, one damage) (cluster.Resource, bool) {
	if object, known := w.objectAt(ctx, one.key); known {
		return object.Resource, true
	}
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return cluster.Resource{}, false
	}
	return catalog.OfKind(one.kind)
}

// pointAt is a wait of what is held for an answer from something else, or the cause at the held
// object when that is the one to blame.
func pointAt(held, blamed *Object, blame graph.Cause) Answer {
	if held.Resource.GroupResource() == blamed.Resource.GroupResource() && held.Ref.Path() == blamed.Ref.Path() {
		return cause(blame)
	}
	return Answer{Waits: []Wait{{Blocker: blamed, ForAnswer: true, Otherwise: cause(blame)}}}
}

func (w *World) conversionCause(ctx context.Context, held, crd *Object, definition *definition, one damage, said []graph.Evidence) graph.Cause {
	found, through := w.converter(ctx, definition)
	words := found.words
	if found.state != backendBroken {
		words += "; asked to convert, it fails: " + one.said
	}
	certainty := graph.Likely
	if found.state == backendBroken {
		certainty = graph.Proven
	}
	evidence := append(slices.Clone(said), graph.Evidence{Source: "a read of " + definition.Spec.Names.Plural + "." + definition.Spec.Group, Observed: fmt.Sprintf("conversion webhook for %s failed: %s", one.kind, one.said)})
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
		Evidence: append(evidence, found.evidence...),
		Remedies: w.restoreConversion(w.emptied(ctx, held, one), crd, definition, found),
	}
}

// converter tells what stands behind a conversion webhook.
func (w *World) converter(ctx context.Context, definition *definition) (found backend, through string) {
	webhook := definition.Spec.Conversion.Webhook
	switch {
	case webhook == nil:
		return backend{state: backendUnknown, words: "is not named"}, "a webhook that is not named"
	case webhook.ClientConfig.Service == nil:
		return backend{state: backendUnknown, words: "is outside the cluster (" + webhook.ClientConfig.URL + ")"}, webhook.ClientConfig.URL
	}
	of := service{namespace: webhook.ClientConfig.Service.Namespace, name: webhook.ClientConfig.Service.Name, port: webhook.ClientConfig.Service.Port}
	return w.backend(ctx, of), fmt.Sprintf("Service %s, port %d", of.path(), of.number())
}

// emptied returns the namespace that is being emptied and has an object that isn't converted in it; an
// object elsewhere is none of its content.
func (w *World) emptied(ctx context.Context, held *Object, one damage) string {
	if !held.is("", "Namespace") {
		return ""
	}
	if object, known := w.objectAt(ctx, one.key); known && object.Ref.Namespace != held.Ref.Name {
		return ""
	}
	return held.Ref.Name
}

func (w *World) restoreConversion(emptied string, crd *Object, definition *definition, found backend) []graph.Remedy {
	remedies := slices.Clone(found.remedies)
	if len(remedies) == 0 {
		remedies = []graph.Remedy{{Action: "Find out why the webhook fails: its certificate, its caBundle, or the program itself.", Command: w.Kubectl.Command(crd, "describe"), Risk: graph.NoRisk}}
	}
	if stored, only := definition.storedIn(); only {
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
func (w *World) throughStorage(emptied string, definition *definition, stored string) graph.Remedy {
	kind := definition.Spec.Names.Plural + "." + stored + "." + definition.Spec.Group
	if emptied != "" {
		words := append(append([]string{"kubectl"}, w.Kubectl.Flags...), "-n", emptied, "delete", kind, "--all", "--wait=false")
		return graph.Remedy{
			Action:  fmt.Sprintf("Delete them through %s, the version that they are stored in, which needs no conversion. The namespace then goes on, unless such objects in others keep the kind from being listed at all.", stored),
			Command: quote(words),
			Risk:    graph.NoRisk,
			Loses:   "nothing that the namespace's deletion would not take as well; their finalizers are respected",
		}
	}
	words := append(append([]string{"kubectl"}, w.Kubectl.Flags...), "get", kind)
	if definition.Spec.Scope == "Namespaced" {
		words = append(words, "-A")
	}
	return graph.Remedy{
		Action:  fmt.Sprintf("Meanwhile, read and change them through %s, the version that they are stored in, which needs no conversion.", stored),
		Command: quote(words),
		Risk:    graph.NoRisk,
	}
}

// storedIn returns the one served version that all instances are stored in, if there is one.
func (d *definition) storedIn() (string, bool) {
	for _, version := range d.Spec.Versions {
		if version.Storage && version.Served && slices.Equal(d.Status.StoredVersions, []string{version.Name}) {
			return version.Name, true
		}
	}
	return "", false
}
