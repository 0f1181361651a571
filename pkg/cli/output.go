package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"
)

// output is how a command prints what it answers, and where. Each command adds the flags of what it has.
type output struct {
	genericiooptions.IOStreams
	result        result.Result // what the command answers; it stands for its type
	format, color string
	rows          rows
	exitCode      bool
	deliver       func(result.Result) // takes results in place of printing them; nil prints them
}

var colors = []string{"auto", "always", "never"}

func (o *output) addFormat(flags *pflag.FlagSet, answer result.Result) {
	o.result, o.color = answer, "auto"
	formats := print.Formats(answer)
	flags.StringVarP(&o.format, "output", "o", print.FormatHuman, "Output format: "+strings.Join(formats, ", "))
	annotateValues(flags, "output", formats...)
	if slices.Contains(formats, print.FormatShort) {
		flags.BoolFunc("short", "Print the first sentence and the first step alone, for chats and alerts: -o short",
			func(string) error {
				o.format = print.FormatShort
				return nil
			})
	}
}

func (o *output) addColor(flags *pflag.FlagSet) {
	flags.StringVar(&o.color, "color", "auto",
		"When to use color: auto (on a terminal, unless NO_COLOR is set), always or never")
	annotateValues(flags, "color", colors...)
}

func (o *output) validateOutput() error {
	if err := print.HasFormat(o.result, o.format); err != nil {
		return err
	}
	return oneOf("color", o.color, colors...)
}

func (o *output) isForPeople() bool {
	return o.format == print.FormatHuman || o.format == print.FormatWide || o.format == print.FormatShort
}

func (o *output) print(ctx context.Context, answer result.Result) error {
	if o.deliver != nil {
		o.deliver(answer)
		return nil
	}
	return o.printTo(ctx, o.Out, answer, o.format)
}

// lastPrinted is how long an answer is still printed after an interrupt.
const lastPrinted = 500 * time.Millisecond

func (o *output) printTo(ctx context.Context, out io.Writer, answer result.Result, format string) error {
	lasting, stop := session.Lasting(ctx, lastPrinted)
	defer stop()
	err := print.Result(lasting, out, answer, format, o.style(out))
	if err != nil && lasting.Err() != nil {
		return o.interrupted(ctx)
	}
	return err
}

// style is how output looks on a stream.
func (o *output) style(out io.Writer) print.Style {
	style := plainStyle(out)
	style.Table = table.Draw
	style.NoHeadings, style.Labels = o.rows.noHeaders, o.rows.showLabels
	style.Color = o.color == "always" || o.color == "auto" && printers.AllowsColorOutput(out)
	return style
}

// answer prints a result. Its error exits with 1 after an interrupt, else with the code if --exit-code asks for it.
func (o *output) answer(ctx context.Context, answer result.Result, code int) error {
	if err := o.print(ctx, answer); err != nil {
		return err
	}
	if err := o.interrupted(ctx); err != nil || !o.exitCode {
		return err
	}
	return exitError(code)
}

// answers is what a command has found out about its targets.
type answers struct {
	list    result.Result
	first   result.Result // nil where there is none
	several bool          // so that the list is printed, however many there are
	failed  bool          // an error about a target was told
	code    int           // what the answers mean for who asks by exit code
}

// finish prints the answers, and returns the error with which the command ends.
func (o *output) finish(ctx context.Context, found answers) (err error) {
	switch {
	case found.several:
		err = o.print(ctx, found.list)
	case found.first != nil: // else the error was told
		err = o.print(ctx, found.first)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil && found.first != nil:
		return o.interrupted(ctx)
	case found.failed:
		return exitError(exitFailed)
	case o.exitCode:
		return exitError(found.code)
	}
	return nil
}

// interrupted says beneath an answer that it is not all there would have been.
func (o *output) interrupted(ctx context.Context) error {
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
