package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type whyOptions struct {
	targetOptions
	probe, deep, logs bool
	watching          watching
	across            across
}

func newWhy(common options) *cobra.Command {
	o := &whyOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "why (TYPE/NAME ... | TYPE NAME ... | TYPE | TYPE -l SELECTOR | -f FILE | -)",
		Short: "Explain what blocks the deletion of an object, and what to do about it",
		Long: `Explain what blocks the deletion of a Terminating object, down to the root causes, and what to do about
them. For an object that is not being deleted, say what would block its deletion. With a type and no name,
explain everything of that type that is Terminating.

With -f or - alone, it explains, without a cluster, what is Terminating in the files themselves: YAML, JSON,
tables, descriptions, also quoted or cut off. Manifests with nothing Terminating name objects in the cluster.

why is read-only. It lists what it could not read, and never treats that as absent.

If the object waits for something in another cluster (what Argo CD, Cluster API, Open Cluster Management,
Karmada and others manage there), it says which cluster that is. With --across, it asks that one too.

With --probe, it also sends the write that the deletion waits for as a server-side dry run, which changes
nothing, to find out what refuses it. With --logs, it also reads the logs of the responsible controllers;
this requires get on pods/log in their namespaces.`,
		Example: `  # Explain why a namespace is still Terminating
  kubectl finalizers why ns/payments

  # Explain a claim in another namespace and another cluster
  kubectl finalizers why pvc data -n shop --context prod

  # Explain everything of some types that is Terminating, in one namespace or in all of them
  kubectl finalizers why pvc,pods -A

  # Explain the objects in a manifest, or without a cluster what is Terminating in a text that was pasted or saved
  kubectl finalizers why -f app.yaml
  kubectl finalizers why -f ticket.txt

  # Ask the API server whether anything refuses the removal of the finalizer, and quote the controller's logs
  kubectl finalizers why database/orders -n shop --probe --logs

  # Continue in the cluster to which an Application was deployed, by the context that leads there
  kubectl finalizers why application/shop -n argocd --across

  # Write a page to look at in a browser, or text for a ticket
  kubectl finalizers why ns/payments -o html > report.html
  kubectl finalizers why ns/payments -o markdown

  # Watch until the object is gone, or until it needs a person
  kubectl finalizers why ns/payments --watch
  kubectl finalizers why ns/payments --watch --until stuck --timeout 10m

  # In a script, succeed if the object is gone or is being deleted, and fail if it needs a person
  kubectl finalizers why ns/preview-42 --exit-code --ignore-not-found -o name || [ $? -eq 3 ]`,
		RunE: o.run,
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *whyOptions) addFlags(flags *pflag.FlagSet) {
	o.addTargets(flags, "explain")
	flags.BoolVar(&o.probe, "probe", false, "Send the write that the deletion waits for as a server-side dry run, "+
		"to find out what refuses it. Nothing is changed")
	flags.BoolVar(&o.logs, "logs", false, "Read the logs of the responsible controllers, "+
		"and quote the last lines that name the object")
	flags.BoolVar(&o.out.exitCode, "exit-code", false,
		"Exit with 2 for Stuck, 3 for Progressing, 4 for Undetermined, and 0 if the object is not Terminating")
	flags.BoolVar(&o.deep, "deep", false, "Read every kind of object if nothing else is conclusive: "+
		"everything in a namespace, and dependents in all namespaces")
	o.watching.addFlags(flags, "the object is gone")
	o.addIgnoreNotFound(flags)
	o.several.addFlags(flags)
	o.across.addFlags(flags)
	o.addCommon(flags, &result.Diagnosis{})
}

func (o *whyOptions) validate(flags *pflag.FlagSet, args []string) error {
	example := fmt.Sprintf("name an object, for example: %s why ns/payments", o.program)
	if named := flags.Lookup("namespace"); named != nil && named.Changed {
		itself := finding.Command{"ns/" + named.Value.String()} // quoted where a shell needs that
		example = fmt.Sprintf("name an object. To ask about the namespace itself: %s why %s", o.program, itself)
	}
	if o.isTypeAlone(args) {
		if len(o.across.contexts) > 0 {
			return errors.New("--across requires the name of an object: TYPE/NAME, not a type alone")
		}
		if o.logs {
			return errors.New("--logs requires the name of an object: TYPE/NAME, not a type alone")
		}
	} else if err := o.validateTargets(args, example); err != nil {
		return err
	}
	if o.probe {
		const why = "it asks the API server about a write, and a recording can't answer that"
		if err := o.refuseSnapshot("--probe", why); err != nil {
			return err
		}
	}
	if o.logs {
		if err := o.refuseSnapshot("--logs", "recordings contain no logs"); err != nil {
			return err
		}
	}
	if len(o.across.contexts) > 0 {
		if err := o.refuseSnapshot("--across", "recordings don't contain the addresses of their clusters"); err != nil {
			return err
		}
	}
	if slices.Contains(o.snapshots, "-") && slices.Contains(slices.Concat(args, o.files.Filenames), "-") {
		return errors.New("standard input can't be both the recording and the names of objects")
	}
	if err := o.watching.validate(&o.options, flags); err != nil {
		return err
	}
	if err := o.across.validate(flags); err != nil {
		return err
	}
	return o.out.validateOutput()
}

func (o *whyOptions) prepare(c *connection) {
	c.options.Deep = o.deep
	if o.probe {
		c.options.Prober, c.options.Reviewer = c.live, c.live
	}
}

// prepareAcross is prepare for a question that may lead to other clusters: to none but among, if that isn't nil.
func (o *whyOptions) prepareAcross(c *connection, among []string) (err error) {
	o.prepare(c)
	c.options.Border, err = borderOf(&o.options, c, o.across.contexts, among)
	return err
}

// run asks about each target in turn. Errors about one don't keep the others from being answered.
func (o *whyOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.validate(cmd.Flags(), args); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f, err := openFleet(ctx, &o.options, cmd.Flags()); err != nil {
		return err
	} else if f != nil {
		return whyFleet(ctx, o, f, args)
	}
	if mayBePasted(o, args) {
		if answered, err := answerPasted(ctx, o, args); answered || err != nil {
			return err
		}
	}
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
	if err := o.prepareAcross(connection, nil); err != nil {
		return err
	}
	tellLogs := o.hearLogs(connection)
	list, failed := o.askEach(ctx, connection, targets)
	failures = append(failures, failed...)
	switch {
	case len(targets) == 0 && len(failures) == 0:
		if err := o.tellNone(ctx, connection); err != nil {
			return err
		}
	case len(list.Items) > 0: // of what could not be asked about, nothing is known
		tellLogs()
	}
	verdicts := finding.Each(list.Items, func(item result.Diagnosis) result.Verdict { return item.Verdict })
	found := answers{list: list, several: several, failed: len(failures) > 0, code: verdictCode(verdicts, 0)}
	if len(list.Items) > 0 {
		found.first = &list.Items[0]
	}
	return o.out.finish(ctx, found)
}

// askEach asks about some targets, and reports the ones without an answer.
func (o *whyOptions) askEach(
	ctx context.Context, c *connection, targets []session.Target,
) (list *result.DiagnosisList, failures []error) {
	list = &result.DiagnosisList{APIVersion: result.APIVersion, Kind: "DiagnosisList", Items: []result.Diagnosis{}}
	for _, target := range targets {
		answer, err := c.over(c.reader).Why(ctx, target, finalizers.WhyOptions{})
		switch {
		case err == nil:
			list.Items = append(list.Items, *answer)
		case o.ignoreNotFound && isGone(err):
			o.tellGone(explainTarget(ctx, c, target, err))
		default:
			failures = append(failures, err)
			printError(o.out.ErrOut, explainTarget(ctx, c, target, err))
		}
	}
	return list, failures
}
