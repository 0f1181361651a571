package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// whyOptions is what was typed.
type whyOptions struct {
	genericiooptions.IOStreams
	config   *genericclioptions.ConfigFlags
	targets  targetFlags
	output   outputFlags
	source   sourceFlags
	plugins  knowledge
	exitCode bool
	probe    bool
	deep     bool
}

func newWhy(config *genericclioptions.ConfigFlags, streams genericiooptions.IOStreams) *cobra.Command {
	o := &whyOptions{IOStreams: streams, config: config}
	cmd := &cobra.Command{
		Use:   "why (TYPE/NAME ... | TYPE NAME ... | TYPE -l SELECTOR | -f FILE | -)",
		Short: "Say what an object is waiting for, down to the root causes, and what to do",
		Long: `Say what a Terminating object is waiting for, down to the root causes, and what to do about them.
Of an object that nobody has deleted, say what would hold it, and what its owners will make of it.

why only reads. It says in so many words what it could not look at, and never takes that for absent.

With --probe it also sends the write that is needed as a server-side dry run: admission and validation
run, and nothing is changed. That shows what refuses the write, as far as it refuses you, too. Whether a
controller may remove its finalizer is asked by a SubjectAccessReview, which is not stored: that counts
what other authorizers than RBAC say.`,
		Example: `  # A namespace that hangs
  kubectl finalizers why ns/payments

  # A claim in another namespace and another cluster
  kubectl finalizers why pvc data -n shop --context prod

  # Everything that a manifest names, or that another command lists
  kubectl finalizers why -f app.yaml
  kubectl get pods -o name | kubectl finalizers why -

  # Does anything refuse to let it go? Ask the API server, without changing anything
  kubectl finalizers why database/orders -n shop --probe

  # A namespace of which the conditions say nothing: list all that is in it
  kubectl finalizers why ns/payments --deep

  # For scripts: exit with 2 when stuck, 3 when it is on its way, 4 when it can't be told
  kubectl finalizers why ns/payments --exit-code -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(args); err != nil {
				return err
			}
			return o.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	o.targets.add(flags, "ask about")
	flags.BoolVar(&o.probe, "probe", false, "Send the write that the deletion waits for as a server-side dry run, "+
		"which changes nothing, to learn what refuses it")
	flags.BoolVar(&o.exitCode, "exit-code", false, "Exit with 2 for Stuck, 3 for Progressing, 4 for Undetermined")
	flags.BoolVar(&o.deep, "deep", false, "Read every kind of object where nothing narrower decides: "+
		"all that is in a namespace, and dependents in all namespaces")
	o.plugins.add(flags)
	o.output.add(flags, &report.Diagnosis{})
	o.source.add(flags)
	return cmd
}

func (o *whyOptions) validate(args []string) error {
	const example = "name what you ask about, for example: kubectl finalizers why ns/payments"
	if err := o.targets.validate(args, example); err != nil {
		return err
	}
	if o.probe {
		const why = "it asks the API server about a write, and a recording can't answer for it"
		if err := o.source.refuse("--probe", why); err != nil {
			return err
		}
	}
	if slices.Contains(o.source.snapshot, "-") && slices.Contains(slices.Concat(args, o.targets.files.Filenames), "-") {
		return errors.New("standard input can't be both the recording and the names to ask about")
	}
	return o.output.validate()
}

// run asks about each target in turn. Errors about one don't keep the others from being answered.
func (o *whyOptions) run(ctx context.Context, args []string) error {
	args, manifests, err := o.targets.standardInput(ctx, o.IOStreams, args)
	if err != nil {
		return err
	}
	known, err := o.plugins.load(o.ErrOut)
	if err != nil {
		return err
	}
	connection, err := o.source.connect(ctx, o.config, o.IOStreams)
	if err != nil {
		return err
	}
	targets, failures, err := o.targets.resolve(ctx, connection, o.ErrOut, args, manifests)
	if err != nil {
		return err
	}
	// What was asked decides the form of the answer, not what was found.
	several := len(targets)+len(failures) > 1 || o.targets.selects()
	answers := []report.Diagnosis{}
	options := connection.options(known)
	options.Deep = o.deep
	if o.probe {
		options.Prober, options.Reviewer = connection.live, connection.live
	}
	for _, target := range targets {
		answer, err := diagnosis.Why(ctx, connection.reader, target, options)
		if err != nil {
			failures = append(failures, err)
			printError(o.ErrOut, explainTarget(ctx, connection, target, err))
			continue
		}
		answers = append(answers, *answer)
	}
	if len(targets) == 0 && len(failures) == 0 {
		_, _ = fmt.Fprintln(o.ErrOut, noneFound(ctx, connection, o.targets.allNamespaces))
	}
	if err := o.print(answers, several); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil && len(answers) > 0:
		return interrupted(ctx, o.ErrOut)
	case len(failures) > 0:
		return saidError{}
	case o.exitCode:
		return verdictError{code: verdictCode(answers)}
	}
	return nil
}

// print writes the answers: to several questions as a list, to one as it is.
func (o *whyOptions) print(answers []report.Diagnosis, several bool) error {
	switch {
	case several:
		list := &report.DiagnosisList{APIVersion: report.APIVersion, Kind: "DiagnosisList", Items: answers}
		return o.output.print(o.Out, list)
	case len(answers) == 0:
		return nil // the error was told
	}
	return o.output.print(o.Out, &answers[0])
}
