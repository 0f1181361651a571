package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

type checkOptions struct{ options }

func newCheck(common options) *cobra.Command {
	o := &checkOptions{options: common}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find what will get stuck when somebody deletes it",
		Long: `Find what will get stuck, before anybody deletes it:

- finalizers on live objects whose controller is missing, down or forbidden, storage drivers among them
- unavailable APIServices: no namespace finishes while there is one
- webhooks with failurePolicy Fail that can't answer, and that the API server must ask about what is there: about
  deletes, the removal of finalizers, the last step of a namespace, evictions
- conversion webhooks that can't answer, of custom resources that are served or stored in several versions
- owner references that the garbage collector can't honour: the owner is absent, was created again, is in another
  namespace, is of a kind that isn't served, or has another kind or name than the reference says; a cluster-scoped
  object with an owner in a namespace; cycles
- the garbage collector's own events about such references, with the objects that they are about
- finalizers with invalid names, without a domain, or twice on one object

A webhook that is called by URL is not judged. What could not be read is listed, and never taken as absent.

check only reads: the metadata of every kind in the namespace, or with -A in the cluster, and what stands behind the
webhooks that it finds.`,
		Example: `  # This namespace
  kubectl finalizers check

  # The whole cluster, a row for each object
  kubectl finalizers check -A -o wide

  # In a pipeline: exit with 2 when something is found, with 4 when not all could be looked at
  kubectl finalizers check -A --exit-code`,
		Args: noObjects,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags, inAllNamespaces)
	flags.BoolVar(&o.exitCode, "exit-code", false,
		"Exit with 2 when there are errors or warnings, else with 4 when something could not be looked at")
	o.rows.addFlags(flags, false)
	o.addCommon(flags, &report.Check{})
	return cmd
}

func (o *checkOptions) run(cmd *cobra.Command, _ []string) error {
	if err := errors.Join(o.validateOutput(), o.rows.validate(&o.options)); err != nil {
		return err
	}
	ctx := cmd.Context()
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	result, err := audit.Check(ctx, scan.watched, scan.namespace, scan.options)
	scan.done()
	if err != nil {
		return err
	}
	if err := o.rows.sort(result); err != nil {
		return err
	}
	if result.Owned+result.Held == 0 {
		warnOfNamespace(ctx, scan.connection, o.ErrOut, scan.namespace)
	}
	return o.answer(ctx, result, checkCode(result))
}
