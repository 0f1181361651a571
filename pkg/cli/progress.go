package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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

// UpTo implements cluster.Bounded, where the Reader behind does.
func (w *watched) UpTo(ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured)) (bool, error) {
	bounded, can := w.Reader.(cluster.Bounded)
	if !can {
		return false, nil
	}
	return bounded.UpTo(ctx, resource, namespace, most, visit)
}

// watch returns a Reader that tells on a terminal, after a second, how far it is. done takes the line away
// again, before anything else is printed.
func watch(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	file, isFile := errOut.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return reader, func() {}
	}
	return tellProgress(reader, errOut)
}

func tellProgress(reader cluster.Reader, errOut io.Writer) (through cluster.Reader, done func()) {
	counting := &watched{Reader: reader}
	over := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() { counting.tell(errOut, over) })
	return counting, sync.OnceFunc(func() {
		close(over)
		telling.Wait()
	})
}

func (w *watched) tell(out io.Writer, over <-chan struct{}) {
	const wipe = "\r\x1b[K"
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
			_, _ = fmt.Fprintf(out, "%sreading: %d lists, %d objects of interest so far", wipe, w.lists.Load(), w.objects.Load())
			timer.Reset(patience / 4)
		}
	}
}
