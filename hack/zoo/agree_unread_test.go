package zoo_test

import (
	"errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rescue"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// agreeUnread asks the commands that need the target, which can't be read because of what is in storage: they must say
// what why says, and name the command that helps.
func (p *panel) agreeUnread(seen *view) {
	p.t.Helper()
	target, ctx := p.target(p.why.Target), p.t.Context()
	for command, ask := range map[string]func() error{
		"tree": func() error {
			_, err := diagnosis.Tree(ctx, seen.again(), target, diagnosis.TreeOptions{Options: p.options})
			return err
		},
		"preview": func() error {
			_, err := preview.Preview(ctx, seen.again(), target, preview.Options{Options: p.options})
			return err
		},
		"rescue": func() error {
			_, err := rescue.Plan(ctx, seen.again(), target, rescue.Options{Options: p.options})
			return err
		},
		"remove": func() error {
			remover := &removal.Remover{
				Reader: seen.again(), Plugins: p.options.Plugins, Flags: p.options.Flags,
				Diagnose: diagnosis.Diagnoser(p.options),
			}
			_, err := remover.Plan(ctx, []session.Target{target})
			return err
		},
	} {
		var unread *session.UnreadError
		switch err := ask(); {
		case !errors.As(err, &unread):
			p.differ("%s: %v, and why: %s", command, err, p.why.Summary)
		case judge.Ageless(unread.Says) != judge.Ageless(p.why.Summary) || !unread.Ask.Asks("why"):
			p.differ("%s: %v\nwhy: %s", command, unread, p.why.Summary)
		}
	}
}
