package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/follow"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// watching are the flags of commands that can stay and tell what changes.
type watching struct {
	on      bool
	until   string
	timeout age
}

// What a watch waits for.
const (
	untilGone  = "gone"
	untilStuck = "stuck"
)

func (w *watching) addFlags(flags *pflag.FlagSet, gone string) {
	flags.BoolVarP(&w.on, "watch", "w", false, "Watch for changes until "+gone+", then exit with 0. "+
		"A terminal shows the latest answer; otherwise each change is one line")
	flags.StringVar(&w.until, "until", untilGone, "With --watch: gone stops when nothing is left to wait for; "+
		"stuck also stops, with exit code 2, as soon as an object needs a person")
	annotateValues(flags, "until", untilGone, untilStuck)
	flags.Var(&w.timeout, "timeout", "With --watch: how long to watch at most, for example 30s, 10m or 2d. "+
		"Then exit with 2 for Stuck, 3 for Progressing, 4 for Undetermined")
}

// validate refuses flags that don't go together.
func (w *watching) validate(o *options, flags *pflag.FlagSet) error {
	if !w.on {
		for _, name := range []string{"until", "timeout"} {
			if flags.Changed(name) {
				return fmt.Errorf("--%s requires --watch", name)
			}
		}
		return nil
	}
	if err := oneOf("until", w.until, untilGone, untilStuck); err != nil {
		return err
	}
	if flags.Changed("timeout") && w.timeout == 0 {
		return errors.New("--timeout must be greater than zero; leave it out to watch without a limit")
	}
	if o.out.format == print.FormatHTML {
		return errors.New("--watch can't be used with -o html: a page shows one moment")
	}
	return o.refuseSnapshot("--watch", "a recording doesn't change")
}

// run watches, and returns the error that the program ends with. watched names the objects for people.
func (w *watching) run(ctx context.Context, o *options, c *connection, look follow.Look, what string) error {
	end, answer, err := follow.Run(ctx, follow.Options{
		Look: look, Watcher: c.live, ServedKinds: c.servedKinds, View: o.out.view(ctx, what),
		Timeout: time.Duration(w.timeout), UntilStuck: w.until == untilStuck,
	})
	if err != nil {
		return err
	}
	switch end {
	case follow.Interrupted:
		_, _ = fmt.Fprintln(o.out.ErrOut, "error: interrupted")
		return exitError(exitFailed)
	case follow.TimedOut:
		_, _ = fmt.Fprintf(o.out.ErrOut, "error: timed out after %s\n", finding.Length(time.Duration(w.timeout)))
	}
	code := verdictCode(answer.Verdicts, answer.Unread())
	switch {
	case end == follow.Gone && len(answer.Verdicts) > 0: // it was seen to go after the last look
		return nil
	case end == follow.TimedOut && code == exitAnswered: // it was not deleted
		return exitError(exitFailed)
	case code != exitAnswered:
		return exitError(code)
	}
	return nil
}

// view returns how a watch is shown: drawn on a terminal, in lines elsewhere, and as documents for programs.
func (o *output) view(ctx context.Context, what string) follow.View {
	writeAs := func(format string, out io.Writer, answer result.Result, style print.Style) error {
		lasting, stop := session.Lasting(ctx, lastPrinted)
		defer stop()
		return print.Result(lasting, out, answer, format, style)
	}
	write := func(out io.Writer, answer result.Result, style print.Style) error {
		return writeAs(o.format, out, answer, style)
	}
	style := o.style(o.Out)
	file, isFile := o.Out.(*os.File)
	draws := isFile && isTerminal(file) && os.Getenv("TERM") != "dumb"
	switch {
	case !o.isForPeople() && (!draws || o.format != print.FormatTree):
		first := true
		return &follow.Documents{ErrOut: o.ErrOut, Print: func(answer result.Result) error {
			if !first && o.format == "yaml" {
				_, _ = fmt.Fprintln(o.Out, "---")
			}
			first = false
			return write(o.Out, answer, style)
		}}
	case draws:
		size := func() (int, int) {
			columns, rows, _ := term.GetSize(int(file.Fd())) // zero where it can't be told
			return columns, rows
		}
		screen := &follow.Screen{Out: o.Out, Print: write, Style: style, Size: size, Header: escape.Text(what)}
		if o.format != print.FormatTree { // people want to see its branches
			screen.Brief = func(out io.Writer, answer result.Result, style print.Style) error {
				return writeAs(print.FormatShort, out, answer, style)
			}
		}
		return screen
	}
	return &follow.Lines{Out: o.Out, ErrOut: o.ErrOut}
}
