package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// listOptions is what was typed.
type listOptions struct {
	scanOptions
	labels    string
	noCauses  bool
	olderThan age
	exitCode  bool
}

func newList(config *genericclioptions.ConfigFlags, streams genericiooptions.IOStreams) *cobra.Command {
	o := &listOptions{scanOptions: scanOptions{IOStreams: streams, config: config}}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List everything Terminating, under the root causes that it shares",
		Long: `List everything Terminating in a namespace, the namespace included, or in the whole cluster, under the
root causes that it shares: the cause that frees most objects first, and beneath each the oldest first.

list only reads. It takes the metadata of every kind once, side by side. What could not be listed is said,
and nothing is concluded from it. Unlike why, it doesn't look twice: something that is overdue and
moves slowly is listed as undetermined.`,
		Example: `  # What is stuck in this namespace, and why
  kubectl finalizers list

  # In the whole cluster: which one repair frees most?
  kubectl finalizers list -A

  # One row for each object, whatever is older than an hour
  kubectl finalizers list -A -o wide --older-than 1h

  # The bare scan, as fast as the wire
  kubectl finalizers list -A --no-causes

  # For scripts: exit with 2 when anything is stuck, 3 when all of it moves, 4 when it can't be told
  kubectl finalizers list -A --exit-code -o json`,
		Args: noObjects,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	o.area.add(flags)
	flags.StringVarP(&o.labels, "selector", "l", "", "Only objects with these labels, for example -l app=web")
	flags.BoolVar(&o.noCauses, "no-causes", false, "Only list what is Terminating, without asking why")
	flags.Var(&o.olderThan, "older-than", "Only what was deleted longer ago than this, for example 30m, 4h or 2d")
	flags.BoolVar(&o.exitCode, "exit-code", false, "Exit with 2 when anything is Stuck, with 4 when it can't be told, "+
		"with 3 when all of it is Progressing")
	o.add(flags, &report.List{})
	return cmd
}

func (o *listOptions) validate() error {
	if o.exitCode && o.noCauses {
		return errors.New("--exit-code needs verdicts, which --no-causes doesn't ask for")
	}
	if _, err := labels.Parse(o.labels); err != nil {
		return fmt.Errorf("--selector %q can't be read: %w", o.labels, err)
	}
	return o.output.validate()
}

func (o *listOptions) run(ctx context.Context) error {
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	list, err := diagnosis.List(ctx, scan.watched, diagnosis.ListOptions{
		Options: scan.options, Namespace: scan.namespace, Labels: o.labels, OlderThan: time.Duration(o.olderThan),
		Bare: o.noCauses || o.output.format == report.FormatName && !o.exitCode,
	})
	scan.done()
	if err != nil {
		return err
	}
	return o.finish(ctx, scan, list)
}

func (o *listOptions) finish(ctx context.Context, scan *scan, list *report.List) error {
	if len(list.Items) == 0 {
		if err := o.nothing(ctx, scan, "nothing"+o.chosen()+" is Terminating"+o.since(), list.Unreadable); err != nil {
			return err
		}
	}
	if err := o.output.print(o.Out, list); err != nil {
		return err
	}
	if err := interrupted(ctx, o.ErrOut); err != nil || !o.exitCode {
		return err
	}
	return verdictError{code: listCode(list)}
}

// chosen and since say what was asked for, where that is not everything.
func (o *listOptions) chosen() string {
	if o.labels == "" {
		return ""
	}
	return " with the labels " + o.labels
}

func (o *listOptions) since() string {
	if o.olderThan == 0 {
		return ""
	}
	return " for longer than " + duration.HumanDuration(time.Duration(o.olderThan))
}

// listCode is the exit code of the gravest verdict. Where something could not be listed, nothing is
// known of it.
func listCode(list *report.List) int {
	for _, one := range []struct {
		verdict report.Verdict
		code    int
	}{
		{report.Stuck, exitStuck}, {report.Undetermined, exitUndetermined}, {report.Progressing, exitProgressing},
	} {
		if slices.ContainsFunc(list.Items, func(item report.ListItem) bool { return item.Verdict == one.verdict }) {
			return one.code
		}
	}
	if len(list.Unreadable) > 0 {
		return exitUndetermined
	}
	return exitAnswered
}
