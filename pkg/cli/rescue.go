package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

type rescueOptions struct {
	targetOptions
	save    string
	secrets bool
}

func newRescue(common options) *cobra.Command {
	o := &rescueOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "rescue TYPE/NAME",
		Short: "Plan how to keep what was deleted by mistake, while it is still Terminating",
		Long: `Plan how to keep what was deleted by mistake. A deletion can't be taken back, but as long as the object is
Terminating, or what it held is still there, most data can be kept: the answer says first what can't be kept
any more, then what stops the loss now, what to save, and by which steps everything comes back, with
complete commands.

It covers claims, volumes and everything that has them: namespaces, StatefulSets, owners of other objects;
custom resources that stand for something outside of the cluster, and their definitions; Nodes and Secrets.

rescue is read-only. It lists what it could not read, and never treats that as absent. With --save, it writes
manifests to a folder on this machine, without the data of Secrets unless you add --with-secrets.`,
		Example: `  # A claim was deleted by mistake, and a pod still uses it
  kubectl finalizers rescue pvc/data -n shop

  # A whole namespace: save the manifests of all that is left in it
  kubectl finalizers rescue ns/shop --save shop-rescue

  # The first step alone, for a chat
  kubectl finalizers rescue pvc/data -n shop --short`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.save, "save", "", "Folder on this machine for manifests of what is left, "+
		"by which it can be created again. Only you can read them, and no file is overwritten")
	flags.BoolVar(&o.secrets, "with-secrets", false, "Also read and save the data of Secrets that are being deleted")
	o.addCommon(flags, &result.RescuePlan{})
	return cmd
}

func (o *rescueOptions) validate(args []string) error {
	if err := o.validateTargets(args, fmt.Sprintf("name an object, for example: %s rescue pvc/data",
		o.program)); err != nil {
		return err
	}
	switch {
	case o.secrets && o.save == "":
		return errors.New("--with-secrets requires --save: answers never contain the data of Secrets")
	case o.save != "":
		if err := o.refuseSnapshot("--save", "a recording doesn't contain whole objects"); err != nil {
			return err
		}
	}
	return o.out.validateOutput()
}

func (o *rescueOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.validate(args); err != nil {
		return err
	}
	ctx := cmd.Context()
	connection, targets, failures, err := o.find(ctx, args)
	switch {
	case err != nil:
		return err
	case len(failures) > 0:
		return exitError(exitFailed)
	case len(targets) != 1:
		return errors.New("rescue makes a plan for one object at a time: name one as TYPE/NAME")
	}
	plan, err := o.ask(ctx, connection, targets[0])
	if err != nil {
		return err
	}
	if plan.Gone && plan.Outcome == result.NotClear { // it may never have been there
		if meant := suggestion(ctx, connection, targets[0]); meant != "" {
			warn(o.out.ErrOut, targetName(targets[0])+": not found; "+meant)
		}
	}
	return o.out.answer(ctx, plan, exitAnswered)
}

// ask asks about one target.
func (o *rescueOptions) ask(ctx context.Context, c *connection, target finalizers.Target) (*result.RescuePlan, error) {
	reader, done := watch(c.reader, o.out.ErrOut)
	defer done()
	plan, err := c.over(reader).Rescue(ctx, target, finalizers.RescueOptions{Save: o.save, WithSecrets: o.secrets})
	if err != nil {
		return nil, explainTarget(ctx, c, target, err)
	}
	return plan, nil
}
