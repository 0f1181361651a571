package metrics

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"
)

// TokenReviewer returns whose a token is, and whether its owner may get a path. The user is empty for a token that
// isn't accepted.
type TokenReviewer interface {
	MayGet(ctx context.Context, token, path string) (user string, allowed bool, err error)
}

// Bounds of what a guard asks and remembers.
const (
	rememberedFor  = time.Minute
	mostRemembered = 1000
	mostReviews    = 4 // at once: who knocks with many tokens must not become a burden to the API server
)

// guard lets in who bears a token that a TokenReviewer lets in.
type guard struct {
	reviewer TokenReviewer
	now      func() time.Time
	reviews  chan struct{}

	mu    sync.Mutex
	known map[[sha256.Size]byte]decision
}

// decision is an HTTP status, and until when it holds.
type decision struct {
	status int
	until  time.Time
}

// Guard returns what lets requests through to a handler if they bear a token whose owner may get their path, and
// answers 401 or 403 otherwise, or 503 where that can't be found out. Answers are remembered for a minute.
func Guard(reviewer TokenReviewer) func(http.Handler) http.Handler {
	g := &guard{
		reviewer: reviewer, now: time.Now,
		reviews: make(chan struct{}, mostReviews), known: map[[sha256.Size]byte]decision{},
	}
	return g.before
}

func (g *guard) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		status := http.StatusUnauthorized
		if token = strings.TrimSpace(token); token != "" && strings.EqualFold(scheme, "bearer") {
			status = g.decide(r.Context(), token, r.URL.Path)
		}
		if status != http.StatusOK {
			http.Error(w, http.StatusText(status), status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (g *guard) decide(ctx context.Context, token, path string) int {
	key := sha256.Sum256([]byte(path + "\x00" + token))
	g.mu.Lock()
	last, known := g.known[key]
	g.mu.Unlock()
	if known && g.now().Before(last.until) {
		return last.status
	}
	ctx, cancel := context.WithTimeout(ctx, scrapeTime)
	defer cancel()
	select {
	case g.reviews <- struct{}{}:
		defer func() { <-g.reviews }()
	case <-ctx.Done():
		return http.StatusServiceUnavailable
	}
	user, allowed, err := g.reviewer.MayGet(ctx, token, path)
	if err != nil {
		return http.StatusServiceUnavailable // that it can't be asked now is nothing to remember
	}
	status := http.StatusOK
	switch {
	case user == "":
		status = http.StatusUnauthorized
	case !allowed:
		status = http.StatusForbidden
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= mostRemembered {
		clear(g.known)
	}
	g.known[key] = decision{status: status, until: g.now().Add(rememberedFor)}
	return status
}
