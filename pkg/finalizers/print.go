package finalizers

import (
	"context"
	"io"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Print writes an answer in a format of -o: human, wide, json, yaml, markdown, html, or another that Formats names.
// Text from the cluster is escaped, and credentials are left out of prose. It ends with the context, with its error.
func Print(ctx context.Context, out io.Writer, answer result.Result, format string) error {
	return print.Result(ctx, out, answer, format, print.Style{})
}

// Formats returns the names of the formats in which an answer can be printed.
func Formats(answer result.Result) []string { return print.Formats(answer) }
