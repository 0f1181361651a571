package controlplane

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"sync"
)

// Answers are those of the API server to what was read through a Front, for many who ask the same while nothing
// changes: each is fetched once. What could change something is always passed on.
type Answers struct {
	front *Front

	mu    sync.Mutex
	known map[string]*answer
}

// answer is one of them, complete once it is fetched.
type answer struct {
	fetch  sync.Once
	whole  bool
	code   int
	header http.Header
	body   bytes.Buffer
}

// Answers returns an empty set of answers.
func (f *Front) Answers() *Answers { return &Answers{front: f, known: map[string]*answer{}} }

// ServeHTTP implements http.Handler.
func (a *Answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Query().Has("watch") || r.URL.Query().Has("follow") {
		a.front.Pass(w, r)
		return
	}
	key := r.URL.RequestURI() + " " + r.Header.Get("Accept") + " " + r.Header.Get("Accept-Encoding")
	found := a.find(key)
	found.fetch.Do(func() {
		defer func() { // whatever cuts the answer off ends this request, too
			if !found.whole || found.code >= http.StatusInternalServerError || found.code == http.StatusTooManyRequests {
				a.forget(key)
			}
		}()
		// Whoever asked first may give up, or know the answer already; the others still want it.
		whole := r.Clone(context.WithoutCancel(r.Context()))
		whole.Header.Del("If-None-Match")
		a.front.Pass(found, whole)
		found.whole = true
	})
	if !found.whole {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), found.header)
	w.WriteHeader(found.code)
	_, _ = w.Write(found.body.Bytes())
}

func (a *Answers) find(key string) *answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known[key] == nil {
		a.known[key] = &answer{code: http.StatusOK, header: http.Header{}}
	}
	return a.known[key]
}

func (a *Answers) forget(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, key)
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(code int) { a.code = code }

// Write implements http.ResponseWriter.
func (a *answer) Write(part []byte) (int, error) { return a.body.Write(part) }
