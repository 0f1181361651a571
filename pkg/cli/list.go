package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// listOptions is what was typed.
type listOptions struct {
	genericiooptions.IOStreams
	config    *genericclioptions.ConfigFlags
	area      areaFlags
	labels    string
	output    outputFlags
	source    sourceFlags
	noCauses  bool
	olderThan time.Duration
	exitCode  bool
}

func newList(config *genericclioptions.ConfigFlags, streams genericiooptions.IOStreams) *cobra.Command {
	o := &listOptions{IOStreams: streams, config: config}
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
		Args: cobra.NoArgs,
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
	flags.DurationVar(&o.olderThan, "older-than", 0, "Only what was deleted longer ago than this, for example 1h30m")
	flags.BoolVar(&o.exitCode, "exit-code", false, "Exit with 2 when anything is Stuck, with 4 when it can't be told, with 3 when all of it is Progressing")
	o.output.add(flags)
	o.source.add(flags)
	return cmd
}

func (o *listOptions) validate() error {
	switch {
	case o.olderThan < 0:
		return errors.New("--older-than must not be negative")
	case o.exitCode && o.noCauses:
		return errors.New("--exit-code needs verdicts, which --no-causes doesn't ask for")
	}
	return o.output.validate()
}

func (o *listOptions) run(ctx context.Context) error {
	known, err := plugins.Embedded()
	if err != nil {
		return err
	}
	connection, err := o.source.connect(ctx, o.config, o.IOStreams)
	if err != nil {
		return err
	}
	namespace, err := o.area.namespace(connection)
	if err != nil {
		return err
	}
	reader, done := watch(connection.reader, o.ErrOut)
	defer done()
	world := mechanism.NewWorld(reader, known, connection.kubectl)
	world.Pause = noPause
	survey, err := world.Survey(ctx, mechanism.Area{Namespace: namespace, Labels: o.labels}, !o.noCauses)
	if err != nil {
		return err
	}
	if err := nothingReadable(survey.Asked, survey.Unlisted, namespace); err != nil && len(survey.Terminating) == 0 {
		return err
	}
	objects := slices.DeleteFunc(survey.Terminating, func(object *mechanism.Object) bool {
		return o.olderThan > 0 && world.Now().Sub(object.RequestedAt()) < o.olderThan
	})
	var list *report.List
	if o.noCauses || o.output.format == formatName {
		list = diagnosis.SortBare(diagnosis.Bare(ctx, world, world.WithSpecs(ctx, objects)))
	} else {
		list = diagnosis.List(ctx, world, objects)
	}
	done()
	return o.finish(ctx, connection, list)
}

// noPause keeps a scan from looking twice: that takes seconds for each thing that is overdue.
func noPause(context.Context, time.Duration) error {
	return errors.New("a scan doesn't look twice")
}

// nothingReadable is an error when not a single kind could be listed: an empty answer would be a lie.
func nothingReadable(asked int, unlisted []cluster.Unlisted, namespace string) error {
	if asked == 0 || len(unlisted) < asked {
		return nil
	}
	first := unlisted[0].Err
	switch {
	case errors.Is(first, context.Canceled):
		return first
	case apierrors.IsForbidden(first) && namespace == "":
		return fmt.Errorf("you may not list anything in all namespaces; ask about one that you may read with -n: %w", first)
	case apierrors.IsForbidden(first):
		return fmt.Errorf("you may not list anything in namespace %q: %w", namespace, first)
	}
	return fmt.Errorf("nothing could be listed: %w", first)
}

func (o *listOptions) finish(ctx context.Context, c *connection, list *report.List) error {
	if len(list.Items) == 0 && o.output.isForPeople() {
		_, _ = fmt.Fprintln(o.ErrOut, o.area.nothing(ctx, c, "Nothing is Terminating"))
	}
	if err := o.print(list); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		_, _ = fmt.Fprintln(o.ErrOut, "error: interrupted; the answer is what was known by then")
		return saidError{}
	case o.exitCode:
		return verdictError{code: listCode(list)}
	}
	return nil
}

func (o *listOptions) print(list *report.List) error {
	style := o.output.style(o.Out)
	switch {
	case o.output.format == formatJSON:
		return report.JSON(o.Out, list)
	case o.output.format == formatYAML:
		return report.YAML(o.Out, list)
	case o.output.format == formatName:
		return report.ListNames(o.Out, list)
	case o.output.format == formatWide, o.noCauses, len(list.Items) == 0:
		return report.ListTable(o.Out, list, style)
	}
	return report.ListHuman(o.Out, list, style)
}

// listCode is the exit code of the gravest verdict. Where something could not be listed, nothing is
// known of it.
func listCode(list *report.List) int {
	codes := map[report.Verdict]int{report.Stuck: exitStuck, report.Undetermined: exitUndetermined, report.Progressing: exitProgressing}
	for _, verdict := range []report.Verdict{report.Stuck, report.Undetermined, report.Progressing} {
		if slices.ContainsFunc(list.Items, func(item report.ListItem) bool { return item.Verdict == verdict }) {
			return codes[verdict]
		}
	}
	if len(list.Unreadable) > 0 {
		return exitUndetermined
	}
	return exitAnswered
}
