package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

type removeOptions struct {
	targetOptions
	removal removal.Options
}

func newRemove(common options) *cobra.Command {
	o := &removeOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "remove (TYPE/NAME ... | TYPE NAME ... | TYPE -l SELECTOR | -f FILE | -) [--finalizer NAME ...] [--force]",
		Short: "Remove named finalizers from a Terminating object by force, the last resort",
		Long: `Remove named finalizers from Terminating objects by force, when nothing better is left.

Without --force it changes nothing: it prints the plan. That says what would be removed and whether the
diagnosis justifies it, what should be tried first, what will be lost, whether the write would pass, and
the token to confirm with.

With --force it acts only if every guard holds. The object is Terminating; the entries are named
(--finalizer, or all of which the diagnosis has proven that their controller is missing); what will be
lost was shown, also what goes with the object, such as a claim's volume and its data; somebody consented, by
typing the object's name on a terminal (of several, the word of the plan) or with --confirm TOKEN; the object
was saved in a file, and in another from which it can be created again; the very same write passes as a
server-side dry run; and a second diagnosis right before the write says the same. A controller that is alive,
a protection that rightly waits, something that could not be read or a namespace that is not empty needs
--override with exactly that code.

Only the named entries go, by a patch; an entry of a namespace's spec.finalizers through its finalize
subresource. foregroundDeletion and orphan go by a second DELETE, the supported way, where the server acts
on one that is guarded, and else by the patch, too: the plan says which.
Several objects are one plan with one consent, dependents before owners; it stops at the first surprise.

Exit codes: 0, the objects are gone; 5, it was refused or not carried through, something else still holds
an object, and a plan alone; 1, it could not be tried.`,
		Example: `  # What would it mean? Prints the plan and its token, and changes nothing
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup

  # Do it: asks for the object's name on the terminal
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup --force

  # Do it from a script, exactly as planned: the token no longer fits if anything has changed
  kubectl finalizers remove database/orders -n shop --finalizer shop.example.com/cleanup --force --confirm TOKEN

  # All that no controller is left for, in one plan
  kubectl finalizers remove databases -l app=shop -A --force

  # Against the diagnosis, with the reason that is set aside
  kubectl finalizers remove pvc/data --finalizer kubernetes.io/pvc-protection --override StillInUse --force

  # Go through all guards but consent, and write nothing
  kubectl finalizers remove cm/notes --finalizer example.com/hold --force --dry-run=server`,
		RunE: o.run,
	}
	o.addTo(cmd.Flags())
	return cmd
}

func (o *removeOptions) addTo(flags *pflag.FlagSet) {
	o.addTargets(flags, "remove from")
	flags.StringArrayVar(&o.removal.Finalizers, "finalizer", nil, "A finalizer to remove, "+
		"spec:NAME for one of a namespace's spec.finalizers alone; may be given several times. "+
		"Without it: those of which the diagnosis has proven ControllerMissing")
	flags.BoolVar(&o.removal.Force, "force", false, "Carry the plan out, if every guard holds")
	flags.StringVar(&o.removal.Confirm, "confirm", "",
		"Consent with the token of a plan, instead of typing a name on a terminal")
	flags.StringArrayVar(&o.removal.Overrides, "override", nil, "Set aside what speaks against it, by its code: "+
		"a reason such as StillInUse, Progressing or Undetermined; may be given several times")
	flags.StringVar(&o.removal.DryRun, "dry-run", "",
		"With --force, write nothing: client only reads, server sends every write as a dry run")
	flags.Lookup("dry-run").NoOptDefVal = removal.DryRunClient // as kubectl takes it
	flags.StringVar(&o.removal.BackupDir, "backup-dir", "", "The folder to save objects in before they are written to "+
		"(default: kubectl-finalizers/removed in your state folder)")
	flags.BoolVar(&o.removal.Wait, "wait", true, "Wait until the objects are gone")
	flags.DurationVar(&o.removal.Timeout, "timeout", 30*time.Second,
		"How long to wait for one object to go before saying what still holds it")
	annotateValues(flags, "dry-run", "none", removal.DryRunClient, removal.DryRunServer)
	annotateValues(flags, "override", removal.Codes()...)
	o.addCommon(flags, &report.RemovalReport{})
	_ = flags.MarkHidden("snapshot") // it is there to be refused with the reason; fails for flags that don't exist
}

func (o *removeOptions) validate(args []string) error {
	if err := o.refuseSnapshot("remove", "it writes to a cluster, and a recording is none"); err != nil {
		return err
	}
	const example = "name what to remove a finalizer from, for example: " +
		"kubectl finalizers remove cm/notes --finalizer example.com/hold"
	if err := o.validateTargets(args, example); err != nil {
		return err
	}
	switch {
	case !slices.Contains([]string{"", "none", removal.DryRunClient, removal.DryRunServer}, o.removal.DryRun):
		return fmt.Errorf("--dry-run %q is not one of none, client, server", o.removal.DryRun)
	case !sets.New(removal.Codes()...).HasAll(o.removal.Overrides...):
		return fmt.Errorf("--override takes codes as a refusal names them: %s", strings.Join(removal.Codes(), ", "))
	case o.removal.Timeout < 0:
		return errors.New("--timeout must not be negative")
	}
	if last := args[max(0, len(args)-1):]; o.removal.DryRun == removal.DryRunClient && len(args) > 1 &&
		slices.Contains([]string{"none", removal.DryRunServer, removal.DryRunClient}, last[0]) {
		return fmt.Errorf("is %q the value of --dry-run? Write --dry-run=%s", last[0], last[0])
	}
	if o.removal.DryRun == "none" {
		o.removal.DryRun = ""
	}
	return o.validateOutput()
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
	connection, targets, failures, err := o.find(ctx, args)
	switch {
	case err != nil:
		return err
	case len(failures) > 0: // a plan for some of what was named is not the plan that was asked for
		return exitError(exitFailed)
	case len(targets) == 0:
		return errors.New(noneFound(ctx, connection, o.allNamespaces))
	}
	options := connection.options
	remover := &removal.Remover{
		Reader: connection.live, Writer: connection.live, Plugins: options.Plugins, Flags: options.Flags,
		Options: o.removal, Identity: connection.live.Identity(ctx), Diagnose: diagnosis.Diagnoser(options),
		Again: o.again(connection, cmd.Flags()), Tell: o.tell, Ask: o.asker(), Progress: o.progress(len(targets)),
	}
	plan, err := remover.Plan(ctx, targets)
	if failed := (*removal.TargetError)(nil); errors.As(err, &failed) {
		return explainTarget(ctx, connection, failed.Target, failed.Err)
	}
	if err != nil {
		return err
	}
	done := remover.Run(ctx, plan)
	if o.removal.Force { // the plan, or the answer to the question, stands right above
		_, _ = fmt.Fprintln(o.ErrOut)
	}
	if err := o.print(done); err != nil {
		return err
	}
	return removalExit(done.Outcome)
}

// again is the command that makes the same plan. There is none where manifests were piped in.
func (o *removeOptions) again(c *connection, typed *pflag.FlagSet) []string {
	if slices.Contains(o.files.Filenames, "-") {
		return nil
	}
	words := append([]string{"kubectl", "finalizers", "remove"}, o.args...)
	return repeated(c, o.config, typed, words, "force", "confirm", "dry-run", "output", "color")
}

// tell shows the plan before anybody is asked to consent: on stderr, because stdout has the result alone.
func (o *removeOptions) tell(plan *removal.Plan) error {
	format := o.format
	if !o.isForPeople() {
		format = report.FormatHuman
	}
	return o.printTo(o.ErrOut, report.RemovalPlan{RemovalReport: plan.Shown()}, format)
}

func (o *removeOptions) progress(targets int) func(string, ...any) {
	if targets < 2 {
		return nil
	}
	return func(format string, args ...any) {
		_, _ = fmt.Fprintln(o.ErrOut, report.EscapeText(fmt.Sprintf(format, args...)))
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
			return "", fmt.Errorf("no folder to save objects in: %w; name one with --backup-dir", err)
		}
		state = filepath.Join(home, ".local", "state")
		if runtime.GOOS == "windows" {
			state = filepath.Join(home, "AppData", "Local")
		}
	}
	return filepath.Join(state, "kubectl-finalizers", "removed"), nil
}
