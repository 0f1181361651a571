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
)

// rankPrograms sorts what shares a ServiceAccount, the likeliest controller first: by who wrote the entry, who holds a
// Lease, what each is told, what it answers for, and by its name last.
func (s *search) rankPrograms(ctx context.Context, c *candidate, programs []*program) bool {
	leases, err := s.finder.leasesIn(ctx, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: c.namespace}, err)
	}
	hooks, err := s.hookSelectors(ctx, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"Services"}, Namespace: c.namespace}, err)
	}
	for _, one := range programs {
		bears := func(kind signKind, is bool) {
			if is {
				one.signs = one.signs.with(kind, finding.Clue{})
			}
		}
		s.addSigns(one, leases)
		bears(inCatalogue, s.criteria.known != nil && cataloged(s.criteria, one))
		called := one.called()
		mentioned := func(words ...string) bool {
			return slices.ContainsFunc(called, func(name string) bool { return naming.Mentions(name, words...) })
		}
		bears(calledAsKind, mentioned(wordsOfKind(s.criteria, s.byDomain)...))
		bears(calledAsProject, mentioned(projectWords(s.byDomain, s.leads)...))
		operates := slices.ContainsFunc(called, naming.LooksLikeOperator)
		bears(calledAsOperator, operates)
		serves := func(hook labels.Selector) bool { return hook.Matches(labels.Set(one.template.Labels)) }
		bears(answersForHook, slices.ContainsFunc(hooks, serves))
		bears(namedForOtherDuty, s.otherDuty(one.name) || !operates && slices.ContainsFunc(called, s.otherDuty))
		bears(runsOnEachNode, one.workload != nil && one.workload.Resource.Kind == "DaemonSet")
	}
	slices.SortStableFunc(programs, func(a, b *program) int {
		return cmp.Or(cmp.Compare(b.signs.score(), a.signs.score()), session.FalseFirst(a.workload == nil, b.workload == nil))
	})
	return true
}

// addSigns adds to a program what can be said of it in a sentence.
func (s *search) addSigns(one *program, leases []leaseItem) {
	speaks := func(kind signKind, of finding.Clue) { one.signs = one.signs.with(kind, of) }
	wrote := func(manager string) bool { return writesAs(manager, one.name, one.template) }
	if at := slices.IndexFunc(s.criteria.managers, wrote); at >= 0 {
		speaks(namedAsSetter, finding.Clue{Name: s.criteria.managers[at]})
	}
	if at := slices.IndexFunc(leases, one.holds); at >= 0 {
		speaks(holdsOwnLease, finding.Clue{Name: leases[at].Object.Ref.Path()})
	}
	if mentions, kind := s.mentioned(one.template); mentions != "" {
		speaks(kind, finding.Clue{Name: mentions})
	}
	if word := naming.Mentioned(one.name, wordsOfKind(s.criteria, s.byDomain)...); word != "" {
		one.signs = one.signs.named(namedAsKind, finding.Clue{}, word)
	}
	if naming.LooksLikeOperator(one.name) {
		speaks(namedAsOperator, finding.Clue{})
	}
	if word := naming.Mentioned(one.name, projectWords(s.byDomain, s.leads)...); word != "" {
		one.signs = one.signs.named(namedAsProject, finding.Clue{Project: s.byDomain}, word)
	}
}

// decides is the first thing that speaks for a program and for no other one; nil for none.
func (p *program) decides(others []*program) *finding.Phrase {
	for _, one := range p.signs {
		same := func(other *program) bool { return other.signs.has(one.kind) }
		if phrase := one.phrase(); one.row.weight > 0 && phrase.Situation != "" && !slices.ContainsFunc(others, same) {
			return &phrase
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
		if of, inCluster := health.HookService(hook.Hook.ClientConfig); inCluster && of.Namespace == namespace {
			count++
		}
	}
	return count
}

// hookSelectors are the selectors of the Services in a namespace that webhooks are answered through, the held kind's
// conversion among them.
func (s *search) hookSelectors(ctx context.Context, namespace string) (selectors []labels.Selector, err error) {
	services := map[string]bool{}
	for _, hook := range s.session.AdmissionRules(ctx).Hooks {
		if of, inCluster := health.HookService(hook.Hook.ClientConfig); inCluster && of.Namespace == namespace {
			services[of.Name] = true
		}
	}
	if !s.criteria.kindOfKubernetes() {
		crd := session.Named(cluster.CustomResourceDefinitions(), "", s.criteria.resource.QualifiedName())
		told, err := s.finder.definition(ctx, crd)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		if told.converts.Namespace == namespace {
			services[told.converts.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		service, err := session.ReadAs[corev1.Service](ctx, s.session, session.Named(cluster.Services(), namespace, name))
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, fmt.Errorf("services in %s: %w", namespace, err)
		case len(service.Spec.Selector) > 0:
			selectors = append(selectors, labels.SelectorFromSet(service.Spec.Selector))
		}
	}
	return selectors, nil
}
