package mechanism

import (
	"context"
	"sync"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Tools are what mechanisms find out with, during one diagnosis.
type Tools struct {
	Session     *session.Session
	Health      *health.Checker
	Refusals    *refusal.Checker
	Attribution *attribution.Finder
	Losses      *loss.Teller
	Plugins     *plugins.Set
	// Border leads to other clusters; nil where none is at hand.
	Border Border

	mu sync.Mutex
	// everywhere are objects by resource and uid, of kinds that were looked through for an owner.
	everywhere map[string]map[string]*Object
	// usedBy are the kinds that may declare a use, by what they would hold.
	usedBy cluster.Memo[holdOn, []cluster.Resource]
	// spelt are the names of the catalogue that a finalizer's may be a misspelling of.
	spelt cluster.Memo[string, []string]
	// beside are the finalizers that objects of a kind have, where these were listed.
	beside map[string][]nameBeside
}

// NewTools returns the tools of one diagnosis.
func NewTools(reader cluster.Reader, known *plugins.Set, kubectl session.Kubectl) *Tools {
	reads := session.New(reader, kubectl)
	fares := health.NewChecker(reads)
	tools := &Tools{
		Session: reads, Health: fares, Refusals: refusal.NewChecker(reads, fares),
		Attribution: attribution.NewFinder(reads, fares, known), Losses: &loss.Teller{Session: reads}, Plugins: known,
		everywhere: map[string]map[string]*Object{},
	}
	tools.Losses.Owners = func(ctx context.Context, object *Object) []ownership.Judged {
		return references(ctx, tools.Session, object)
	}
	return tools
}

// Options say with what a run finds out, and how far it goes.
type Options struct {
	Plugins *plugins.Set
	// Program is how this program is called.
	Program finding.Program
	// Flags lead kubectl to the cluster. Files are what --snapshot names, where the cluster is in files.
	Flags, Files []string
	// Member is the cluster in the files that is asked, if they hold several.
	Member string
	// Deep allows reads of everything there is, where nothing narrower decides.
	Deep bool
	// Prober and Reviewer are there where the user wants requests to be tried.
	Prober   cluster.Prober
	Reviewer cluster.Reviewer
	// LogReader is there where the user wants to hear what the logs of controllers say.
	LogReader cluster.LogReader
	// Tabler prints objects as kubectl does, if that was requested.
	Tabler cluster.Tabler
	// Pause waits before a second look; without one, that takes its time.
	Pause func(ctx context.Context, length time.Duration) error
	// Border leads to other clusters, as far as they may be asked; nil where none is at hand.
	Border Border
}

// Tools returns the tools of one run.
func (o Options) Tools(reader cluster.Reader) *Tools {
	kubectl := session.Kubectl{Program: o.Program, Flags: o.Flags, Files: o.Files, Member: o.Member}
	tools := NewTools(reader, o.Plugins, kubectl)
	tools.Refusals.Prober, tools.Attribution.Reviewer = o.Prober, o.Reviewer
	tools.Attribution.LogReader, tools.Border = o.LogReader, o.Border
	tools.Session.Deep, tools.Session.Tabler = o.Deep, o.Tabler
	if o.Pause != nil {
		tools.Session.Pause, tools.Session.Moment = o.Pause, o.Pause
	}
	return tools
}

// Scanning returns the tools of a run over many objects, which looks at none of them twice by itself.
func (o Options) Scanning(reader cluster.Reader) *Tools {
	tools := o.Tools(reader)
	tools.Session.Pause = session.NoSecondLook
	return tools
}

// unreleased answers for a hold that waits for nothing any more: why has the controller whose work it is not removed
// it? task is what it has yet to do.
func unreleased(ctx context.Context, refusals *refusal.Checker, held Held, task finding.Phrase) Answer {
	if task.Details == nil {
		task.Details = finding.TaskDetails{Object: held.Ref}
	}
	return refusals.Overdue(ctx, refusals.Release(held.Object, held.Hold, held.By, task))
}

// going is progress; it is open whether anything continues where that takes too long.
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
