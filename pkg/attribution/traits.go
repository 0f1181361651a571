package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// traits are all that a search for a controller may know of a held object. What else is told of the object, and of
// its status, is found out for each (held).
type traits struct {
	resource  cluster.Resource
	finalizer string
	// namespace is the object's, or empty where all namespaces are alike to the search.
	namespace string
	// managers are the programs that set the finalizer and say who they are, the newest first.
	managers []string
	// written says that some program is known to have written the finalizer or the status.
	written bool
	// unsure says that what may refuse the removal is unread. Then nothing follows from how a controller fares.
	unsure bool
	// known is what a plugin says of the finalizer, if one does.
	known *plugins.Finalizer
	// ofKind says that the object stands for all of its kind, wherever they are.
	ofKind bool
}

// foreign tells whether the held object is of a kind of Kubernetes' own: many may write it, so that rights on it lead
// to nobody, and its status is told by others than the finalizer's controller.
func (t traits) foreign() bool { return cluster.ServedByKubernetes(t.resource.Group) }

// leadless tells whether nothing leads from the finalizer to anybody: its name has no domain, many may write the kind,
// and no program has written it.
func (t traits) leadless() bool {
	return t.known == nil && t.foreign() && !t.written && controller.Domain(t.finalizer) == ""
}

// traitsKey is what traits have to be compared by. Which plugin knows a finalizer follows from its name and the kind.
type traitsKey struct {
	resource, finalizer, namespace, managers string
	written, unsure, known                   bool
}

// searched is the search for the controller of what has some traits: one for all objects that are alike.
func (f *Finder) searched(ctx context.Context, of traits) search {
	of.namespace = f.ownRules(ctx, of)
	key := traitsKey{
		resource: of.resource.String(), finalizer: of.finalizer, namespace: of.namespace,
		managers: strings.Join(of.managers, "\n"), written: of.written, unsure: of.unsure, known: of.known != nil,
	}
	done, _ := f.searches.Get(key, func() (search, error) { return f.search(ctx, of), nil })
	return done
}

// ownRules is the namespace of what has some traits, if anything in it may lead the search elsewhere than in others:
// rules of its own about the kind, or the controller itself, which a plugin's workloads are looked for in.
func (f *Finder) ownRules(ctx context.Context, of traits) string {
	if of.known != nil {
		return of.namespace
	}
	if of.leadless() {
		return ""
	}
	grants, err := f.permissions(ctx)
	if err != nil || !grants.HasLocalBindings(of.resource.GroupResource(), of.namespace) {
		return ""
	}
	return of.namespace
}

// search looks for the controller of what has some traits.
func (f *Finder) search(ctx context.Context, of traits) search {
	s := search{finder: f, session: f.Session, health: f.Health, traits: of, project: of.resource, domain: controller.Domain(of.finalizer), found: decision{state: decidedUnsettled}}
	switch {
	case s.known != nil:
		s.found = s.decideKnown(ctx)
	case s.foreign():
		s.found = s.decideByDomain(ctx)
	case s.rankByRights(ctx) && !s.unsure:
		s.found = s.decide(ctx)
	}
	// Who adds to these adds for one object.
	s.evidence, s.failed, s.possible = slices.Clip(s.evidence), slices.Clip(s.failed), slices.Clip(s.possible)
	return s
}
