// Package attribution finds out from the cluster whose a finalizer is, and how that controller fares:
// by what plugins know, by who wrote the entry, by RBAC read backwards, by Leases, labels and names.
package attribution

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Finder finds out whose a finalizer is, and how that controller fares, by what a session reads.
type Finder struct {
	Session  *session.Session
	Health   *health.Checker
	Plugins  *plugins.Set
	Reviewer cluster.Reviewer // nil unless the user wants probes
	// LogReader is nil unless the user wants to hear what controllers' logs say.
	LogReader cluster.LogReader

	grants      cluster.Memo[struct{}, *controller.Grants]
	definitions cluster.Memo[struct{}, map[string]definition] // what all of them tell
	traces      cluster.Memo[controller.Subject, *finding.Evidence]
	searches    cluster.Memo[searchKey, search]         // for controllers, once for all that is alike
	siblings    cluster.Memo[string, []*session.Object] // of custom resources, by kind and namespace
	leases      cluster.Memo[struct{}, []leaseItem]     // of all namespaces, if somebody has asked for these

	mu      sync.Mutex
	read    map[string]bool // namespaces by kind in which custom resources were read as a whole
	fields  map[string]int  // how many objects of a kind were read whole only for what they name
	defined map[string]bool // definitions that were asked for

	examined map[finding.Ref]*candidate // who was looked at as a controller, by workload and ServiceAccount
	logs     cluster.Memo[*candidate, []logged]
}

// NewFinder returns a Finder that reads through a session, and knows what plugins say of finalizers.
func NewFinder(reads *session.Session, fares *health.Checker, known *plugins.Set) *Finder {
	return &Finder{
		Session: reads, Health: fares, Plugins: known,
		read: map[string]bool{}, fields: map[string]int{}, defined: map[string]bool{},
		examined: map[finding.Ref]*candidate{},
	}
}

// severalHeld is how many objects make it certain enough that admission and RBAC will be asked about.
const severalHeld = 6

// Prepare reads, side by side, what is asked about every finalizer that no plugin knows, if
// there are several: else one would be read after the other, when the first of them is explained.
func (f *Finder) Prepare(ctx context.Context, objects []*session.Object) {
	held := 0
	for _, object := range objects {
		if slices.ContainsFunc(object.Meta.Finalizers, func(name string) bool {
			_, known := f.Plugins.Find(name, object.Resource.GroupKind().String())
			return !known
		}) {
			held++
		}
		if held > severalHeld {
			session.SideBySide([]func(){func() { f.Session.AdmissionRules(ctx) }, func() { _, _ = f.permissions(ctx) }})
			return
		}
	}
}

// criteria are all that a search for a controller may know of a held object. Its status is looked at for each (held).
type criteria struct {
	resource  cluster.Resource
	finalizer string
	namespace string   // the object's, or empty where all namespaces are alike to the search
	managers  []string // the programs that set the finalizer and say who they are, the newest first
	written   bool     // some program is known to have written the finalizer or the status
	// unsure says that what may refuse the removal is unread. Then nothing follows from how a controller fares.
	unsure bool
	known  *plugins.Finalizer // what a plugin says of the finalizer, if one does
	ofKind bool               // the object stands for all of its kind, wherever they are
	driver string             // the storage driver that is to act, where the held object names one
}

// kindOfKubernetes tells whether the held object is of a kind of Kubernetes' own: many may write it, so that rights on
// it lead to nobody, and its status is told by others than the finalizer's controller.
func (t criteria) kindOfKubernetes() bool { return cluster.ServedByKubernetes(t.resource.Group) }

// untraceable tells whether the name has no domain, many may write the kind, and no program has written it.
func (t criteria) untraceable() bool {
	return t.known == nil && t.kindOfKubernetes() && !t.written && controller.Domain(t.finalizer) == ""
}

// searchKey is what criteria have to be compared by. Which plugin knows a finalizer follows from its name and the kind.
type searchKey struct {
	resource, finalizer, namespace, managers, driver string
	written, unsure, known                           bool
}

// searched is the search for the controller of what has some criteria: one for all objects that are alike.
func (f *Finder) searched(ctx context.Context, of criteria) search {
	of.namespace = f.ownRules(ctx, of)
	key := searchKey{
		resource: of.resource.String(), finalizer: of.finalizer, namespace: of.namespace,
		managers: strings.Join(of.managers, "\n"), written: of.written, unsure: of.unsure, known: of.known != nil,
		driver: of.driver,
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
		leads:    leads{project: of.resource, domain: controller.Domain(of.finalizer)},
		byDomain: of.kindOfKubernetes(),
	}
	switch {
	case s.driver != "":
		s.found = s.decideByDriver(ctx)
	case s.known != nil:
		s.found = s.decideKnown(ctx)
	case s.kindOfKubernetes():
		s.found = s.decideByDomain(ctx)
	case s.foreign():
		s.found = s.decideForeign(ctx)
	case s.rankByRights(ctx) && !s.unsure:
		s.found = s.decide(ctx)
	}
	// Who adds to these adds for one object.
	s.evidence, s.failed, s.possible = slices.Clip(s.evidence), slices.Clip(s.failed), slices.Clip(s.possible)
	return s
}

// held is one hold of an object, and what the search for its controller came to.
type held struct {
	search
	object   *session.Object
	hold     finding.Hold
	setters  []controller.Setter
	status   controller.Written // the last write to the object's status
	writer   controller.Written // who wrote to it since the deletion and isn't seen to run, where that decides
	template *template          // what the object was made of, if the entry comes from there
	note     finding.Finding    // what the catalogue says, which is the answer where nothing tells more
}

// heldBy begins to look into one hold of an object. known is nil where no plugin knows the finalizer.
func (f *Finder) heldBy(object *session.Object, hold finding.Hold, known *plugins.Finalizer) *held {
	h := &held{
		object: object, hold: hold, setters: controller.Setters(object.Meta, hold.Name),
		status: controller.StatusWritten(f.unobserved(object.Resource, object.Meta.ManagedFields)),
	}
	h.finder, h.session, h.health = f, f.Session, f.Health
	h.criteria = criteria{resource: object.Resource, namespace: object.Ref.Namespace, finalizer: hold.Name, known: known}
	h.byDomain = h.kindOfKubernetes()
	for _, setter := range h.setters {
		if setter.Concrete() {
			h.managers = append(h.managers, setter.Manager)
		}
	}
	h.written = !h.lastProgram().At.IsZero()
	return h
}
