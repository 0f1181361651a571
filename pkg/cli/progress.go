package cli

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// patience is how long a scan says nothing: most are over by then.
const patience = time.Second

// watched is a Reader that counts what scans read, for a line of progress.
type watched struct {
	cluster.Reader
	lists, objects atomic.Int64
}

// EachMetadata implements cluster.Reader.
func (w *watched) EachMetadata(ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector, visit func(*metav1.PartialObjectMetadata)) error {
	defer w.lists.Add(1)
	return w.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		w.objects.Add(1)
		visit(object)
	})
}

// watch returns a Reader that tells on a terminal, after a second, how far it is. done takes the line away
// again, before anything else is printed.
func watch(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	if !isTerminal(errOut) {
		return reader, func() {}
	}
	return tellProgress(reader, errOut)
}

func tellProgress(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	counting := &watched{Reader: reader}
	return counting, tell(errOut, func() string {
		return fmt.Sprintf("reading: %d lists, %d objects of interest so far", counting.lists.Load(), counting.objects.Load())
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
