package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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

// verdictError makes the program exit with the code of a verdict, or of a removal. It has nothing to say: the answer
// is printed already.
type verdictError struct{ code int }

func (e verdictError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// saidError makes the program exit with 1 when every error has been printed where it happened.
type saidError struct{}

func (saidError) Error() string { return "an error that was already reported" }

// exitCode prints what an error says and returns the code that the program ends with. It is the
// only place where errors become exit codes.
func exitCode(err error, errOut io.Writer) int {
	var verdict verdictError
	switch {
	case err == nil:
		return exitAnswered
	case errors.As(err, &verdict):
		return verdict.code
	case errors.As(err, &saidError{}):
		return exitFailed
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(errOut, "error: interrupted before anything was known")
		return exitFailed
	}
	printError(errOut, err)
	return exitFailed
}

func printError(errOut io.Writer, err error) {
	if gone := (*diagnosis.GoneError)(nil); errors.As(err, &gone) { // good news, as a rule, though there is no answer to give
		_, _ = fmt.Fprintf(errOut, "%s.\n", report.EscapeText(gone.Error()))
		return
	}
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for i, line := range lines {
		lines[i] = report.EscapeText(strings.ReplaceAll(line, "\t", "  "))
	}
	_, _ = fmt.Fprintf(errOut, "error: %s\n", strings.Join(lines, "\n"))
}

// verdictCode returns the exit code of the gravest of several verdicts, for --exit-code.
func verdictCode(diagnoses []report.Diagnosis) int {
	codes := map[report.Verdict]int{report.Stuck: exitStuck, report.Undetermined: exitUndetermined, report.Progressing: exitProgressing}
	for _, verdict := range []report.Verdict{report.Stuck, report.Undetermined, report.Progressing} {
		for _, diagnosis := range diagnoses {
			if diagnosis.Verdict == verdict {
				return codes[verdict]
			}
		}
	}
	return exitAnswered
}
