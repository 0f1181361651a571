package attribution

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// installation is what a definition says about its origin. Labels can lie after a migration
// (docs/deletion.md#evidence-about-a-controller).
type installation struct {
	release, namespace string // of Helm
	chart              string // of that release, with its version
	app                string // app.kubernetes.io/name
	operator           string // of the Operator Lifecycle Manager: PACKAGE.NAMESPACE
}

// endpoint is a Service by which something of the object's API group is answered: a webhook, a conversion, the group
// itself. What is behind it is often the controller (docs/deletion.md#evidence-about-a-controller).
type endpoint struct {
	what     finding.Phrase // completes "it answers …"
	of       health.Service
	selector labels.Selector // of the pods behind it; nil where the Service is gone, or was not read
}

// readDefinition reads what the CustomResourceDefinition tells. A kind of an aggregated API has none.
func readDefinition(ctx context.Context, s *search) error {
	crd := session.Named(cluster.CustomResourceDefinitions(), "", s.leads.project.QualifiedName())
	told, err := s.finder.definition(ctx, crd)
	if apierrors.IsNotFound(err) {
		return readAPIService(ctx, s)
	}
	if err != nil {
		return err
	}
	say := func(observed string) {
		s.evidence = append(s.evidence, session.ObservedOf(crd, observed).Ranked(finding.Second))
	}
	s.leads.installed = installation{
		chart:     told.labels["helm.sh/chart"],
		release:   told.annotations["meta.helm.sh/release-name"],
		namespace: told.annotations["meta.helm.sh/release-namespace"],
		app:       cmp.Or(told.labels["app.kubernetes.io/part-of"], told.labels["app.kubernetes.io/name"]),
	}
	s.leads.unlabelled = len(told.labels) == 0 &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(told.annotations)), tellsOrigin)
	for label := range told.labels {
		if operator, olm := strings.CutPrefix(label, operatorLabel); olm {
			s.leads.installed.operator = operator
			say("installed by the Operator Lifecycle Manager: " + operator)
		}
	}
	switch of := s.leads.installed; {
	case of.release != "" && of.chart != "":
		say(fmt.Sprintf("belongs to the Helm release %s in %s, chart %s", of.release, of.namespace, of.chart))
	case of.release != "":
		say(fmt.Sprintf("belongs to the Helm release %s in %s", of.release, of.namespace))
	case of.app != "":
		say("has a label that makes it part of " + of.app)
	}
	if told.converts.Name != "" {
		say("its conversion webhook is behind Service " + told.converts.Path())
		s.leads.endpoints = append(s.leads.endpoints,
			endpoint{what: finding.Phrase{Situation: "KindConversion"}, of: told.converts})
	}
	return nil
}

// tellsOrigin reports whether an annotation of a definition may say who installed it.
func tellsOrigin(annotation string) bool {
	return !slices.Contains([]string{
		"kubectl.kubernetes.io/last-applied-configuration", "controller-gen.kubebuilder.io/version",
		"api-approved.kubernetes.io",
	}, annotation)
}

// definition is what a CustomResourceDefinition says about the origin of its kind.
type definition struct {
	labels, annotations map[string]string
	converts            health.Service      // that the kind's conversion is behind; empty without one
	versions            *session.Definition // nil where that isn't as it should be
}

func definitionOf(whole *unstructured.Unstructured) definition {
	one := definition{labels: whole.GetLabels(), annotations: whole.GetAnnotations()}
	converts, _, _ := unstructured.NestedMap(whole.Object, "spec", "conversion", "webhook", "clientConfig", "service")
	one.converts.Name, _, _ = unstructured.NestedString(converts, "name")
	one.converts.Namespace, _, _ = unstructured.NestedString(converts, "namespace")
	if versions, err := session.As[session.Definition](whole); err == nil {
		one.versions = versions
	}
	return one
}

// Definition reads in which versions a definition has its instances, and what converts them.
func (f *Finder) Definition(ctx context.Context, crd *session.Object) (*session.Definition, error) {
	told, err := f.definition(ctx, crd)
	if err == nil && told.versions == nil {
		err = fmt.Errorf("%s can't be decoded", crd.Ref)
	}
	return told.versions, err
}

// definition reads a definition, and where many were asked for, in pages all that there are: their schemas may take a
// megabyte each, so that nothing is kept but what is asked of them.
func (f *Finder) definition(ctx context.Context, crd *session.Object) (definition, error) {
	f.mu.Lock()
	f.defined[crd.Ref.Name] = true
	many := len(f.defined) > severalHeld
	f.mu.Unlock()
	if many {
		all, _ := f.definitions.Get(struct{}{}, func() (map[string]definition, error) {
			const most = 512
			all := map[string]definition{}
			_, _ = f.Session.Reader.ListUpTo(ctx, crd.Resource, "", most, func(whole *unstructured.Unstructured) {
				all[whole.GetName()] = definitionOf(whole)
			})
			return all, nil
		})
		if one, read := all[crd.Ref.Name]; read {
			return one, nil
		}
	}
	whole, err := f.Session.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
	if err != nil {
		return definition{}, err
	}
	return definitionOf(whole), nil
}

// readAPIService reads who serves a kind that no definition defines.
func readAPIService(ctx context.Context, s *search) error {
	object := session.Named(cluster.APIServices(), "", s.leads.project.Version+"."+s.leads.project.Group)
	whole, err := s.session.Reader.Get(ctx, object.Resource, "", object.Ref.Name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	registered, err := session.As[health.APIService](whole)
	if err != nil || registered.Spec.Service == nil {
		return err
	}
	service := registered.Backend()
	s.evidence = append(s.evidence,
		session.ObservedOf(object, "its backend is Service "+service.Path()).Ranked(finding.Second))
	s.leads.endpoints = append(s.leads.endpoints, endpoint{what: finding.Phrase{Situation: "APIGroupItself"}, of: service})
	return nil
}

// readEndpoints reads which pods are behind what answers for the API group, and adds the group's webhooks. Only their
// namespace counts, because another program may run them. A Service that is gone still shows its namespace.
func readEndpoints(ctx context.Context, s *search) error {
	if s.byDomain {
		addHooks(ctx, s) // there are few of a project's, and nothing else may lead to it
	}
	for i := range s.leads.endpoints {
		one := &s.leads.endpoints[i]
		whole, err := s.session.Reader.Get(ctx, cluster.Services(), one.of.Namespace, one.of.Name)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		current, err := session.As[corev1.Service](whole)
		if err != nil {
			return err
		}
		if len(current.Spec.Selector) > 0 {
			one.selector = labels.SelectorFromSet(current.Spec.Selector)
		}
	}
	if !s.byDomain {
		addHooks(ctx, s)
	}
	return nil
}

func addHooks(ctx context.Context, s *search) {
	for _, hook := range s.session.AdmissionRules(ctx).Hooks {
		service, inCluster := health.HookService(hook.Hook.ClientConfig)
		known := slices.ContainsFunc(s.leads.endpoints, func(one endpoint) bool { return one.of.Path() == service.Path() })
		if !inCluster || !s.terms().made(hook) || known {
			continue
		}
		if onlySets(s.criteria, hook) {
			s.note(hook.String(), "belongs to the project, and may set the finalizer when objects are created; "+
				"that does not show that it removes it")
			continue
		}
		what := finding.Phrase{Situation: "WebhookOfGroup", Details: finding.Clue{Name: hook.Hook.Name}}
		s.leads.endpoints = append(s.leads.endpoints, endpoint{what: what, of: service})
		if s.byDomain {
			s.note(hook.String(), "belongs to the project; its backend is Service "+service.Path())
		}
	}
}

// answers returns what a workload's pods answer of the object's API group, or else what is answered from its namespace.
func answers(leads leads, namespace string, template map[string]string) (own, beside *finding.Phrase) {
	for _, one := range leads.endpoints {
		if one.of.Namespace != namespace {
			continue
		}
		if one.selector != nil && one.selector.Matches(labels.Set(template)) {
			return &one.what, nil
		}
		beside = cmp.Or(beside, &one.what)
	}
	return nil, beside
}
