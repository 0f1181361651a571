package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// answerFleet prints the answer of several clusters. It exits with 1 after an interrupt, if no cluster answered, and if
// what was asked about is nowhere; else with the code if --exit-code asks for it.
func answerFleet(
	ctx context.Context, o *options, answer result.Result, clusters []result.Cluster, code int,
) error {
	if err := o.out.print(ctx, answer); err != nil {
		return err
	}
	if err := o.out.interrupted(ctx); err != nil {
		return err
	}
	switch {
	case result.AllFailed(clusters), nowhere(clusters) && !o.ignoreNotFound:
		return exitError(exitFailed)
	case o.out.exitCode:
		return exitError(code)
	}
	return nil
}

// nowhere reports whether no cluster that answered has what was asked about.
func nowhere(clusters []result.Cluster) bool {
	for _, one := range clusters {
		if one.State == result.Answered || one.State == result.Incomplete {
			return false
		}
	}
	return true
}

// unasked is how many clusters didn't give a complete answer: for exit codes, they are as what could not be read.
func unasked(clusters []result.Cluster) int { return len(clusters) - result.Asked(clusters) }

// notHere returns an error for a namespace that doesn't exist in a cluster in which nothing was found.
func notHere(ctx context.Context, c *connection, namespace string) error {
	text, missing := noNamespace(ctx, c, namespace)
	if !missing {
		return nil
	}
	return &finalizers.NotThereError{Err: notFoundError{
		text: text, error: apierrors.NewNotFound(cluster.Namespaces().GroupResource(), namespace),
	}}
}

// listFleet lists what is Terminating in several clusters.
func (o *listOptions) listFleet(ctx context.Context, f *fleet) error {
	list := finalizers.JoinLists(askFleet(ctx, f, func(ctx context.Context, c *connection) (*result.List, error) {
		list, err := c.over(c.reader).List(ctx, o.listed(c))
		if err == nil && len(list.Items) == 0 {
			err = notHere(ctx, c, o.namespace(c))
		}
		return list, err
	}))
	return answerList(ctx, &o.options, list)
}

// answerList prints the joined list of several clusters.
func answerList(ctx context.Context, o *options, list *result.List) error {
	if err := o.out.rows.sort(list); err != nil && len(list.Items) > 0 {
		return err
	}
	verdicts := finding.Each(list.Items, func(item result.ListItem) result.Verdict { return item.Verdict })
	code := verdictCode(verdicts, len(list.Unreadable)+unasked(list.Clusters))
	return answerFleet(ctx, o, list, list.Clusters, code)
}

// checkFleet checks several clusters.
func (o *checkOptions) checkFleet(ctx context.Context, f *fleet) error {
	check := finalizers.JoinChecks(askFleet(ctx, f, func(ctx context.Context, c *connection) (*result.Check, error) {
		namespace := o.namespace(c)
		check, err := c.over(c.reader).Check(ctx, finalizers.CheckOptions{Namespace: namespace})
		if err == nil && check.Owned+check.Held == 0 {
			err = notHere(ctx, c, namespace)
		}
		return check, err
	}))
	if err := o.out.rows.sort(check); err != nil && len(check.Findings) > 0 {
		return err
	}
	code := checkCode(check)
	if code == exitAnswered && unasked(check.Clusters) > 0 {
		code = exitUndetermined
	}
	return answerFleet(ctx, &o.options, check, check.Clusters, code)
}

// drawFleet draws the same object, or everything Terminating, in several clusters.
func (o *treeOptions) drawFleet(ctx context.Context, f *fleet, args []string) error {
	tree := finalizers.JoinTrees(askFleet(ctx, f, func(ctx context.Context, c *connection) (*result.Tree, error) {
		own := *o
		own.out.ErrOut = f.notes
		scan := &scan{connection: c, watched: c.reader, namespace: own.namespace(c), done: func() {}}
		tree, err := own.draw(ctx, scan, args)
		switch {
		case err != nil:
			return nil, missing(err)
		case len(tree.Nodes) == 0:
			return tree, notHere(ctx, c, scan.namespace)
		}
		tree.LabelColumns = o.columns
		return tree, nil
	}))
	tree.LabelColumns = o.columns
	return answerFleet(ctx, &o.options, tree, tree.Clusters, exitAnswered)
}

// missing returns an error that says that an object, or its type, doesn't exist in a cluster, as an answer.
func missing(err error) error {
	of := typeError{}
	if isGone(err) || errors.As(err, &of) && of.certain {
		return &finalizers.NotThereError{Err: err}
	}
	return err
}

// extraOf reads --as-user-extra: KEY=VALUE.
func extraOf(pairs []string) (map[string][]string, error) {
	extra := map[string][]string{}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("--as-user-extra %q is not KEY=VALUE", pair)
		}
		extra[key] = append(extra[key], value)
	}
	if len(extra) == 0 {
		return nil, nil
	}
	return extra, nil
}
