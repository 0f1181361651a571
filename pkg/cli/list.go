package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

type listOptions struct {
	options
	labels    string
	noCauses  bool
	olderThan age
	watching  watching
}

func newList(common options) *cobra.Command {
	o := &listOptions{options: common}
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

  # Sorted by name, for a script
  kubectl finalizers list -A --no-causes --no-headers --sort-by .metadata.name

  # Columns of your own
  kubectl finalizers list -A -o custom-columns=NAME:.target.name,VERDICT:.verdict,WHY:.rootCauses[*].reason

  # The bare scan, as fast as the wire
  kubectl finalizers list -A --no-causes

  # Stay until all of it is gone, and show what changes
  kubectl finalizers list -A --watch

  # For scripts: exit with 2 when anything is stuck, 3 when all of it moves, 4 when it can't be told
  kubectl finalizers list -A --exit-code -o json`,
		Args: noObjects,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags, inAllNamespaces)
	flags.StringVarP(&o.labels, "selector", "l", "", "Only objects with these labels, for example -l app=web")
	flags.BoolVar(&o.noCauses, "no-causes", false, "Only list what is Terminating, without asking why")
	flags.Var(&o.olderThan, "older-than", "Only what was deleted longer ago than this, for example 30m, 4h or 2d")
	flags.BoolVar(&o.exitCode, "exit-code", false, "Exit with 2 when anything is Stuck, with 4 when it can't be told, "+
		"with 3 when all of it is Progressing")
	o.watching.addFlags(flags, "nothing is Terminating any more")
	o.rows.addFlags(flags, true)
	o.addCommon(flags, &report.List{})
	return cmd
}

func (o *listOptions) validate(flags *pflag.FlagSet) error {
	if o.exitCode && o.noCauses {
		return errors.New("--exit-code needs verdicts, which --no-causes doesn't ask for")
	}
	if o.watching.on && o.noCauses {
		return errors.New("--watch needs verdicts, which --no-causes doesn't ask for")
	}
	if err := o.watching.validate(&o.options, flags); err != nil {
		return err
	}
	if _, err := labels.Parse(o.labels); err != nil {
		return fmt.Errorf("--selector %q can't be read: %w", o.labels, err)
	}
	return errors.Join(o.validateOutput(), o.rows.validate(&o.options))
}

func (o *listOptions) run(cmd *cobra.Command, _ []string) error {
	if err := o.validate(cmd.Flags()); err != nil {
		return err
	}
	ctx := cmd.Context()
	if o.watching.on {
		connection, err := o.open(ctx)
		if err != nil {
			return err
		}
		return o.watchList(ctx, connection, o.watching, o.listed, o.chosen())
	}
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	wanted := o.listed(scan.connection)
	list, err := diagnosis.List(ctx, scan.watched, wanted)
	scan.done()
	if err != nil {
		return err
	}
	if err := o.rows.sort(list); err != nil {
		return err
	}
	if len(list.Items) == 0 {
		if err := o.nothing(ctx, scan, o.chosen(), wanted, list.Unreadable); err != nil {
			return err
		}
	}
	verdicts := report.Each(list.Items, func(item report.ListItem) report.Verdict { return item.Verdict })
	return o.answer(ctx, list, verdictCode(verdicts, len(list.Unreadable)))
}

// listed says what is listed.
func (o *listOptions) listed(c *connection) diagnosis.ListOptions {
	return diagnosis.ListOptions{
		Options: c.options, Namespace: o.namespace(c), Labels: o.labels, OlderThan: time.Duration(o.olderThan),
		Bare: o.noCauses || o.format == report.FormatName && !o.exitCode && !o.watching.on,
	}
}

func (o *listOptions) chosen() string {
	what := "nothing"
	if o.labels != "" {
		what += " with the labels " + o.labels
	}
	what += " is Terminating"
	if o.olderThan > 0 {
		what += " for longer than " + finding.Length(time.Duration(o.olderThan))
	}
	return what
}

// age is a length of time as people type it and kubectl prints it: 30m, 1h30m, 2d, 2d12h.
type age time.Duration

// String implements pflag.Value.
func (a *age) String() string {
	if *a == 0 {
		return ""
	}
	return time.Duration(*a).String()
}

// Type implements pflag.Value.
func (a *age) Type() string { return "duration" }

// Set implements pflag.Value.
func (a *age) Set(text string) error {
	const mostDays = 36500
	days, rest, found := strings.Cut(text, "d")
	if !found {
		days, rest = "0", text
	}
	number, err := strconv.Atoi(days)
	var length time.Duration
	if err == nil && (rest != "" || !found) {
		length, err = time.ParseDuration(rest)
	}
	switch total := time.Duration(number)*24*time.Hour + length; {
	case err != nil || number > mostDays || number < 0:
		return errors.New("is no length of time; say 30m, 4h, 2d or 2d12h")
	case total < 0:
		return errors.New("must not be negative")
	default:
		*a = age(total)
	}
	return nil
}
