// Package attribution finds out from the cluster whose a finalizer is, and how that controller fares:
// by what plugins know, by who wrote the entry, by RBAC read backwards, by Leases, labels and names.
package attribution

import (
	"context"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Finder finds out whose a finalizer is, and how that controller fares, by what a session reads.
type Finder struct {
	Session *session.Session
	Health  *health.Checker
	Plugins *plugins.Set
	// Reviewer is nil unless the user wants probes.
	Reviewer cluster.Reviewer

	grants      cluster.Memo[struct{}, *controller.Grants]
	definitions cluster.Memo[struct{}, map[string]definition] // what all of them tell
	searches    cluster.Memo[searchKey, search]               // for controllers, once for all that is alike

	mu      sync.Mutex
	read    map[string]bool // namespaces by kind in which custom resources were read as a whole
	fields  map[string]int  // how many objects of a kind were read whole only for what they name
	defined map[string]bool // definitions that were asked for
}

// NewFinder returns a Finder that reads through a session, and knows what plugins say of finalizers.
func NewFinder(reads *session.Session, fares *health.Checker, known *plugins.Set) *Finder {
	return &Finder{
		Session: reads, Health: fares, Plugins: known,
		read: map[string]bool{}, fields: map[string]int{}, defined: map[string]bool{},
	}
}

// severalHeld is how many objects make it certain enough that what refuses writes and what RBAC allows will be
// asked about.
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
