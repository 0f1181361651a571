package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const inAllNamespaces = "Look in all namespaces, and at cluster-scoped objects"

// scan is one look at a namespace or at the whole cluster.
type scan struct {
	*connection
	watched   cluster.Reader // says how far it is
	namespace string         // that is asked about; empty for all of them
	done      func()         // takes the line of progress away, before anything else is printed
}

// begin connects, and prepares to look. Whoever calls it must call done.
func (o *options) begin(ctx context.Context) (*scan, error) {
	connection, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	reader, done := watch(connection.reader, o.out.ErrOut)
	return &scan{connection: connection, watched: reader, namespace: o.namespace(connection), done: done}, nil
}

func (o *options) namespace(c *connection) string {
	if o.allNamespaces {
		return ""
	}
	return c.namespace
}

// nothing answers that nothing was found of what is wanted: what says what of, as in "nothing is Terminating". It goes
// to stderr, as with kubectl; where not everything could be looked at, that is the answer. It fails if the namespace
// isn't there.
func (o *options) nothing(
	ctx context.Context, s *scan, what string, wanted finalizers.ListOptions, unreadable []finding.Unreadable,
) error {
	if err := o.requireNamespace(ctx, s.connection, s.namespace); err != nil {
		return err
	}
	if !o.out.isForPeople() && o.out.deliver == nil {
		return nil
	}
	if s.reader.Source().Manifests() {
		what += " in these files"
	}
	if s.namespace != "" {
		what += fmt.Sprintf(" in namespace %q", s.namespace)
	}
	if len(unreadable) == 0 {
		_, err := fmt.Fprintln(o.out.ErrOut, strings.ToUpper(what[:1])+what[1:]+"."+elsewhere(ctx, s, wanted))
		return err
	}
	says := "In what could be read, " + what + ". Not everything could be read." + elsewhere(ctx, s, wanted)
	forbidden := func(one finding.Unreadable) bool { return one.Why == finding.ForbiddenRead }
	if s.namespace == "" && slices.ContainsFunc(unreadable, forbidden) {
		says += " If you are not allowed to list all namespaces, name one that you can read with -n."
	}
	return o.out.print(ctx, &result.Nothing{Says: says, Unreadable: unreadable})
}

// patience is how long a scan says nothing: most are over by then.
const patience = time.Second

// watched is a Reader that counts what scans read, for a line of progress.
type watched struct {
	cluster.Reader
	lists, objects atomic.Int64
}

// EachMetadata implements cluster.Reader.
func (w *watched) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	defer w.lists.Add(1)
	return w.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		w.objects.Add(1)
		visit(object)
	})
}

// watch returns a Reader that tells on a terminal, after a second, how far it is, in a line that done takes away.
func watch(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	if !isTerminal(errOut) {
		return reader, func() {}
	}
	return tellProgress(reader, errOut)
}

func tellProgress(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	counting := &watched{Reader: reader}
	return counting, tell(errOut, func() string {
		return fmt.Sprintf("reading: %d lists, %d relevant objects so far", counting.lists.Load(),
			counting.objects.Load())
	})
}

// tell shows after a second, and then four times in each, how far something is, in a line that done takes away.
func tell(out io.Writer, how func() string) (done func()) {
	const wipe = "\r\x1b[K"
	over := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for said := false; ; said = true {
			select {
			case <-over:
				if said {
					_, _ = fmt.Fprint(out, wipe)
				}
				return
			case <-timer.C:
				_, _ = fmt.Fprint(out, wipe+how())
				timer.Reset(patience / 4)
			}
		}
	})
	return sync.OnceFunc(func() {
		close(over)
		telling.Wait()
	})
}
