package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

type whyOptions struct {
	targetOptions
	probe, deep, logs bool
	watching          watching
	ignoreNotFound    bool
}

func newWhy(common options) *cobra.Command {
	o := &whyOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "why (TYPE/NAME ... | TYPE NAME ... | TYPE | TYPE -l SELECTOR | -f FILE | -)",
		Short: "Say what an object is waiting for, down to the root causes, and what to do",
		Long: `Say what a Terminating object is waiting for, down to the root causes, and what to do about them.
Of an object that nobody has deleted, say what would hold it, and what its owners will make of it.
A type alone means whatever of it is Terminating: of several, the causes that they share, as list has them.

why only reads. It says in so many words what it could not look at, and never takes that for absent.

With --probe it also sends the write that is needed as a server-side dry run: admission and validation
run, and nothing is changed. That shows what refuses the write, as far as it refuses you, too. Whether a
controller may remove its finalizer is asked by a SubjectAccessReview, which is not stored: that counts
what other authorizers than RBAC say.

With --logs it reads the logs of the controller that should act, which takes get on pods/log where that runs,
and quotes the last lines since the deletion that name the object: those that tell of trouble first.`,
		Example: `  # A namespace that hangs
  kubectl finalizers why ns/payments

  # A claim in another namespace and another cluster
  kubectl finalizers why pvc data -n shop --context prod

  # Whatever is Terminating of some types: in this namespace, in all of them
  kubectl finalizers why pvc,pods
  kubectl finalizers why pods -A

  # Everything that a manifest names, or that another command lists
  kubectl finalizers why -f app.yaml
  kubectl get pods -o name | kubectl finalizers why -

  # Does anything refuse to let it go? Ask the API server, without changing anything
  kubectl finalizers why database/orders -n shop --probe

  # A namespace of which the conditions say nothing: list all that is in it
  kubectl finalizers why ns/payments --deep

  # What does the controller itself say of it?
  kubectl finalizers why database/orders -n shop --logs

  # Stay until it is gone, and show what changes; or until it is clear that it won't go by itself
  kubectl finalizers why ns/payments --watch
  kubectl finalizers why ns/payments --watch --until stuck --timeout 10m

  # For scripts that wait until it has gone: exit with 0 when it has
  kubectl finalizers why ns/payments --exit-code --ignore-not-found -o name

  # For scripts: exit with 2 when stuck, 3 when it is on its way, 4 when it can't be told
  kubectl finalizers why ns/payments --exit-code -o json`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addTargets(flags, "ask about")
	flags.BoolVar(&o.probe, "probe", false, "Send the write that the deletion waits for as a server-side dry run, "+
		"which changes nothing, to learn what refuses it")
	flags.BoolVar(&o.logs, "logs", false, "Read the logs of the controllers that should act, "+
		"and quote the last lines that name the object")
	flags.BoolVar(&o.exitCode, "exit-code", false, "Exit with 2 for Stuck, 3 for Progressing, 4 for Undetermined")
	flags.BoolVar(&o.deep, "deep", false, "Read every kind of object where nothing narrower decides: "+
		"all that is in a namespace, and dependents in all namespaces")
	o.watching.addFlags(flags, "it is gone")
	flags.BoolVar(&o.ignoreNotFound, "ignore-not-found", false, "Take it for an answer that an object isn't there: "+
		"say so on standard error, and exit with 0")
	o.addCommon(flags, &report.Diagnosis{})
	return cmd
}

func (o *whyOptions) validate(flags *pflag.FlagSet, args []string) error {
	const example = "name what you ask about, for example: kubectl finalizers why ns/payments"
	if o.isTypeAlone(args) {
		if o.logs {
			return errors.New("--logs is about objects by their names: TYPE/NAME, not a type alone")
		}
	} else if err := o.validateTargets(args, example); err != nil {
		return err
	}
	if o.probe {
		const why = "it asks the API server about a write, and a recording can't answer for it"
		if err := o.refuseSnapshot("--probe", why); err != nil {
			return err
		}
	}
	if o.logs {
		if err := o.refuseSnapshot("--logs", "logs are never recorded"); err != nil {
			return err
		}
	}
	if slices.Contains(o.snapshots, "-") && slices.Contains(slices.Concat(args, o.files.Filenames), "-") {
		return errors.New("standard input can't be both the recording and the names to ask about")
	}
	if err := o.watching.validate(&o.options, flags); err != nil {
		return err
	}
	return o.validateOutput()
}

func (o *whyOptions) prepare(c *connection) {
	c.options.Deep = o.deep
	if o.probe {
		c.options.Prober, c.options.Reviewer = c.live, c.live
	}
}

// run asks about each target in turn. Errors about one don't keep the others from being answered.
func (o *whyOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.validate(cmd.Flags(), args); err != nil {
		return err
	}
	ctx := cmd.Context()
	if o.isTypeAlone(args) {
		return o.terminatingOf(ctx, args)
	}
	connection, targets, failures, err := o.find(ctx, args)
	if err != nil {
		return err
	}
	// What was asked decides the form of the answer, not what was found.
	several := len(targets)+len(failures) > 1 || o.selects()
	if o.watching.on && len(targets) > 0 {
		return o.watch(ctx, connection, targets, several, failures)
	}
	o.prepare(connection)
	tellLogs := o.hearLogs(connection)
	list, failed := o.askEach(ctx, connection, targets)
	failures = append(failures, failed...)
	switch {
	case len(targets) == 0 && len(failures) == 0:
		_, _ = fmt.Fprintln(o.ErrOut, noneFound(ctx, connection, o.allNamespaces))
	case len(list.Items) > 0: // of what could not be asked about, nothing is known
		tellLogs()
	}
	switch {
	case several:
		err = o.print(list)
	case len(list.Items) > 0: // else the error was told
		err = o.print(&list.Items[0])
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil && len(list.Items) > 0:
		return o.interrupted(ctx)
	case len(failures) > 0:
		return exitError(exitFailed)
	case o.exitCode:
		verdicts := report.Each(list.Items, func(item report.Diagnosis) report.Verdict { return item.Verdict })
		return exitError(verdictCode(verdicts, 0))
	}
	return nil
}

// askEach asks about some targets, and reports the ones without an answer.
func (o *whyOptions) askEach(
	ctx context.Context, c *connection, targets []diagnosis.Target,
) (list *report.DiagnosisList, failures []error) {
	list = &report.DiagnosisList{APIVersion: report.APIVersion, Kind: "DiagnosisList", Items: []report.Diagnosis{}}
	for _, target := range targets {
		answer, err := diagnosis.Why(ctx, c.reader, target, c.options)
		switch {
		case err == nil:
			list.Items = append(list.Items, *answer)
		case o.ignoreNotFound && isGone(err):
			o.tellGone(explainTarget(ctx, c, target, err))
		default:
			failures = append(failures, err)
			printError(o.ErrOut, explainTarget(ctx, c, target, err))
		}
	}
	return list, failures
}
