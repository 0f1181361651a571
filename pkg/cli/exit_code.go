package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
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
		_, _ = fmt.Fprintln(errOut, "error: interrupted before there was an answer")
	default:
		printError(errOut, err)
	}
	return exitFailed
}

// printError prints an error as answers are printed: without credentials, and escaped for terminals. It may quote a
// server.
func printError(errOut io.Writer, err error) {
	if gone := (*session.GoneError)(nil); errors.As(err, &gone) { // good news, as a rule
		_, _ = fmt.Fprintf(errOut, "%s.\n", escape.Text(gone.Error()))
		return
	}
	lines := strings.Split(credential.Clean(strings.TrimSpace(err.Error())), "\n")
	for i, line := range lines {
		lines[i] = escape.Text(strings.ReplaceAll(line, "\t", "  "))
	}
	_, _ = fmt.Fprintf(errOut, "error: %s\n", strings.Join(lines, "\n"))
}

// verdictCode returns the exit code of the gravest of several verdicts. Nothing is known of what could not be read.
func verdictCode(verdicts []result.Verdict, unreadable int) int {
	switch {
	case slices.Contains(verdicts, result.Stuck):
		return exitStuck
	case slices.Contains(verdicts, result.Undetermined):
		return exitUndetermined
	case slices.Contains(verdicts, result.Progressing):
		return exitProgressing
	case unreadable > 0:
		return exitUndetermined
	}
	return exitAnswered
}

// checkCode returns the exit code of a check: what was found weighs more than what could not be read.
func checkCode(check *result.Check) int {
	switch {
	case slices.ContainsFunc(check.Findings,
		func(finding result.Finding) bool { return finding.Severity != result.Info }):
		return exitStuck
	case len(check.Unreadable) > 0:
		return exitUndetermined
	}
	return exitAnswered
}

// removalExit is how the program ends after a removal: without an error where it did what was asked.
func removalExit(outcome result.RemovalOutcome) error {
	switch outcome {
	case result.Gone, result.NotNeeded, result.Written, result.Passed:
		return nil
	}
	return exitError(exitRefused)
}

// previewCode is the exit code of what would come of some deletions: that of the worst.
func previewCode(items []result.Preview) int {
	switch result.WorstOutcome(items) {
	case result.WouldHang, result.WouldBeRefused:
		return exitStuck
	case result.MayHang:
		return exitUndetermined
	case result.AlreadyDeleted:
		return exitProgressing
	}
	return exitAnswered
}

// uninstallCode is the exit code of a plan.
func uninstallCode(plan *result.UninstallPlan) int {
	switch plan.State {
	case result.UninstallBlocked:
		return exitStuck
	case result.UninstallUnclear:
		return exitUndetermined
	}
	return exitAnswered
}
