package attribution

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// chooseWorkload finds what runs as a candidate's ServiceAccount, and of several the one that is likely the controller:
// a ServiceAccount itself is neither up nor down. It returns the pods of that one. It answers false where something
// can't be read, or where nothing shows those apart that run from the ones that don't.
func (e examination) chooseWorkload(ctx context.Context, pods []*corev1.Pod) ([]*corev1.Pod, bool) {
	kinds := []cluster.Resource{cluster.Deployments()}
	for _, other := range []cluster.Resource{cluster.StatefulSets(), cluster.DaemonSets()} {
		if runBy(pods, other.Kind) || hooksFrom(ctx, e.search.session, e.c.namespace) > 0 {
			kinds = append(kinds, other)
		}
	}
	programs, read := e.programsOf(ctx, kinds...)
	if !read {
		return nil, false
	}
	all := assign(pods, programs)
	programs = inScope(ctx, e.search, e.c, all)
	more, read := e.withoutPods(ctx, withoutKinds(cluster.WorkloadKinds(), kinds), programs)
	if !read {
		return nil, false
	}
	if len(more) > 0 {
		all = append(all, more...)
		programs = inScope(ctx, e.search, e.c, all)
	}
	switch len(programs) {
	case 0:
		return pods, true
	case 1:
		e.settleOn(programs[0])
		if len(all) > 1 {
			return programs[0].pods, true
		}
		return pods, true
	}
	if !e.rankPrograms(ctx, programs) {
		return nil, false
	}
	first := programs[0]
	if equals := equallyLikely(programs); len(equals) > 1 && !equals[len(equals)-1].ready() {
		e.c.sharing = programs
		e.c.unclear = finding.Each(equals, func(one *program) *candidate { return e.oneOf(ctx, one) })
		return pods, true
	}
	e.settleOn(first)
	e.c.deciding, e.c.sharing = first.decides(programs[1:]), programs[1:]
	for _, other := range programs[1:] {
		observed := "also runs as " + e.c.account.String()
		switch {
		case len(other.signs.Objections()) > 0:
			objections := finding.And(voiceAsOf(e.search.session).Phrases(other.signs.Objections()))
			observed += ", but is probably not the controller: it " + objections
		case other.signs.Score() < first.signs.Score():
			observed += ", but fewer signs point to it"
		}
		source := other.ref(e.c.namespace)
		e.c.evidence = append(e.c.evidence, finding.Evidence{Source: source.String(), Observed: observed, Object: &source})
	}
	return first.pods, true
}

// equallyLikely are the programs at which as much points as at the first of the ranked ones, the running ones first:
// shards of one controller, which have objects each.
func equallyLikely(ranked []*program) (equals []*program) {
	for _, one := range ranked {
		if one.signs.Score() == ranked[0].signs.Score() {
			equals = append(equals, one)
		}
	}
	slices.SortStableFunc(equals, func(a, b *program) int { return session.FalseFirst(!a.ready(), !b.ready()) })
	return equals
}

// oneOf is a program as a candidate of its own, with why it is down if it is.
func (e examination) oneOf(ctx context.Context, one *program) *candidate {
	c := &candidate{
		account: e.c.account, namespace: e.c.namespace, workload: one.workload, pods: one.pods, state: candidateAlive,
	}
	if !one.ready() {
		c.state = candidateDown
		(examination{e.search, c}).whyDown(ctx, one.pods) // what could not be read is among what failed
	}
	if c.workload == nil {
		c.workload = session.Named(cluster.Pods(), c.namespace, one.name)
	}
	return c
}

// withoutPods looks among other kinds of workloads for what has no pods and acts on the object, or would, where none of
// the programs does; or for what may reconcile, where none of them may.
func (e examination) withoutPods(
	ctx context.Context, kinds []cluster.Resource, programs []*program,
) (more []*program, read bool) {
	if len(kinds) == 0 {
		return nil, true
	}
	idle := noneActs(ctx, e.search, e.c, programs)
	if !idle && !e.allForOtherDuty(programs) {
		return nil, true
	}
	found, read := e.programsOf(ctx, kinds...)
	if more = assign(nil, found); !idle {
		more = slices.DeleteFunc(more, func(one *program) bool { return e.allForOtherDuty([]*program{one}) })
	}
	return more, read
}

// withoutKinds are the kinds of all but some.
func withoutKinds(all, some []cluster.Resource) []cluster.Resource {
	return slices.DeleteFunc(slices.Clone(all), func(resource cluster.Resource) bool {
		return slices.ContainsFunc(some, func(other cluster.Resource) bool { return other.Kind == resource.Kind })
	})
}

// settleOn makes a program a candidate's own, with what its name and its template say for it.
func (e examination) settleOn(one *program) {
	e.c.workload = one.workload
	if one.workload != nil {
		e.c.addTemplate(e.search.terms(), one.name, one.template)
	}
}

// addTemplate ranks a candidate by its workload: who wrote the entry, what it is told, and its name.
func (c *candidate) addTemplate(t terms, name string, template corev1.PodTemplateSpec) {
	if i := slices.IndexFunc(
		t.criteria.managers, func(manager string) bool { return writesAs(manager, name, template) },
	); i >= 0 {
		c.points(signs.NamedAsSetter, finding.Clue{Name: t.criteria.managers[i]})
	}
	if mentions, kind := t.mentioned(template); mentions != "" {
		c.points(kind, finding.Clue{Name: mentions})
	}
	c.addNames(t, name)
	if naming.LooksLikeOperator(name) {
		c.points(signs.NamedAsOperator, finding.Clue{})
	}
}

// writesAs reports whether a field manager has the name of a workload, or of one of its containers or their images.
func writesAs(manager, name string, template corev1.PodTemplateSpec) bool {
	return sameProgram(manager, name) || slices.ContainsFunc(template.Spec.Containers, func(one corev1.Container) bool {
		return one.Name == manager || imageName(one.Image) == manager
	})
}

// ofKind are the words of the held object's kind: helmrelease, helmreleases, helm, release. They say nothing of
// whose another project's finalizer is.
func (t terms) ofKind() []string {
	if t.byDomain && t.criteria.foreign() {
		return nil
	}
	words := naming.Words(t.criteria.resource.Kind)
	own := slices.DeleteFunc(words, func(word string) bool { return naming.Vague(word) || len(word) < 4 })
	return append(own, strings.ToLower(t.criteria.resource.Kind), t.criteria.resource.Resource)
}
