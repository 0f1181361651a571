// Package removal takes finalizers off Terminating objects by force, the last resort: what is removed
// was shown, consented to, saved, tried as a dry run and diagnosed once more right before. It changes
// nothing but through cluster.Writer.
package removal

import (
	"context"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// The forms of --dry-run.
const (
	DryRunClient = "client" // nothing but reads
	DryRunServer = "server" // every write is sent, as a dry run
)

// Options say what shall be removed, and how far to go.
type Options struct {
	// Finalizers are the names to remove. Without any, those are removed of which the diagnosis says
	// that their controller is missing.
	Finalizers []string
	// Overrides are the codes of objections that are set aside.
	Overrides []string
	Force     bool
	DryRun    string // DryRunClient, DryRunServer or nothing
	// Confirm is the token of a plan that somebody has seen.
	Confirm string
	// BackupDir is the folder to save objects in.
	BackupDir string
	// Wait for the objects to be gone, as long as Timeout.
	Wait    bool
	Timeout time.Duration
}

// Remover plans removals and carries them out.
type Remover struct {
	Reader  cluster.Reader
	Writer  cluster.Writer
	Plugins *plugins.Set
	Kubectl session.Kubectl
	Options Options
	// Again is the command that makes the same plan, for one of several objects. It may be empty.
	Again finding.Command
	// Tell shows a plan to whoever is to consent to it. An error says that it was not shown.
	Tell func(*Plan) error
	// Ask asks for consent on a terminal: it returns what was typed. It is nil where there is none.
	Ask func(ctx context.Context, question string) (string, error)
	// Progress tells what goes on. It may be nil.
	Progress func(format string, args ...any)
	// Pause waits between two looks of one diagnosis. It may be nil.
	Pause func(ctx context.Context, length time.Duration) error

	targets int // of the plan
}

// world is a fresh look at the cluster: nothing remembered from before.
func (r *Remover) world() *mechanism.Tools {
	world := mechanism.NewTools(r.Reader, r.Plugins, r.Kubectl)
	if r.Pause != nil {
		world.Session.Pause = r.Pause
	}
	return world
}

// look diagnoses one object as it is now, and returns what was read of it.
func (r *Remover) look(ctx context.Context, target diagnosis.Target) (*look, error) {
	world := r.world()
	found, err := diagnosis.Why(ctx, world, target)
	if err != nil {
		return nil, err
	}
	object, err := world.Session.Read(ctx, target.Resource, target.Namespace, target.Name) // remembered: no request
	if err != nil {
		return nil, err
	}
	seen := &look{object: object, diagnosis: found}
	if err := seen.addContent(ctx, world); err != nil {
		return nil, err
	}
	return seen, nil
}

func (r *Remover) progress(format string, args ...any) {
	if r.Progress != nil {
		r.Progress(format, args...)
	}
}
