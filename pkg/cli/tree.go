package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

type treeOptions struct {
	targetOptions
	depth   int
	columns []string
}

func newTree(common options) *cobra.Command {
	o := &treeOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "tree [TYPE/NAME | TYPE NAME]",
		Short: "Draw an object with its owners and dependents, and show what waits for what",
		Long: `Draw an object with its owners above and its dependents below, across kinds, with the state, age and
finalizers of each. Double lines (╘═) mark what waits, and the notes say for what. Owner references
that the garbage collector does not honor are marked. What a namespace contains that is not being deleted is
counted by kind.

Without an object, draw everything that is Terminating in the namespace, or with -A in the cluster.

tree is read-only. It looks for dependents in the namespace of the object and among cluster-scoped
objects. It also shows dependents in other namespaces if the garbage collector has reported them. -A looks
in all namespaces.`,
		Example: `  # Draw what belongs to a Deployment
  kubectl finalizers tree deploy/web -n shop

  # Draw everything that is Terminating, and what waits for what
  kubectl finalizers tree -A

  # Draw a picture
  kubectl finalizers tree ns/payments -o dot | dot -Tsvg > payments.svg
  kubectl finalizers tree ns/payments -o mermaid

  # Draw two levels up and down, with a label of each object
  kubectl finalizers tree deploy/web --depth 2 -L app.kubernetes.io/version`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 || len(args) == 1 && !strings.Contains(args[0], "/") {
				return errOneObject()
			}
			return nil
		},
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags,
		"Look for dependents in all namespaces; without an object, draw everything that is Terminating in the cluster")
	flags.IntVar(&o.depth, "depth", 0, "How many levels of owners and dependents to draw; 0 draws all of them")
	o.addIgnoreNotFound(flags)
	flags.StringSliceVarP(&o.columns, "label-columns", "L", nil, "Labels to show as columns, separated by commas")
	o.several.addFlags(flags)
	o.addCommon(flags, &result.Tree{})
	return cmd
}

func (o *treeOptions) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if o.depth < 0 {
		return errors.New("--depth must not be negative")
	}
	if err := o.out.validateOutput(); err != nil {
		return err
	}
	if f, err := openFleet(ctx, &o.options, cmd.Flags()); err != nil {
		return err
	} else if f != nil {
		return o.drawFleet(ctx, f, args)
	}
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	tree, err := o.draw(ctx, scan, args)
	scan.done()
	if err != nil {
		return err
	}
	if len(tree.Nodes) == 0 {
		wanted := finalizers.ListOptions{}
		if err := o.nothing(ctx, scan, "nothing is Terminating", wanted, tree.Unreadable); err != nil || o.out.isForPeople() {
			return errors.Join(err, o.out.interrupted(ctx))
		}
	}
	tree.LabelColumns = o.columns
	return o.out.answer(ctx, tree, exitAnswered)
}

// draw draws the object that is named, or the forest where none is.
func (o *treeOptions) draw(ctx context.Context, scan *scan, args []string) (*result.Tree, error) {
	scan.options.Tabler = scan.tabler()
	options := finalizers.TreeOptions{Everywhere: o.allNamespaces, Depth: o.depth, Labels: o.columns}
	if len(args) == 0 {
		if o.depth > 0 {
			return nil, errors.New("--depth requires an object: name one")
		}
		return scan.over(scan.watched).Forest(ctx, scan.namespace, options)
	}
	targets, failures, err := o.resolve(ctx, scan.connection, args)
	switch {
	case err != nil:
		return nil, err
	case len(failures) > 0:
		return nil, failures[0]
	case len(targets) != 1:
		return nil, errOneObject()
	}
	tree, err := scan.over(scan.watched).Tree(ctx, targets[0], options)
	if err != nil {
		return nil, explainTarget(ctx, scan.connection, targets[0], err)
	}
	return tree, nil
}

func errOneObject() error {
	return errors.New("tree draws one object, named as TYPE/NAME. " +
		"Without a name, it draws everything that is Terminating in a namespace (-n) or in all of them (-A)")
}
