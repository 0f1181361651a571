package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

type checkOptions struct{ options }

func newCheck(common options) *cobra.Command {
	o := &checkOptions{options: common}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find what will get stuck when it is deleted",
		Long: `Find what will get stuck, before anyone deletes it:

- finalizers on live objects whose controller is missing, down or not allowed to remove them, including storage
  drivers
- unavailable APIServices, which keep every namespace that is deleted from being removed
- webhooks with failurePolicy Fail that can't answer, if the API server must call them for deletions, for the removal
  of finalizers, for the last step of a namespace, or for evictions
- conversion webhooks that can't answer, for custom resources that are served or stored in several versions
- owner references that the garbage collector can't honor: the owner does not exist, was created again, is in another
  namespace, is of a kind that is not served, or has another kind or name than the reference says; cluster-scoped
  objects with an owner in a namespace; cycles
- the garbage collector's own events about such references
- finalizers with invalid names, without a domain, or listed twice on one object

Webhooks that are called by URL are not checked. What could not be read is listed, and never treated as absent.

check is read-only. It reads the metadata of every kind in the namespace, or with -A in the cluster, and the
backends of the webhooks that it finds.`,
		Example: `  # Check this namespace
  kubectl finalizers check

  # Check the whole cluster, with one row for each object
  kubectl finalizers check -A -o wide

  # In a pipeline, exit with 2 if anything is found, 4 if some things could not be read
  kubectl finalizers check -A --exit-code`,
		Args: o.noObjects,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags, inAllNamespaces)
	flags.BoolVar(&o.out.exitCode, "exit-code", false,
		"Exit with 2 if there are errors or warnings, else with 4 if something could not be read")
	o.addIgnoreNotFound(flags)
	o.out.rows.addFlags(flags, false)
	o.several.addFlags(flags)
	o.addCommon(flags, &result.Check{})
	return cmd
}

func (o *checkOptions) run(cmd *cobra.Command, _ []string) error {
	if err := errors.Join(o.out.validateOutput(), o.out.rows.validate(&o.out)); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f, err := openFleet(ctx, &o.options, cmd.Flags()); err != nil {
		return err
	} else if f != nil {
		return o.checkFleet(ctx, f)
	}
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	result, err := scan.over(scan.watched).Check(ctx, finalizers.CheckOptions{Namespace: scan.namespace})
	scan.done()
	if err != nil {
		return err
	}
	if err := o.out.rows.sort(result); err != nil {
		return err
	}
	if result.Owned+result.Held == 0 {
		if err := o.requireNamespace(ctx, scan.connection, scan.namespace); err != nil {
			return err
		}
	}
	return o.out.answer(ctx, result, checkCode(result))
}
