package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
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
	world     *mechanism.Tools
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
	world := mechanism.NewTools(reader, known, connection.kubectl)
	world.Session.Pause = noPause
	return &scan{connection: connection, world: world, namespace: namespace, done: done}, nil
}

// noPause keeps a scan from looking twice: that takes seconds for each thing that is overdue.
func noPause(context.Context, time.Duration) error {
	return errors.New("a scan doesn't look twice")
}

// readable is an error when not a single kind could be listed and nothing was found all the same: an
// empty answer would be a lie.
func (s *scan) readable(asked int, unlisted []cluster.Unlisted, found int) error {
	if found > 0 || s.world.Session.Reader.Source() == cluster.FromManifests { // manifests don't tell lists, but objects
		return nil
	}
	return nothingReadable(asked, unlisted, s.namespace)
}

func nothingReadable(asked int, unlisted []cluster.Unlisted, namespace string) error {
	if asked == 0 || len(unlisted) < asked {
		return nil
	}
	first := unlisted[0].Err
	switch {
	case errors.Is(first, context.Canceled):
		return first
	case apierrors.IsForbidden(first) && namespace == "":
		return fmt.Errorf("you may not list anything in all namespaces; ask about one that you may read with -n: %w", first)
	case apierrors.IsForbidden(first):
		return fmt.Errorf("you may not list anything in namespace %q: %w", namespace, first)
	}
	if cluster.NotRecorded(first) && namespace != "" {
		return fmt.Errorf("nothing of namespace %q was recorded: %w", namespace, first)
	}
	return fmt.Errorf("nothing could be listed: %w", first)
}

// nothing answers that nothing was found: what says what of, as in "nothing is Terminating". Like kubectl's words for
// an empty list that goes to stderr. Where not everything could be looked at, that is the answer, and what is
// missing stands beneath it.
func (o *scanOptions) nothing(ctx context.Context, s *scan, what string, unreadable []report.Unreadable) error {
	warnOfNamespace(ctx, s.connection, o.ErrOut, s.namespace)
	if !o.output.isForPeople() {
		return nil
	}
	if s.world.Session.Reader.Source() == cluster.FromManifests {
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
