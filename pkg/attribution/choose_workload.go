package attribution

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// program is one workload, or a pod that nothing runs, which runs as a candidate's ServiceAccount. Several may share
// one.
type program struct {
	workload *session.Object // nil for a pod without one
	name     string
	template corev1.PodTemplateSpec
	pods     []*corev1.Pod
	score    int
	against  []finding.Phrase
}

func (p *program) ready() bool { return slices.ContainsFunc(p.pods, podReady) }

// chooseWorkload finds what runs as a candidate's ServiceAccount, and of several the one that is likely the controller:
// a ServiceAccount is nobody who could be up or down. It returns the pods of that one. It answers false where something
// can't be read, or where nothing tells those apart that run from those that don't.
func (s *search) chooseWorkload(ctx context.Context, c *candidate, pods []*corev1.Pod) ([]*corev1.Pod, bool) {
	kinds := []cluster.Resource{cluster.Deployments()}
	for _, other := range []cluster.Resource{cluster.StatefulSets(), cluster.DaemonSets()} {
		if runBy(pods, other.Kind) || s.hooksFrom(ctx, c.namespace) > 0 {
			kinds = append(kinds, other)
		}
	}
	programs, read := s.programsOf(ctx, c, kinds...)
	if !read {
		return nil, false
	}
	programs = assign(pods, programs)
	switch len(programs) {
	case 0:
		return pods, true
	case 1:
		s.settleOn(c, programs[0])
		return pods, true
	}
	if !s.rankPrograms(ctx, c, programs) {
		return nil, false
	}
	first, second := programs[0], programs[1]
	if first.score == second.score && first.ready() != second.ready() {
		c.unclear = []finding.Ref{first.ref(c.namespace), second.ref(c.namespace)}
		return pods, true
	}
	s.settleOn(c, first)
	for _, other := range programs[1:] {
		observed := "runs as " + c.account.String() + " too"
		if len(other.against) > 0 {
			observed += ", and is taken for another program: it " + strings.Join(s.voice().Phrases(other.against), ", and ")
		}
		source := other.ref(c.namespace)
		c.evidence = append(c.evidence, finding.Evidence{Source: source.String(), Observed: observed, Object: &source})
	}
	return first.pods, true
}

// settleOn makes a program a candidate's own, with what its name and its template say for it.
func (s *search) settleOn(c *candidate, one *program) {
	c.workload = one.workload
	if one.workload != nil {
		s.addTemplateClues(c, one.name, one.template)
	}
}

// addTemplateClues ranks a candidate by its workload: who wrote the entry, what it is told, and its name.
func (s *search) addTemplateClues(c *candidate, name string, template corev1.PodTemplateSpec) {
	clue := func(weight int, situation string, of finding.Clue) {
		if !slices.ContainsFunc(c.clues, func(known finding.Phrase) bool { return known.Situation == situation }) {
			c.clue(weight, finding.Phrase{Situation: situation, Details: of})
		}
	}
	if i := slices.IndexFunc(s.managers, func(manager string) bool { return writesAs(manager, name, template) }); i >= 0 {
		clue(8, "NamedAsManager", finding.Clue{Name: s.managers[i]})
	}
	if mentions, weight := s.mentioned(template); mentions != "" {
		clue(weight, "MentionsName", finding.Clue{Name: mentions})
	}
	if controller.Mentions(name, s.kindWords()...) {
		clue(3, "NamedAsKind", finding.Clue{})
	}
	if controller.NamedAfter(c.namespace, name, s.projectWords()...) {
		clue(2, "NamedAsProject", finding.Clue{Project: s.byDomain})
	}
	if controller.LooksLikeOperator(name) {
		clue(1, "NamedAsOperator", finding.Clue{})
	}
}

// writesAs tells whether a field manager goes by the name of a workload or of one of its containers.
func writesAs(manager, name string, template corev1.PodTemplateSpec) bool {
	return alike(manager, name) || slices.ContainsFunc(template.Spec.Containers, func(one corev1.Container) bool {
		return one.Name == manager
	})
}

// kindWords are the words of the held object's kind: helmrelease, helmreleases, helm, release. They say nothing of whose
// another project's finalizer is.
func (s *search) kindWords() []string {
	if s.byDomain && s.foreign() {
		return nil
	}
	words := controller.Words(s.resource.Kind)
	own := slices.DeleteFunc(words, func(word string) bool { return controller.Vague(word) || len(word) < 4 })
	return append(own, strings.ToLower(s.resource.Kind), s.resource.Resource)
}

func (p *program) ref(namespace string) finding.Ref {
	if p.workload != nil {
		return p.workload.Ref
	}
	return session.Named(cluster.Pods(), namespace, p.name).Ref
}

// programsOf lists the workloads of some kinds that run as a candidate's ServiceAccount.
func (s *search) programsOf(
	ctx context.Context, c *candidate, kinds ...cluster.Resource,
) (programs []*program, read bool) {
	for _, resource := range kinds {
		list, err := s.session.Reader.List(ctx, resource, c.namespace, cluster.Selector{})
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, s.cannot(finding.Unread{Kinds: []string{"workloads"}, Namespace: c.namespace}, err)
		}
		for i := range list {
			if !c.runsAs(accountOf(&list[i])) {
				continue
			}
			typed, err := session.As[podRunner](&list[i])
			if err != nil {
				continue
			}
			if found, err := session.FromWhole(resource, &list[i]); err == nil {
				programs = append(programs, &program{workload: found, name: found.Ref.Name, template: typed.Spec.Template})
			}
		}
	}
	return programs, true
}

// runsAs tells whether a template's ServiceAccount is a candidate's.
func (c *candidate) runsAs(account string) bool {
	return account == c.account.Name || account == "" && c.account.Name == "default"
}

// assign gives each pod to the workload that selects it; what none selects stands for itself, where nothing controls
// it.
func assign(pods []*corev1.Pod, programs []*program) []*program {
	for _, pod := range pods {
		of := slices.IndexFunc(programs, func(one *program) bool {
			return one.workload != nil && selects(one.workload, pod)
		})
		switch {
		case of >= 0:
			programs[of].pods = append(programs[of].pods, pod)
		case metav1.GetControllerOfNoCopy(pod) == nil:
			alone := &program{name: pod.Name, pods: []*corev1.Pod{pod}}
			alone.template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec}
			programs = append(programs, alone)
		}
	}
	return programs
}

func selects(of *session.Object, pod *corev1.Pod) bool {
	selector, known := podSelector(of)
	if !known {
		owner := metav1.GetControllerOfNoCopy(pod)
		return owner != nil && (owner.Name == of.Ref.Name || strings.HasPrefix(owner.Name, of.Ref.Name+"-"))
	}
	parsed, err := labels.Parse(selector)
	return err == nil && parsed.Matches(labels.Set(pod.Labels))
}
