package mechanism

import (
	"context"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Tools are what mechanisms find out with: what is read of the cluster during one diagnosis, how its programs
// fare, what refuses writes, and whose the finalizers are.
type Tools struct {
	Session     *session.Session
	Health      *health.Checker
	Refusals    *refusal.Checker
	Attribution *attribution.Finder
	Plugins     *plugins.Set

	mu sync.Mutex
	// everywhere are objects by resource and uid, of kinds that were looked through for an owner.
	everywhere map[string]map[string]*session.Object
}

// NewTools returns the tools of one diagnosis.
func NewTools(reader cluster.Reader, known *plugins.Set, kubectl session.Kubectl) *Tools {
	reads := session.New(reader, kubectl)
	fares := health.NewChecker(reads)
	return &Tools{
		Session: reads, Health: fares, Refusals: refusal.NewChecker(reads, fares),
		Attribution: attribution.NewFinder(reads, fares, known), Plugins: known,
	}
}

// unreleased answers for a hold that waits for nothing any more: why has the controller whose work it is not taken it
// off? by is the controller's account in kube-system; task is what it has yet to do.
func (t *Tools) unreleased(
	ctx context.Context, object *session.Object, hold finding.Hold, by string, task finding.Phrase,
) session.Answer {
	return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, by, task))
}

// unreadKind are objects of a kind that could not be read, in a namespace, in all, or of a kind without namespaces.
func unreadKind(kind, namespace string) finding.Unread {
	return finding.Unread{Kinds: []string{kind}, Namespace: namespace}
}
