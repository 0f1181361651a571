package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type previewOptions struct {
	targetOptions
	probe   bool
	cascade string
}

func newPreview(common options) *cobra.Command {
	o := &previewOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "preview (TYPE/NAME ... | TYPE NAME ... | TYPE -l SELECTOR | -f FILE | -)",
		Short: "Say what deleting an object would do, without deleting it",
		Long: `Say what deleting an object would do: what goes with it, in which order, which finalizers hold it on the
way and how their controllers fare, what would refuse, what would hang and how to prevent that, what data is
lost for good, and what stays behind. At the end stand the command that deletes it, and the one that follows that.

The deletion is followed through the cluster as the garbage collector and the namespace controller would carry it
out. preview only reads. What it could not look at it says, and never takes for absent.

With --probe it also sends the deletion as a server-side dry run: admission runs, and nothing is deleted.`,
		Example: `  # Before a namespace is deleted
  kubectl finalizers preview ns/payments

  # A Deployment, its pods first
  kubectl finalizers preview deploy/web -n shop --cascade=foreground

  # Everything that a manifest names, deleted together
  kubectl finalizers preview -f app.yaml

  # For scripts: exit with 2 when it would hang or be refused, 4 when that can't be told
  kubectl finalizers preview ns/payments --exit-code -o json`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addTargets(flags, "preview the deletion of")
	flags.StringVar(&o.cascade, "cascade", "background",
		"How dependents are deleted, as kubectl delete has it: background, foreground or orphan")
	flags.BoolVar(&o.probe, "probe", false, "Send deletions as server-side dry runs, which change nothing, "+
		"to learn what refuses them")
	flags.BoolVar(&o.exitCode, "exit-code", false,
		"Exit with 2 when a deletion would hang or be refused, 4 when that can't be told")
	o.addCommon(flags, &report.Preview{})
	return cmd
}

func (o *previewOptions) validate(args []string) error {
	const example = "name what would be deleted, for example: kubectl finalizers preview ns/payments"
	if err := o.validateTargets(args, example); err != nil {
		return err
	}
	if _, known := cascades()[o.cascade]; !known {
		return fmt.Errorf("--cascade %q is not one of background, foreground, orphan", o.cascade)
	}
	if o.probe {
		const why = "it asks the API server about a write, and a recording can't answer for it"
		if err := o.refuseSnapshot("--probe", why); err != nil {
			return err
		}
	}
	return o.validateOutput()
}

func cascades() map[string]metav1.DeletionPropagation {
	return map[string]metav1.DeletionPropagation{
		"background": metav1.DeletePropagationBackground, "foreground": metav1.DeletePropagationForeground,
		"orphan": metav1.DeletePropagationOrphan,
	}
}

// run previews targets that are deleted together. Errors about one don't keep the others from being answered.
func (o *previewOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.validate(args); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // what is kept of a crowded namespace is most of what is allocated
	ctx := cmd.Context()
	connection, targets, failures, err := o.find(ctx, args)
	if err != nil {
		return err
	}
	options := preview.Options{Options: connection.options, Cascade: cascades()[strings.ToLower(o.cascade)]}
	if o.probe {
		options.Prober = connection.live
	}
	several := len(targets)+len(failures) > 1 || o.selects()
	list := &report.PreviewList{APIVersion: report.APIVersion, Kind: "DeletionPreviewList", Items: []report.Preview{}}
	ask := func(target session.Target, gone map[string]bool) (*report.Preview, error) {
		reader, done := watch(connection.reader, o.ErrOut)
		defer done()
		options.Gone = gone
		return preview.Preview(ctx, reader, target, options)
	}
	answers, failed := preview.Several(ctx, targets, ask)
	for i, target := range targets {
		if failed[i] != nil {
			failures = append(failures, failed[i])
			printError(o.ErrOut, explainTarget(ctx, connection, target, failed[i]))
		} else if answers[i] != nil {
			list.Items = append(list.Items, *answers[i])
		}
	}
	if len(targets) == 0 && len(failures) == 0 {
		_, _ = fmt.Fprintln(o.ErrOut, noneFound(ctx, connection, o.allNamespaces))
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
		return exitError(previewCode(list.Items))
	}
	return nil
}
