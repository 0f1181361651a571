// Package removal removes finalizers from Terminating objects by force, the last resort. Each removal was shown,
// consented to, saved, tried as a dry run and diagnosed once more right before. It changes nothing but through
// cluster.Writer.
//
// This package may change at any time.
package removal

import (
	"context"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// The forms of --dry-run.
const (
	DryRunClient = "client" // nothing but reads
	DryRunServer = "server" // every write is sent, as a dry run
)

// Options say what should be removed, and how far to go.
type Options struct {
	// Finalizers are the names to remove. Without any, only finalizers are removed whose controller is proven to be
	// missing.
	Finalizers []string
	Overrides  []string // the codes of objections that are overridden
	Force      bool
	DryRun     string // DryRunClient, DryRunServer or nothing
	Confirm    string // the token of a plan that the user has seen
	BackupDir  string // the folder to save objects in
	Wait       bool   // for the objects to be gone, as long as Timeout
	Timeout    time.Duration
}

// Codes are those of objections to a removal, which can be overridden.
func Codes() (codes []string) {
	for _, reason := range finding.Reasons() {
		codes = append(codes, string(reason))
	}
	return append(codes, string(result.Progressing), string(result.Undetermined))
}

// Remover plans removals and carries them out.
type Remover struct {
	Reader  cluster.Reader
	Writer  cluster.Writer
	Plugins *plugins.Set
	Program finding.Program // how it is called
	Flags   []string        // that lead kubectl to the cluster
	Options Options
	// Diagnose says why a target is still there, and what was read of it.
	Diagnose func(context.Context, cluster.Reader, session.Target) (*result.Diagnosis, *session.Object, error)
	// Identity says to which server the plan's requests go, and as whom.
	Identity cluster.Identity
	// Again is the command that makes the same plan, for one of several objects. It may be empty.
	Again finding.Command
	// Tell shows a plan to whoever is to consent to it. An error says that it was not shown.
	Tell func(*Plan) error
	// Ask asks for consent on a terminal: it returns what was typed. It is nil where there is none.
	Ask func(ctx context.Context, question string) (string, error)
	// Gone reports whether a target that could not be read is left out of the plan, because it isn't there. It may be nil.
	Gone func(*TargetError) bool
	// Progress says what is in progress. It may be nil.
	Progress func(format string, args ...any)

	targets int // of the plan
}

// tools are for a fresh look at the cluster: nothing is remembered from before.
func (r *Remover) tools() *mechanism.Tools {
	return mechanism.NewTools(r.Reader, r.Plugins, r.kubectl())
}
func voice(program finding.Program) finding.Voice { return finding.Voice{Program: program} }
func (r *Remover) kubectl() session.Kubectl {
	return session.Kubectl{Program: r.Program, Flags: r.Flags}
}

// look diagnoses one object as it is now, and returns what was read of it.
func (r *Remover) look(ctx context.Context, target session.Target) (*look, error) {
	found, object, err := r.Diagnose(ctx, r.Reader, target)
	if err != nil {
		return nil, err
	}
	if object.Meta == nil {
		return nil, &session.UnreadError{Says: found.Summary, Ask: r.kubectl().Why(object)}
	}
	seen, tools := &look{object: object, diagnosis: found}, r.tools()
	if object.Terminating() {
		seen.taken = tools.Losses.With(ctx, object, r.chosen(seen)...)
	}
	return seen, seen.addContent(ctx, tools)
}

func progress(progress func(format string, args ...any), format string, args ...any) {
	if progress != nil {
		progress(format, args...)
	}
}
