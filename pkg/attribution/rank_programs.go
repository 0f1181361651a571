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
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// rankPrograms sorts what shares a ServiceAccount, the likeliest controller first: by who wrote the entry, who holds a
// Lease, what each is told, what it answers for, and by its name last.
func (e examination) rankPrograms(ctx context.Context, programs []*program) bool {
	leases, err := e.search.finder.leasesIn(ctx, e.c.namespace)
	if err != nil {
		return e.search.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: e.c.namespace}, err)
	}
	hooks, err := e.hookSelectors(ctx)
	if err != nil {
		return e.search.cannot(finding.Unread{Kinds: []string{"Services"}, Namespace: e.c.namespace}, err)
	}
	terms := e.search.terms()
	for _, one := range programs {
		bears := func(kind signs.Kind, is bool) {
			if is {
				one.signs = one.signs.With(kind, finding.Clue{})
			}
		}
		e.addSigns(one, leases)
		bears(signs.InCatalogue, e.search.criteria.known != nil && cataloged(e.search.criteria, one))
		called := one.called()
		mentioned := func(words ...string) bool {
			return slices.ContainsFunc(called, func(name string) bool { return naming.Mentions(name, words...) })
		}
		bears(signs.CalledAsKind, mentioned(terms.ofKind()...))
		bears(signs.CalledAsProject, mentioned(terms.ofProject()...))
		operates := slices.ContainsFunc(called, naming.LooksLikeOperator)
		bears(signs.CalledAsOperator, operates)
		serves := func(hook labels.Selector) bool { return hook.Matches(labels.Set(one.template.Labels)) }
		bears(signs.AnswersForHook, slices.ContainsFunc(hooks, serves))
		bears(signs.NamedForOtherDuty, terms.otherDuty(one.name) || !operates && slices.ContainsFunc(called, terms.otherDuty))
		bears(signs.RunsOnEachNode, one.workload != nil && one.workload.Resource.Kind == "DaemonSet")
	}
	slices.SortStableFunc(programs, func(a, b *program) int {
		return cmp.Or(cmp.Compare(b.signs.Score(), a.signs.Score()), session.FalseFirst(a.workload == nil, b.workload == nil))
	})
	return true
}

// addSigns adds to a program what can be said of it in a sentence.
func (e examination) addSigns(one *program, leases []leaseItem) {
	terms := e.search.terms()
	speaks := func(kind signs.Kind, clue finding.Clue) { one.signs = one.signs.With(kind, clue) }
	wrote := func(manager string) bool { return writesAs(manager, one.name, one.template) }
	if at := slices.IndexFunc(e.search.criteria.managers, wrote); at >= 0 {
		speaks(signs.NamedAsSetter, finding.Clue{Name: e.search.criteria.managers[at]})
	}
	if at := slices.IndexFunc(leases, one.holds); at >= 0 {
		speaks(signs.HoldsOwnLease, finding.Clue{Name: leases[at].Object.Ref.Path()})
	}
	if mentions, kind := terms.mentioned(one.template); mentions != "" {
		speaks(kind, finding.Clue{Name: mentions})
	}
	if word := naming.Mentioned(one.name, terms.ofKind()...); word != "" {
		one.signs = one.signs.With(signs.NamedAsKind, finding.Clue{}, word)
	}
	if naming.LooksLikeOperator(one.name) {
		speaks(signs.NamedAsOperator, finding.Clue{})
	}
	if word := naming.Mentioned(one.name, terms.ofProject()...); word != "" {
		one.signs = one.signs.With(signs.NamedAsProject, finding.Clue{Project: e.search.byDomain}, word)
	}
}

// decides is the first thing that speaks for a program and for no other one; nil for none.
func (p *program) decides(others []*program) *finding.Phrase {
	for _, one := range p.signs {
		same := func(other *program) bool { return other.signs.Has(one.Kind) }
		if one.Speaks() && !slices.ContainsFunc(others, same) {
			return new(one.Phrase())
		}
	}
	return nil
}

// called are the names of a program besides its own: in its labels, and those of its images, without registry, tag and
// digest.
func (p *program) called() (names []string) {
	names = slices.Sorted(maps.Values(p.template.Labels))
	for _, container := range p.template.Spec.Containers {
		names = append(names, imageName(container.Image))
	}
	return names
}

// imageName is what an image is called, without registry, tag and digest.
func imageName(image string) string {
	image, _, _ = strings.Cut(image, "@")
	image, _, _ = strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return image
}

// holds reports whether one of its pods holds a Lease, or one that it once had, by its name.
func (p *program) holds(lease leaseItem) bool {
	holder := health.Holder(lease.Typed)
	if p.workload == nil && health.HeldByPod(holder, p.name) ||
		p.workload != nil && health.HeldByPodOf(holder, p.workload.Ref) {
		return true
	}
	return slices.ContainsFunc(p.pods, func(pod *corev1.Pod) bool { return health.HeldByPod(holder, pod.Name) })
}

// cataloged reports whether the catalogue's names or containers fit a program.
func cataloged(criteria criteria, one *program) bool {
	if one.workload != nil && matchesAny(patterns(criteria, one.workload.Resource.Kind), one.name) {
		return true
	}
	return slices.ContainsFunc(one.template.Spec.Containers, func(container corev1.Container) bool {
		return matchesAny(criteria.known.Containers, container.Name)
	})
}

// hooksFrom is how many webhooks are answered from a namespace.
func hooksFrom(ctx context.Context, reads *session.Session, namespace string) (count int) {
	for _, hook := range reads.AdmissionRules(ctx).Hooks {
		if service, inCluster := health.HookService(hook.Hook.ClientConfig); inCluster && service.Namespace == namespace {
			count++
		}
	}
	return count
}

// hookSelectors are the selectors of the Services in a namespace that webhooks are answered through, the held kind's
// conversion among them.
func (e examination) hookSelectors(ctx context.Context) (selectors []labels.Selector, err error) {
	services := map[string]bool{}
	for _, hook := range e.search.session.AdmissionRules(ctx).Hooks {
		if of, inCluster := health.HookService(hook.Hook.ClientConfig); inCluster && of.Namespace == e.c.namespace {
			services[of.Name] = true
		}
	}
	if !e.search.criteria.kindOfKubernetes() {
		crd := session.Named(cluster.CustomResourceDefinitions(), "", e.search.criteria.resource.QualifiedName())
		told, err := e.search.finder.definition(ctx, crd)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		if told.converts.Namespace == e.c.namespace {
			services[told.converts.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		named := session.Named(cluster.Services(), e.c.namespace, name)
		service, err := session.ReadAs[corev1.Service](ctx, e.search.session, named)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, fmt.Errorf("services in %s: %w", e.c.namespace, err)
		case len(service.Spec.Selector) > 0:
			selectors = append(selectors, labels.SelectorFromSet(service.Spec.Selector))
		}
	}
	return selectors, nil
}
