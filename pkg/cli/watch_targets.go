package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/follow"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// asker asks about targets through a connection.
type asker struct {
	*connection
	noted *follow.Noted
}

// Why implements follow.Asker.
func (a asker) Why(ctx context.Context, target session.Target) (*result.Diagnosis, error) {
	return a.over(a.noted).Why(ctx, target, finalizers.WhyOptions{})
}

// Explain implements follow.Asker.
func (a asker) Explain(ctx context.Context, target session.Target, err error) error {
	return explainTarget(ctx, a.connection, target, err)
}

// Kinds implements follow.Asker.
func (a asker) Kinds() *cluster.ServedKinds { return a.servedKinds }

// Versions implements follow.Asker.
func (a asker) Versions() map[finding.Ref]string { return a.noted.Versions() }

// again connects as if the command were given again: what the cluster serves, and the kubeconfig, may have changed.
// What was served in the last look, and isn't now, is accounted for. All that is asked through the connection ends with
// ctx.
func (o *options) again(ctx context.Context, c *connection) (*connection, error) {
	again, err := o.connect(ctx, cmp.Or(c.seen, c.servedKinds))
	if err != nil {
		return nil, err
	}
	c.seen = again.servedKinds
	again.options.Plugins = c.options.Plugins
	return again, nil
}

// watch stays with some targets.
func (o *whyOptions) watch(
	ctx context.Context, c *connection, found []session.Target, several bool, failures []error,
) error {
	targets := &follow.Targets{
		Open: func(ctx context.Context) (follow.Asker, error) {
			again, err := o.again(ctx, c)
			if err != nil {
				return nil, err
			}
			o.prepare(again)
			_ = o.hearLogs(again) // that there are none is no news with each look
			return asker{connection: again, noted: follow.NewNoted(again.reader)}, nil
		},
		Result: func(items []result.Diagnosis) result.Result {
			if !several && len(items) > 0 {
				return &items[0]
			} else if several {
				return &result.DiagnosisList{APIVersion: result.APIVersion, Kind: "DiagnosisList", Items: items}
			}
			return nil
		},
		Failed: func(err error) {
			if o.ignoreNotFound && isGone(err) {
				o.tellGone(err)
				return
			}
			failures = append(failures, err)
			printError(o.out.ErrOut, err)
		},
	}
	targets.Add(found...)
	what := found[0].Resource.QualifiedName() + "/" + found[0].Name
	if len(found) > 1 {
		what = fmt.Sprintf("%d objects", len(found))
	}
	err := o.watching.run(ctx, &o.options, c, targets.Look, what)
	if err == nil && len(failures) > 0 {
		return exitError(exitFailed)
	}
	return err
}

// watchList stays with everything Terminating that is listed; none says that nothing is.
func (o *options) watchList(
	ctx context.Context, c *connection, watching watching, listed func(*connection) finalizers.ListOptions, none string,
) error {
	scope := "the cluster"
	if namespace := o.namespace(c); namespace != "" {
		scope = "namespace " + namespace
		none += fmt.Sprintf(" in namespace %q", namespace)
	}
	first, begun := true, false
	look := func(ctx context.Context) (*follow.Answer, error) {
		again, err := o.again(ctx, c)
		if err != nil {
			return nil, err
		}
		noted, done := follow.NewNoted(again.reader), func() {}
		if first { // nothing is shown yet
			noted.Reader, done = watch(again.reader, o.out.ErrOut)
			first = false
		}
		list, err := again.over(noted).List(ctx, listed(again))
		done()
		if err != nil {
			return nil, err
		}
		if !begun && len(list.Items) == 0 { // later on, it may be gone
			if err := o.requireNamespace(ctx, again, o.namespace(again)); err != nil {
				return nil, err
			}
		}
		begun = true
		text := print.Headline(list)
		switch {
		case len(list.Items) == 0 && len(list.Unreadable) > 0:
			text = "In what could be read, " + none + ". Not everything could be read."
		case len(list.Items) == 0:
			text = strings.ToUpper(none[:1]) + none[1:] + "."
		}
		answer := follow.OfList(list, text)
		answer.Versions, answer.Kinds = noted.Versions(), again.servedKinds
		return answer, o.out.rows.sort(list)
	}
	return watching.run(ctx, o, c, look, scope)
}
