package cluster

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

// What one list may come to. The API server fills its pages, and etcd holds no more than 8 GiB, which is a few million
// of the smallest objects; a server that has more will never end.
const (
	// maxObject is how long an object of a list may be, in bytes; etcd takes 1.5 MiB. scanWidth lists are read at once.
	maxObject = 8 << 20
	// mostHeld is what the objects of all lists that are held at once may take in memory, in bytes: some 15,000 pods as
	// a whole, or 750,000 pods' metadata. The garbage collector takes as much again.
	mostHeld = 768 << 20
	// mostBytes is how long a list may be that is dropped as it passes.
	mostBytes   = 16 << 30
	mostObjects = 5_000_000
	mostPages   = 10_000
	emptyPages  = 100 // pages that need not have any objects
	pageWorth   = 10  // objects for each page more
)

// listed is what was read of one list so far. Its pages share one.
type listed struct {
	objects, pages int
	tokens         map[string]bool // that were sent
	held           bool            // its objects are all in memory at the end
	passing        bool            // they are held while it is read; who has asked says what stays
	all, object    size            // of what was read of the list, and of the object that is being read
	ledger         *ledger         // of the lists beside it; nil for none
	taken          int64           // of the ledger
}

// ledger counts what lists hold in memory, all together: what each may hold by itself, a hundred may not.
type ledger struct{ taken atomic.Int64 }

type ledgerKey struct{}

// sharing returns a context in which lists are counted in a ledger.
func sharing(ctx context.Context, in *ledger) context.Context {
	return context.WithValue(ctx, ledgerKey{}, in)
}

// newListed returns a list that is to be read, beside others of its context.
func newListed(ctx context.Context) *listed {
	shared, _ := ctx.Value(ledgerKey{}).(*ledger)
	return &listed{ledger: shared}
}

// take counts so many bytes more that the list holds, and returns a WrongAnswer where that is too much.
func (l *listed) take(bytes int64) error {
	l.taken += bytes
	together := l.taken
	if l.ledger != nil {
		together = l.ledger.taken.Add(bytes)
	}
	if together > mostHeld {
		return tooMuchHeld()
	}
	return nil
}

// drop says that nothing of the list is held any more.
func (l *listed) drop() {
	if l.ledger != nil {
		l.ledger.taken.Add(-l.taken)
	}
	l.taken = 0
}

// size is how long something is, in bytes, and what it takes in memory once it is decoded.
type size struct{ length, decoded int64 }

func (s *size) add(more size) { s.length, s.decoded = s.length+more.length, s.decoded+more.decoded }

// meter returns a stream of one of the list's pages, which ends with a WrongAnswer where an object, or the list, would
// take too much.
func (l *listed) meter(page io.Reader) io.Reader {
	l.object = size{}
	return meter{l, page}
}

type meter struct {
	of   *listed
	page io.Reader
}

// Read implements io.Reader.
func (m meter) Read(into []byte) (int, error) {
	n, err := m.page.Read(into)
	more := size{int64(n), bounds.JSON(into[:n])}
	m.of.object.add(more)
	m.of.all.add(more)
	if m.of.held {
		if err := m.of.take(more.decoded); err != nil {
			return 0, err
		}
	}
	switch {
	case m.of.object.length > maxObject:
		return 0, &WrongAnswer{Got: fmt.Sprintf("a list with an object of more than %d MiB", maxObject>>20)}
	case m.of.object.decoded > maxDecoded:
		return 0, &WrongAnswer{Got: fmt.Sprintf("a list with an object that would take more than %d MiB of memory",
			maxDecoded>>20)}
	case m.of.all.length > mostBytes:
		return 0, &WrongAnswer{Got: fmt.Sprintf("a list of more than %d GiB", mostBytes>>30)}
	}
	return n, err
}

func tooMuchHeld() error {
	return &WrongAnswer{Got: fmt.Sprintf("a list that would take more than %d MiB of memory", mostHeld>>20)}
}

// count counts one object more. It returns a WrongAnswer where there are more than any server holds.
func (l *listed) count() error {
	l.object = size{}
	if l.objects++; l.objects > mostObjects {
		return &WrongAnswer{Got: fmt.Sprintf("a list of more than %d objects", mostObjects)}
	}
	return nil
}

// next takes what a page says of its list, and returns the token of the page that follows, or none at the end. It
// returns a WrongAnswer where the list turns in a circle, doesn't end, or ends before its end.
func (l *listed) next(page metav1.ListMeta) (token string, err error) {
	l.pages++
	switch {
	case page.Continue == "":
		return "", whole(page)
	case l.tokens[page.Continue]:
		return "", &WrongAnswer{Got: "the same page of a list twice"}
	case l.pages >= mostPages, l.pages >= emptyPages+l.objects/pageWorth:
		return "", &WrongAnswer{Got: fmt.Sprintf("a list that has no end: %d objects on %d pages, and more to come",
			l.objects, l.pages)}
	}
	if l.tokens == nil {
		l.tokens = map[string]bool{}
	}
	l.tokens[page.Continue] = true
	return page.Continue, nil
}

// whole returns a WrongAnswer where the last page of a list says that objects follow it.
func whole(last metav1.ListMeta) error {
	if last.RemainingItemCount == nil || *last.RemainingItemCount <= 0 {
		return nil
	}
	return &WrongAnswer{Got: fmt.Sprintf("a list that ends before its last %d objects", *last.RemainingItemCount)}
}
