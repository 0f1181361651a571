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
	everywhere map[string]map[string]*Object
}

// NewTools returns the tools of one diagnosis.
func NewTools(reader cluster.Reader, known *plugins.Set, kubectl session.Kubectl) *Tools {
	reads := session.New(reader, kubectl)
	fares := health.NewChecker(reads)
	return &Tools{
		Session: reads, Health: fares, Refusals: refusal.NewChecker(reads, fares),
		Attribution: attribution.NewFinder(reads, fares, known), Plugins: known,
		everywhere: map[string]map[string]*Object{},
	}
}

// unreleased answers for a hold that waits for nothing any more: why has the controller whose work it is not taken it
// off? by is the controller's account in kube-system; task is what it has yet to do.
func (t *Tools) unreleased(ctx context.Context, held Held, by string, task finding.Phrase) Answer {
	if task.Details == nil {
		task.Details = finding.TaskDetails{Object: held.Ref}
	}
	return t.Refusals.Overdue(ctx, t.Refusals.Release(held.Object, held.Hold, by, task))
}

// kubectl is a kubectl command about an object.
func (t *Tools) kubectl(object *Object, verb string, flags ...string) finding.Command {
	return t.Session.Kubectl.Command(object, verb, flags...)
}

// going is progress; it is open whether anything goes on where that takes too long.
func going(note Finding, late bool) Answer {
	if late {
		return session.Open(note)
	}
	return session.Progress(note)
}

// unreadKind are objects of a kind that could not be read, in a namespace, in all, or of a kind without namespaces.
func unreadKind(kind, namespace string) finding.Unread {
	return finding.Unread{Kinds: []string{kind}, Namespace: namespace}
}
