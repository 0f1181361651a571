package cli

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
		Short: "List everything that is Terminating, grouped by root cause",
		Long: `List everything that is Terminating in a namespace (including the namespace itself) or in the whole
cluster, grouped by root cause. The cause whose repair releases most objects comes first; below each
cause, the oldest object comes first.

list is read-only. It reads the metadata of every kind once. It lists what it could not read, and draws
no conclusions from that. Unlike why, it does not look twice: an object that is late but still making
progress is listed as Undetermined.`,
		Example: `  # List what is stuck in this namespace, and why
  kubectl finalizers list

  # List the whole cluster, the repair that releases most objects first
  kubectl finalizers list -A

  # Show one row for each object that has been Terminating for more than an hour
  kubectl finalizers list -A -o wide --older-than 1h

  # Sort by name, for a script
  kubectl finalizers list -A --no-causes --no-headers --sort-by .metadata.name

  # Choose the columns
  kubectl finalizers list -A -o custom-columns=NAME:.target.name,VERDICT:.verdict,WHY:.rootCauses[*].reason

  # List only what is Terminating, which is fastest
  kubectl finalizers list -A --no-causes

  # List the clusters of all contexts whose names begin with prod, grouped by cause across them
  kubectl finalizers list -A --contexts 'prod*'

  # Watch until everything is gone
  kubectl finalizers list -A --watch

  # In a script, exit with 2 if anything is Stuck, 4 if anything is Undetermined, 3 if anything is Progressing
  kubectl finalizers list -A --exit-code -o json`,
		Args: o.noObjects,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags, inAllNamespaces)
	flags.StringVarP(&o.labels, "selector", "l", "", "List only objects with these labels, for example -l app=web")
	flags.BoolVar(&o.noCauses, "no-causes", false, "List what is Terminating without looking for causes")
	flags.Var(&o.olderThan, "older-than",
		"List only objects that have been Terminating for longer than this, for example 30m, 4h or 2d")
	flags.BoolVar(&o.out.exitCode, "exit-code", false,
		"Exit with 2 if anything is Stuck, else 4 if anything is Undetermined, else 3 if anything is Progressing")
	o.addIgnoreNotFound(flags)
	o.watching.addFlags(flags, "nothing is Terminating any more")
	o.out.rows.addFlags(flags, true)
	o.several.addFlags(flags)
	o.addCommon(flags, &result.List{})
	return cmd
}

func (o *listOptions) validate(flags *pflag.FlagSet) error {
	if o.out.exitCode && o.noCauses {
		return errors.New("--exit-code can't be used with --no-causes, which gives no verdicts")
	}
	if o.watching.on && o.noCauses {
		return errors.New("--watch can't be used with --no-causes, which gives no verdicts")
	}
	if err := o.watching.validate(&o.options, flags); err != nil {
		return err
	}
	if err := validLabels(o.labels); err != nil {
		return err
	}
	return errors.Join(o.out.validateOutput(), o.out.rows.validate(&o.out))
}

func (o *listOptions) run(cmd *cobra.Command, _ []string) error {
	if err := o.validate(cmd.Flags()); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f, err := openFleet(ctx, &o.options, cmd.Flags()); err != nil {
		return err
	} else if f != nil {
		return o.listFleet(ctx, f)
	}
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
	list, err := scan.over(scan.watched).List(ctx, wanted)
	scan.done()
	if err != nil {
		return err
	}
	if err := o.out.rows.sort(list); err != nil {
		return err
	}
	if len(list.Items) == 0 {
		if err := o.nothing(ctx, scan, o.chosen(), wanted, list.Unreadable); err != nil {
			return err
		}
	}
	verdicts := finding.Each(list.Items, func(item result.ListItem) result.Verdict { return item.Verdict })
	return o.out.answer(ctx, list, verdictCode(verdicts, len(list.Unreadable)))
}

// listed says what is listed.
func (o *listOptions) listed(c *connection) finalizers.ListOptions {
	return finalizers.ListOptions{
		Namespace: o.namespace(c), Labels: o.labels, OlderThan: time.Duration(o.olderThan),
		Bare: o.noCauses || o.out.format == print.FormatName && !o.out.exitCode && !o.watching.on,
	}
}

func (o *listOptions) chosen() string {
	what := "nothing"
	if o.labels != "" {
		what += " with the labels " + o.labels
	}
	if o.olderThan > 0 {
		return what + " has been Terminating for longer than " + finding.Length(time.Duration(o.olderThan))
	}
	return what + " is Terminating"
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
		return errors.New("is not a duration; use for example 30m, 4h, 2d or 2d12h")
	case total < 0:
		return errors.New("must not be negative")
	default:
		*a = age(total)
	}
	return nil
}
