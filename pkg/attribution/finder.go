// Package attribution finds out from the cluster which controller removes a finalizer, and what state it is in: by what
// the catalogue knows, by who wrote the entry, by RBAC read backwards, by Leases, labels and names.
//
// This package may change at any time.
package attribution

import (
	"context"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
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

	grants      cluster.Memo[struct{}, *rbac.Grants]
	definitions cluster.Memo[struct{}, map[string]definition] // what all of them tell
	traces      cluster.Memo[rbac.Subject, *finding.Evidence]
	searches    cluster.Memo[searchKey, search]         // for controllers, once for all that is alike
	siblings    cluster.Memo[string, []*session.Object] // of custom resources, by kind and namespace
	leases      cluster.Memo[struct{}, []leaseItem]     // of all namespaces, if these were requested
	drivers     cluster.Memo[struct{}, []*session.Object]
	locks       cluster.Memo[string, []leaseItem] // in annotations, by namespace

	mu      sync.Mutex
	read    map[string]bool // namespaces by kind in which custom resources were read as a whole
	fields  map[string]int  // how many objects of a kind were read whole only for what they name
	defined map[string]bool // definitions that were asked for

	examined map[finding.Ref]*candidate // who was looked at as a controller, by workload and ServiceAccount
	logs     cluster.Memo[*candidate, []logged]
	// lockDenials are by who was examined, if logs were requested.
	lockDenials cluster.Memo[*candidate, lockDenial]
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

// Prepare reads, side by side, what is asked about every finalizer that the catalogue does not know, if there are
// several: else one would be read after the other, when the first of them is explained.
func (f *Finder) Prepare(ctx context.Context, objects []*session.Object) {
	held := 0
	for _, object := range objects {
		if ctx.Err() != nil {
			return
		}
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

// held is one hold of an object, and what the search for its controller came to.
type held struct {
	search   search
	object   *session.Object
	hold     finding.Hold
	setters  []writers.Setter
	status   writers.Written  // the last write to the object's status
	writer   writers.Written  // who wrote to it since the deletion and isn't seen to run, where that decides
	stamps   writers.Written  // the last write by the controller, where nothing moves
	template *template        // what the object was made of, if the entry comes from there
	note     finding.Finding  // what the catalogue says, which is the answer if nothing shows more
	lacks    []finding.Lacked // what the object names and is not there, where that is no cause
	declared Declared         // what the catalogue says that the controller must still do
}

// heldBy begins to look into one hold of an object. known is nil where the catalogue does not know the finalizer.
func (f *Finder) heldBy(object *session.Object, hold finding.Hold, known *plugins.Finalizer) *held {
	h := &held{
		object: object, hold: hold, setters: writers.Setters(object.Meta, hold.Name),
		status: writers.StatusWritten(unobserved(&search{finder: f}, object.Resource, object.Meta.ManagedFields)),
	}
	h.search.finder, h.search.session, h.search.health = f, f.Session, f.Health
	h.search.criteria = criteria{
		resource: object.Resource, namespace: object.Ref.Namespace, finalizer: hold.Name, known: known,
	}
	h.search.criteria.home, h.search.criteria.homeField = home(object)
	h.search.byDomain = h.search.criteria.kindOfKubernetes()
	for _, setter := range h.setters {
		if setter.Concrete() {
			h.search.criteria.managers = append(h.search.criteria.managers, setter.Manager)
		}
	}
	h.search.criteria.written, h.search.criteria.setByHand = !h.writes().lastProgram().At.IsZero(), byHand(h.setters)
	h.search.criteria.setByProgram = len(h.setters) > 0 && !h.search.criteria.setByHand
	return h
}
