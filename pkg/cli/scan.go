package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// scanOptions is what list, tree and check have in common.
type scanOptions struct {
	genericiooptions.IOStreams
	config  *genericclioptions.ConfigFlags
	area    areaFlags
	output  outputFlags
	plugins knowledge
	source  sourceFlags
}

func (o *scanOptions) add(flags *pflag.FlagSet, result report.Result) {
	o.plugins.add(flags)
	o.output.add(flags, result)
	o.source.add(flags)
}

// scan is one look at a namespace or at the whole cluster.
type scan struct {
	*connection
	watched   cluster.Reader // tells how far it is
	options   diagnosis.Options
	namespace string // that is asked about; empty for all of them
	done      func() // takes the line of progress away, before anything else is printed
}

// begin connects, and prepares to look. Whoever calls it must call done.
func (o *scanOptions) begin(ctx context.Context) (*scan, error) {
	known, err := o.plugins.load(o.ErrOut)
	if err != nil {
		return nil, err
	}
	connection, err := o.source.connect(ctx, o.config, o.IOStreams)
	if err != nil {
		return nil, err
	}
	namespace, err := o.area.namespace(connection)
	if err != nil {
		return nil, err
	}
	reader, done := watch(connection.reader, o.ErrOut)
	return &scan{
		connection: connection, watched: reader, options: connection.options(known), namespace: namespace, done: done,
	}, nil
}

// nothing answers that nothing was found: what says what of, as in "nothing is Terminating". Like kubectl's words for
// an empty list that goes to stderr. Where not everything could be looked at, that is the answer, and what is
// missing stands beneath it.
func (o *scanOptions) nothing(ctx context.Context, s *scan, what string, unreadable []report.Unreadable) error {
	warnOfNamespace(ctx, s.connection, o.ErrOut, s.namespace)
	if !o.output.isForPeople() {
		return nil
	}
	if s.reader.Source() == cluster.FromManifests {
		what += " among what the files hold"
	}
	if s.namespace != "" {
		what += fmt.Sprintf(" in namespace %q", s.namespace)
	}
	if len(unreadable) == 0 {
		_, err := fmt.Fprintln(o.ErrOut, strings.ToUpper(what[:1])+what[1:]+".")
		return err
	}
	says := "Not everything could be looked at. Of what could, " + what + "."
	forbidden := func(one report.Unreadable) bool { return one.Why == "forbidden" }
	if s.namespace == "" && slices.ContainsFunc(unreadable, forbidden) {
		says += " What you may not list in all namespaces you may be able to list in one: name it with -n."
	}
	return o.output.print(o.Out, &report.Nothing{Says: says, Unreadable: unreadable})
}

// interrupted says beneath an answer that it is not all there would have been.
func interrupted(ctx context.Context, errOut io.Writer) error {
	if ctx.Err() == nil {
		return nil
	}
	_, _ = fmt.Fprintln(errOut, "error: interrupted; the answer is what was known by then")
	return saidError{}
}
