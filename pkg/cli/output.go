package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/printers"
)

func (o *options) isForPeople() bool {
	return o.format == print.FormatHuman || o.format == print.FormatWide
}

func (o *options) print(ctx context.Context, answer result.Result) error {
	if o.deliver != nil {
		o.deliver(answer)
		return nil
	}
	return o.printTo(ctx, o.Out, answer, o.format)
}

// lastPrinted is how long an answer is still printed after an interrupt.
const lastPrinted = 700 * time.Millisecond

func (o *options) printTo(ctx context.Context, out io.Writer, answer result.Result, format string) error {
	lasting, stop := session.Lasting(ctx, lastPrinted)
	defer stop()
	err := print.Result(lasting, out, answer, format, o.style(out))
	if err != nil && lasting.Err() != nil {
		return o.interrupted(ctx)
	}
	return err
}

// style is how output looks on a stream.
func (o *options) style(out io.Writer) print.Style {
	style := plainStyle(out)
	style.Table = table.Draw
	style.NoHeadings, style.Labels = o.rows.noHeaders, o.rows.showLabels
	style.Color = o.color == "always" || o.color == "auto" && printers.AllowsColorOutput(out)
	return style
}

// answer prints a result. Its error exits with 1 after an interrupt, else with the code if --exit-code asks for it.
func (o *options) answer(ctx context.Context, answer result.Result, code int) error {
	if err := o.print(ctx, answer); err != nil {
		return err
	}
	if err := o.interrupted(ctx); err != nil || !o.exitCode {
		return err
	}
	return exitError(code)
}

// interrupted says beneath an answer that it is not all there would have been.
func (o *options) interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	_, _ = fmt.Fprintln(o.ErrOut, "error: interrupted; the answer is incomplete")
	return exitError(exitFailed)
}

func plainStyle(out io.Writer) (style print.Style) {
	if file, isFile := out.(*os.File); isFile {
		style.Width, _, _ = term.GetSize(int(file.Fd())) // 0 for what is no terminal
	}
	return style
}

// isTerminal reports whether a stream of the program is a terminal. Streams that aren't files can say so themselves.
func isTerminal(stream any) bool {
	if stated, states := stream.(interface{ IsTerminal() bool }); states {
		return stated.IsTerminal()
	}
	file, isFile := stream.(*os.File)
	return isFile && term.IsTerminal(int(file.Fd()))
}

func warn(errOut io.Writer, text string) {
	_, _ = fmt.Fprintf(errOut, "warning: %s\n", escape.Text(text))
}
