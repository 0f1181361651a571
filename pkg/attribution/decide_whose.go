package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// criteria are all that a search for a controller may know of a held object. Its status is looked at for each (held).
type criteria struct {
	resource     cluster.Resource
	finalizer    string
	namespace    string             // the object's, or empty where all namespaces are alike to the search
	managers     []string           // the programs that set the finalizer and say who they are, the newest first
	written      bool               // some program is known to have written the finalizer or the status
	setByHand    bool               // people or pipelines alone set the finalizer
	setByProgram bool               // a program set the finalizer, whether or not it says who it is
	known        *plugins.Finalizer // what a plugin says of the finalizer, if one does
	ofKind       bool               // the object stands for all of its kind, wherever they are
	driver       string             // the storage driver that is to act, where the held object names one
	home         string             // the namespace of the controller, where the object says that
	homeField    string             // in this field
	class        string             // that the object is of, as its controller is told it
	agent        *agentOf           // in whose pods the controller runs, where the held object names that
	beyond       map[string]bool    // the limits of programs that were met so far, and whether they leave the object out
}

// kindOfKubernetes reports whether the held object is of a kind of Kubernetes' own: many may write it, so rights on it
// lead to no program, and its status is written by others than the finalizer's controller.
func (t criteria) kindOfKubernetes() bool { return cluster.ServedByKubernetes(t.resource.Group) }

// somewhere reports whether rights in any namespace are enough: for a kind as such, if its objects are in namespaces.
func (t criteria) somewhere() bool { return t.ofKind && t.resource.Namespaced }

// untraceable reports whether the name has no domain, many may write the kind, and no program has written it.
func (t criteria) untraceable() bool {
	return t.known == nil && t.kindOfKubernetes() && !t.written && naming.Domain(t.finalizer) == ""
}

// searchKey is what criteria are compared by. The entry of the catalogue follows from the finalizer's name and the
// kind.
type searchKey struct {
	resource, finalizer, namespace, managers, driver, beyond, home, class, agent string
	written, setByHand, setByProgram, known                                      bool
}

// searched is the search for the controller of what has some criteria: one for all objects that are alike.
func (f *Finder) searched(ctx context.Context, of criteria) search {
	of.namespace = f.ownRules(ctx, of)
	key := searchKey{
		resource: of.resource.String(), finalizer: of.finalizer, namespace: of.namespace,
		managers: strings.Join(of.managers, "\n"), driver: of.driver, beyond: of.beyondKey(),
		home: of.homeField + "=" + of.home, class: of.class,
		written: of.written, setByHand: of.setByHand, setByProgram: of.setByProgram,
		known: of.known != nil, agent: of.agent.key(),
	}
	done, _ := f.searches.Get(key, func() (search, error) { return f.search(ctx, of), nil })
	return done
}

// ownRules is the namespace of what has some criteria, if anything in it may lead the search elsewhere than in others:
// rules of its own about the kind, or the controller itself, which a plugin's workloads are looked for in.
func (f *Finder) ownRules(ctx context.Context, of criteria) string {
	if of.known != nil {
		return of.namespace
	}
	if of.untraceable() {
		return ""
	}
	grants, err := f.permissions(ctx)
	if err != nil || !grants.HasLocalBindings(of.resource.GroupResource(), of.namespace) {
		return ""
	}
	return of.namespace
}

func (f *Finder) search(ctx context.Context, of criteria) search {
	s := search{
		finder: f, session: f.Session, health: f.Health, criteria: of,
		leads: leads{
			project: of.resource, domain: naming.Domain(of.finalizer),
			catalogued: of.known != nil || of.kindOfKubernetes() && knowsOwner(f.Plugins, naming.Domain(of.finalizer)),
		},
		byDomain: of.kindOfKubernetes(),
	}
	switch {
	case s.criteria.driver != "":
		s.found = s.decideByDriver(ctx)
	case s.criteria.agent != nil && !s.criteria.agent.left():
		s.found = decideAgent(ctx, &s)
	case s.criteria.known != nil:
		s.found = s.decideKnown(ctx)
	case s.criteria.kindOfKubernetes():
		s.found = s.decideByDomain(ctx)
	case s.criteria.foreign():
		s.found = s.decideForeign(ctx)
	case s.rankByRights(ctx):
		s.found = s.decide(ctx)
	}
	sumUpPlaces(ctx, &s)
	s.found = withAccount(ctx, &s, s.found)
	if c := s.found.candidate; c != nil && c.perhapsBeyond && s.found.state != Down {
		s.found.state = "" // its template may say that it has nothing to do with the object
	}
	// Who adds to these adds for one object.
	s.evidence, s.failed, s.possible = slices.Clip(s.evidence), slices.Clip(s.failed), slices.Clip(s.possible)
	return s
}
