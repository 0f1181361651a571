package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type removeOptions struct {
	targetOptions
	removal removal.Options
	project string // whose finalizers, instead of named objects
}

func newRemove(common options) *cobra.Command {
	o := &removeOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use: "remove (TYPE/NAME ... | TYPE NAME ... | TYPE -l SELECTOR | TYPE --finalizer NAME | -f FILE | - | " +
			"--project NAME) [--finalizer NAME ...] [--force]",
		Short: "Remove named finalizers from a Terminating object by force, as a last resort",
		Long: `Remove named finalizers from Terminating objects by force. Use this only as a last resort: it skips the
cleanup that the finalizer waits for.

Without --force, print the plan and change nothing. The plan says what would be removed, whether the
diagnosis supports that, what to try first, what is lost, and whether the API server accepts the write.

With --force, carry out the plan if every guard passes:
  1. The object is Terminating.
  2. The finalizers are named, or their controller is proven to be missing, and the diagnosis supports
     the removal. To override an objection of the diagnosis, name it with --override.
  3. What will be lost was shown.
  4. You consent: type the name of the object (for several, the word of the plan), or use --confirm TOKEN.
  5. The object is saved to a file.
  6. The write passes a server-side dry run.
  7. A second diagnosis, just before the write, agrees.

Only the named finalizers are removed, with a patch or the namespace's finalize subresource.
foregroundDeletion and orphan are removed with a second DELETE where possible. Several objects are one
plan, dependents before owners. It stops at the first answer that the plan did not expect.

Exit codes: 0 if the objects are gone, or if --dry-run=server passed; 5 for a plan, a refusal, or objects
that are still held; 1 if no plan could be made, for example because an object does not exist.`,
		Example: `  # Print the plan and its token, and change nothing
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup

  # Carry it out, after you type the name of the object
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup --force

  # Carry it out in a script, exactly as planned: the token is not valid if anything has changed
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup --force --confirm TOKEN

  # Remove all finalizers whose controller is proven to be missing, in one plan
  kubectl finalizers remove databases -l app=shop -A --force

  # Plan the removal of one finalizer from all Terminating objects of a type, in all namespaces
  kubectl finalizers remove databases -A --finalizer shop.example.com/cleanup

  # Plan the removal of all finalizers of one project of the catalogue, in all namespaces
  kubectl finalizers remove --project "Argo CD" -A

  # Override an objection of the diagnosis
  kubectl finalizers remove pvc/data --finalizer kubernetes.io/pvc-protection --override StillInUse --force

  # Check every guard except consent, and change nothing
  kubectl finalizers remove cm/notes --finalizer example.com/hold --force --dry-run=server`,
		RunE: o.run,
	}
	o.addTo(cmd.Flags())
	return cmd
}

func (o *removeOptions) addTo(flags *pflag.FlagSet) {
	o.addTargets(flags, "remove finalizers from")
	flags.StringArrayVar(&o.removal.Finalizers, "finalizer", nil,
		"A finalizer to remove; use spec:NAME for one that is only in a namespace's spec.finalizers. "+
			"Can be given several times. Default: those whose controller is proven to be missing")
	flags.StringVar(&o.project, "project", "", "Instead of objects and finalizers, name a project of the catalogue: "+
		"its finalizers on all Terminating objects of the namespace, or of all with -A")
	flags.BoolVar(&o.removal.Force, "force", false, "Carry out the plan if every guard passes")
	flags.StringVar(&o.removal.Confirm, "confirm", "",
		"Consent with the token of the plan, instead of typing the name on a terminal")
	flags.StringArrayVar(&o.removal.Overrides, "override", nil, "Override a named objection of the diagnosis, "+
		"for example StillInUse, Progressing or Undetermined. Can be given several times")
	flags.StringVar(&o.removal.DryRun, "dry-run", "",
		"With --force, change nothing: client only reads, server sends every write as a server-side dry run")
	flags.Lookup("dry-run").NoOptDefVal = removal.DryRunClient // as kubectl takes it
	flags.StringVar(&o.removal.BackupDir, "backup-dir", "",
		"The folder in which objects are saved before they are changed "+
			"(default: kubectl-finalizers/removed in your state folder)")
	flags.BoolVar(&o.removal.Wait, "wait", true, "Wait until the objects are gone")
	flags.DurationVar(&o.removal.Timeout, "timeout", 30*time.Second,
		"How long to wait until an object is gone, before reporting what still holds it")
	annotateValues(flags, "dry-run", "none", removal.DryRunClient, removal.DryRunServer)
	annotateValues(flags, "override", removal.Codes()...)
	o.addIgnoreNotFound(flags)
	o.addCommon(flags, &result.RemovalReport{})
	_ = flags.MarkHidden("snapshot") // it is there to be refused with the reason; fails for flags that don't exist
}

func (o *removeOptions) validate(args []string) error {
	if err := o.refuseSnapshot("remove", "it writes to a cluster"); err != nil {
		return err
	}
	example := fmt.Sprintf(
		"name an object, for example: %s remove cm/notes --finalizer example.com/hold", o.program)
	if o.project != "" {
		if err := o.validateProject(args); err != nil {
			return err
		}
	} else if err := o.validateTargets(args, example); err != nil && !o.byFinalizers(args) {
		return err
	}
	runs := []string{"none", removal.DryRunClient, removal.DryRunServer}
	if err := oneOf("dry-run", cmp.Or(o.removal.DryRun, "none"), runs...); err != nil {
		return err
	}
	for _, code := range o.removal.Overrides {
		if err := oneOf("override", code, removal.Codes()...); err != nil {
			return err
		}
	}
	if o.removal.Timeout < 0 {
		return errors.New("--timeout must not be negative")
	}
	if last := args[max(0, len(args)-1):]; o.removal.DryRun == removal.DryRunClient && len(args) > 1 &&
		slices.Contains(runs, last[0]) {
		return fmt.Errorf("is %q the value of --dry-run? Write --dry-run=%s", last[0], last[0])
	}
	if o.removal.DryRun == "none" {
		o.removal.DryRun = ""
	}
	return o.out.validateOutput()
}

func (o *removeOptions) run(cmd *cobra.Command, args []string) error {
	err := o.validate(args)
	if err != nil {
		return err
	}
	if o.removal.BackupDir, err = backupDir(o.removal.BackupDir); err != nil {
		return err
	}
	ctx := cmd.Context()
	connection, targets, err := o.choose(ctx, args)
	if err != nil {
		return err
	}
	options := connection.options
	remover := &removal.Remover{
		Reader: connection.live, Writer: connection.live, Plugins: options.Plugins,
		Program: options.Program, Flags: options.Flags, Options: o.removal,
		Identity: connection.live.Identity(ctx), Diagnose: diagnosis.Diagnoser(options),
		Again: o.again(connection, cmd.Flags()), Tell: o.tell, Ask: o.asker(), Progress: o.progress(len(targets)),
	}
	plan, err := planFor(ctx, o, connection, remover, targets)
	if plan == nil {
		return err
	}
	done := remover.Run(ctx, plan)
	if o.removal.Force { // the plan, or the answer to the question, stands right above
		_, _ = fmt.Fprintln(o.out.ErrOut)
	}
	if err := o.out.print(context.WithoutCancel(ctx), done); err != nil {
		return err
	}
	return removalExit(done.Outcome)
}

// choose finds the objects: all that were named, and at least one.
func (o *removeOptions) choose(ctx context.Context, args []string) (*connection, []session.Target, error) {
	if o.byFinalizers(args) {
		return findHeld(ctx, o, args)
	}
	connection, targets, failures, err := o.find(ctx, args)
	switch {
	case err != nil:
		return nil, nil, err
	case len(failures) > 0: // a plan for some of what was named is not the plan that was asked for
		return nil, nil, exitError(exitFailed)
	case len(targets) == 0:
		text, missing := o.noneFound(ctx, connection)
		return nil, nil, cmp.Or(missing, errors.New(text))
	}
	return connection, targets, nil
}

// again is the command that makes the same plan. There is none where manifests were piped in.
func (o *removeOptions) again(c *connection, typed *pflag.FlagSet) []string {
	if slices.Contains(o.files.Filenames, "-") {
		return nil
	}
	words := o.program.Command(append([]string{"remove"}, o.args...)...)
	return repeated(c, o.config, typed, words, "force", "confirm", "dry-run", "output", "color")
}

// tell shows the plan before anybody is asked to consent: on stderr, because stdout has the result alone.
func (o *removeOptions) tell(plan *removal.Plan) error {
	format := o.out.format
	if !o.out.isForPeople() {
		format = print.FormatHuman
	}
	return o.out.printTo(context.Background(), o.out.ErrOut, result.RemovalPlan{RemovalReport: plan.Shown()}, format)
}

func (o *removeOptions) progress(targets int) func(string, ...any) {
	if targets < 2 {
		return nil
	}
	return func(format string, args ...any) {
		_, _ = fmt.Fprintln(o.out.ErrOut, escape.Text(fmt.Sprintf(format, args...)))
	}
}

// backupDir returns the folder for saved objects: the one that was named, or one in the user's XDG state folder.
func backupDir(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no folder was found to save objects in: %w. Name one with --backup-dir", err)
		}
		state = filepath.Join(home, ".local", "state")
		if runtime.GOOS == "windows" {
			state = filepath.Join(home, "AppData", "Local")
		}
	}
	return filepath.Join(state, "kubectl-finalizers", "removed"), nil
}
