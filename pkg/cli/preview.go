package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
		Short: "Show what deleting an object would do, without deleting it",
		Long: `Show what deleting an object would do: what is deleted with it and in which order, which finalizers block
that and whether their controllers run, what would refuse it, what would hang and how to prevent that,
what data is lost for good, and what stays. The answer ends with the commands that delete the object and
watch the deletion.

preview is read-only. It follows the deletion through the cluster as the garbage collector and the
namespace controller would carry it out. It lists what it could not read, and never treats that as absent.

With --probe, it also sends the deletions as server-side dry runs: admission runs, and nothing is deleted.`,
		Example: `  # Show what deleting a namespace would do
  kubectl finalizers preview ns/payments

  # Show the foreground deletion of a Deployment, which deletes its pods first
  kubectl finalizers preview deploy/web -n shop --cascade=foreground

  # Show the deletion of everything in a manifest
  kubectl finalizers preview -f app.yaml

  # In a script, exit with 2 if a deletion would hang or be refused, 4 if that is not clear
  kubectl finalizers preview ns/payments --exit-code -o json`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addTargets(flags, "preview")
	flags.StringVar(&o.cascade, "cascade", "background",
		"How to delete dependents, as in kubectl delete: background, foreground or orphan")
	flags.BoolVar(&o.probe, "probe", false, "Send the deletions as server-side dry runs, "+
		"to find out what refuses them. Nothing is deleted")
	flags.BoolVar(&o.out.exitCode, "exit-code", false,
		"Exit with 2 if a deletion would hang or be refused, 4 if it may hang, 3 if the object is already being deleted")
	o.addCommon(flags, &result.Preview{})
	return cmd
}

func (o *previewOptions) validate(args []string) error {
	example := fmt.Sprintf("name an object, for example: %s preview ns/payments", o.program)
	if err := o.validateTargets(args, example); err != nil {
		return err
	}
	if err := oneOf("cascade", o.cascade, slices.Sorted(maps.Keys(cascades()))...); err != nil {
		return err
	}
	if o.probe {
		const why = "it asks the API server about a write, and a recording can't answer that"
		if err := o.refuseSnapshot("--probe", why); err != nil {
			return err
		}
	}
	return o.out.validateOutput()
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
	defer collectAt(50)() // what is kept of a crowded namespace is most of what is allocated
	ctx := cmd.Context()
	connection, targets, failures, err := o.find(ctx, args)
	if err != nil {
		return err
	}
	if o.probe {
		connection.options.Prober = connection.live
	}
	options := finalizers.PreviewOptions{Cascade: cascades()[strings.ToLower(o.cascade)], Together: targets}
	several := len(targets)+len(failures) > 1 || o.selects()
	list := &result.PreviewList{APIVersion: result.APIVersion, Kind: "DeletionPreviewList", Items: []result.Preview{}}
	ask := func(target session.Target, gone map[string]bool) (*result.Preview, error) {
		reader, done := watch(connection.reader, o.out.ErrOut)
		defer done()
		options.Gone = gone
		return connection.over(reader).Preview(ctx, target, options)
	}
	previews, failed := preview.Several(ctx, targets, ask)
	for i, target := range targets {
		if failed[i] != nil {
			failures = append(failures, failed[i])
			printError(o.out.ErrOut, explainTarget(ctx, connection, target, failed[i]))
		} else if previews[i] != nil {
			list.Items = append(list.Items, *previews[i])
		}
	}
	if len(targets) == 0 && len(failures) == 0 {
		if err := o.tellNone(ctx, connection); err != nil {
			return err
		}
	}
	list.Outcome = result.WorstOutcome(list.Items)
	found := answers{list: list, several: several, failed: len(failures) > 0, code: previewCode(list.Items)}
	if len(list.Items) > 0 {
		found.first = &list.Items[0]
	}
	return o.out.finish(ctx, found)
}
