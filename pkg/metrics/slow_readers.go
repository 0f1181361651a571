package metrics

import (
	"bytes"
	"net/http"
	"slices"
	"sync"
	"time"
)

// turns puts answers together in turns, and sends each outside of its turn and within a time, so that readers who don't
// read keep no one else waiting. If there are too many of these, the one who has had most time is cut off.
type turns struct {
	next   http.Handler
	places chan struct{}

	mu      sync.Mutex
	readers []*http.ResponseController // the first one first
}

func newTurns(next http.Handler) *turns {
	return &turns{next: next, places: make(chan struct{}, mostScrapes)}
}

// ServeHTTP implements http.Handler.
func (t *turns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	waits := time.NewTimer(scrapeTime)
	defer waits.Stop()
	select {
	case t.places <- struct{}{}:
	case <-r.Context().Done():
		return
	case <-waits.C:
		http.Error(w, "too many scrapes at a time", http.StatusServiceUnavailable)
		return
	}
	answer := &kept{header: http.Header{}, code: http.StatusOK}
	func() {
		defer func() { <-t.places }()
		t.next.ServeHTTP(answer, r)
	}()
	to := http.NewResponseController(w)
	t.begin(to)
	defer t.end(to)
	for key, values := range answer.header {
		w.Header()[key] = values
	}
	w.WriteHeader(answer.code)
	_, _ = w.Write(answer.body.Bytes()) // who has gone gets nothing
}

// begin gives a reader its time, and cuts off the first one where there are too many.
func (t *turns) begin(reader *http.ResponseController) {
	_ = reader.SetWriteDeadline(time.Now().Add(scrapeTime)) // not all writers have one
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.readers = append(t.readers, reader); len(t.readers) > mostReaders {
		_ = t.readers[0].SetWriteDeadline(time.Now())
		t.readers = t.readers[1:]
	}
}

func (t *turns) end(reader *http.ResponseController) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers = slices.DeleteFunc(t.readers, func(one *http.ResponseController) bool { return one == reader })
}

// kept is an answer before it is sent.
type kept struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader implements http.ResponseWriter.
func (k *kept) WriteHeader(code int) { k.code = code }

// Write implements http.ResponseWriter.
func (k *kept) Write(data []byte) (int, error) { return k.body.Write(data) }
