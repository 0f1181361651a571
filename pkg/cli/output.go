package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// The exit codes. They are part of the command's interface.
const (
	exitAnswered     = 0
	exitFailed       = 1
	exitStuck        = 2
	exitProgressing  = 3
	exitUndetermined = 4
	exitRefused      = 5 // a removal was refused, not carried through, or only planned
)

// exitError makes the program exit with a code. It has nothing to say: the answer, or every error, is printed already.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitCode prints what an error says and returns the code that the program ends with.
func exitCode(err error, errOut io.Writer) int {
	var code exitError
	switch {
	case err == nil:
		return exitAnswered
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(errOut, "error: interrupted before anything was known")
	default:
		printError(errOut, err)
	}
	return exitFailed
}

func printError(errOut io.Writer, err error) {
	if gone := (*diagnosis.GoneError)(nil); errors.As(err, &gone) { // good news, as a rule
		_, _ = fmt.Fprintf(errOut, "%s.\n", report.EscapeText(gone.Error()))
		return
	}
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for i, line := range lines {
		lines[i] = report.EscapeText(strings.ReplaceAll(line, "\t", "  "))
	}
	_, _ = fmt.Fprintf(errOut, "error: %s\n", strings.Join(lines, "\n"))
}

// verdictCode returns the exit code of the gravest of several verdicts. Nothing is known of what could not be read.
func verdictCode(verdicts []report.Verdict, unreadable int) int {
	switch {
	case slices.Contains(verdicts, report.Stuck):
		return exitStuck
	case slices.Contains(verdicts, report.Undetermined):
		return exitUndetermined
	case slices.Contains(verdicts, report.Progressing):
		return exitProgressing
	case unreadable > 0:
		return exitUndetermined
	}
	return exitAnswered
}

// isForPeople tells whether somebody reads the output, to whom words on standard error matter.
func (o *options) isForPeople() bool {
	return o.format == report.FormatHuman || o.format == report.FormatWide
}

func (o *options) print(result report.Result) error { return o.printTo(o.Out, result, o.format) }

func (o *options) printTo(out io.Writer, result report.Result, format string) error {
	style := plainStyle(out)
	style.Color = o.color == "always" || o.color == "auto" && printers.AllowsColorOutput(out)
	return report.Print(out, result, format, style)
}

// answer prints a result. Its error exits with 1 after an interrupt, else with the code if --exit-code asks for it.
func (o *options) answer(ctx context.Context, result report.Result, code int) error {
	if err := o.print(result); err != nil {
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
	_, _ = fmt.Fprintln(o.ErrOut, "error: interrupted; the answer is what was known by then")
	return exitError(exitFailed)
}

func plainStyle(out io.Writer) (style report.Style) {
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
	_, _ = fmt.Fprintf(errOut, "warning: %s\n", report.EscapeText(text))
}
