package attribution

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// chooseWorkload finds what runs as a candidate's ServiceAccount, and of several the one that is likely the controller:
// a ServiceAccount itself is neither up nor down. It returns the pods of that one. It answers false where something
// can't be read, or where nothing shows those apart that run from the ones that don't.
func (s *search) chooseWorkload(ctx context.Context, c *candidate, pods []*corev1.Pod) ([]*corev1.Pod, bool) {
	kinds := []cluster.Resource{cluster.Deployments()}
	for _, other := range []cluster.Resource{cluster.StatefulSets(), cluster.DaemonSets()} {
		if runBy(pods, other.Kind) || hooksFrom(ctx, s.session, c.namespace) > 0 {
			kinds = append(kinds, other)
		}
	}
	programs, read := s.programsOf(ctx, c, kinds...)
	if !read {
		return nil, false
	}
	all := assign(pods, programs)
	programs = inScope(s, c, all)
	switch len(programs) {
	case 0:
		return pods, true
	case 1:
		s.settleOn(c, programs[0])
		if len(all) > 1 {
			return programs[0].pods, true
		}
		return pods, true
	}
	if !s.rankPrograms(ctx, c, programs) {
		return nil, false
	}
	first, second := programs[0], programs[1]
	if first.signs.score() == second.signs.score() && first.ready() != second.ready() {
		c.unclear = []finding.Ref{first.ref(c.namespace), second.ref(c.namespace)}
		return pods, true
	}
	s.settleOn(c, first)
	c.deciding = first.decides(programs[1:])
	for _, other := range programs[1:] {
		observed := "also runs as " + c.account.String()
		switch {
		case len(other.signs.objections()) > 0:
			objections := finding.And(voiceAsOf(s.session).Phrases(other.signs.objections()))
			observed += ", but is probably not the controller: it " + objections
		case other.signs.score() < first.signs.score():
			observed += ", but fewer signs point to it"
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
	if i := slices.IndexFunc(
		s.criteria.managers, func(manager string) bool { return writesAs(manager, name, template) },
	); i >= 0 {
		c.points(namedAsSetter, finding.Clue{Name: s.criteria.managers[i]})
	}
	if mentions, kind := s.mentioned(template); mentions != "" {
		c.points(kind, finding.Clue{Name: mentions})
	}
	c.addNames(s, name)
	if naming.LooksLikeOperator(name) {
		c.points(namedAsOperator, finding.Clue{})
	}
}

// writesAs reports whether a field manager has the name of a workload, or of one of its containers or their images.
func writesAs(manager, name string, template corev1.PodTemplateSpec) bool {
	return sameProgram(manager, name) || slices.ContainsFunc(template.Spec.Containers, func(one corev1.Container) bool {
		return one.Name == manager || imageName(one.Image) == manager
	})
}

// kindWords are the words of the held object's kind: helmrelease, helmreleases, helm, release. They say nothing of
// whose another project's finalizer is.
func wordsOfKind(criteria criteria, byDomain bool) []string {
	if byDomain && criteria.foreign() {
		return nil
	}
	words := naming.Words(criteria.resource.Kind)
	own := slices.DeleteFunc(words, func(word string) bool { return naming.Vague(word) || len(word) < 4 })
	return append(own, strings.ToLower(criteria.resource.Kind), criteria.resource.Resource)
}
