package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// maxRetryAfter is the longest Retry-After, in seconds, that is obeyed. Priority and fairness asks for one second; a
// kind whose watch cache can't get ready asks for up to thirty, ten times over, and never will be ready (k8s v1.37
// apiserver/pkg/storage/cacher/util.go:calculateRetryAfterForUnreadyCache).
const maxRetryAfter = 2

// transport is what every request and every answer passes.
type transport struct {
	// ctx ends every request when it ends. kubectl's resource.Builder and RESTMapper take no context, and a person who
	// presses Ctrl-C must not wait for them.
	ctx     context.Context
	next    http.RoundTripper
	offset  *atomic.Int64 // server time minus local time, in nanoseconds
	retries *retries
}

type finishing struct{}

// Finishing returns a context for what must come to its end although ctx has ended: a write on its way, and the look at
// what became of it. Both end with the request's own timeout.
func Finishing(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), finishing{}, true)
}

// redirect is the error of an answer that leads elsewhere. No API server redirects; what does may be a page to log in,
// and would be sent the credentials of whoever follows.
func redirect(response *http.Response) error {
	to := "nowhere"
	if place, err := response.Location(); err == nil {
		to = place.Scheme + "://" + place.Host
	}
	return &WrongAnswer{Got: "a redirect to " + to}
}

type metered struct{}

// mostUnmetered bounds the answers that client-go reads to their end, in bytes: pages of up to 500 objects.
const mostUnmetered = 4 * maxAnswer

// bodyOf returns the body of an answer with a bound. A watch has none: it lasts, and client-go bounds each event. What
// is streamed has bounds of its own.
func bodyOf(response *http.Response, request *http.Request) io.ReadCloser {
	body := response.Body
	if request.Context().Value(metered{}) != nil || request.URL.Query().Get("watch") != "" {
		return body
	}
	left := int64(mostUnmetered)
	return struct {
		io.Reader
		io.Closer
	}{readerFunc(func(into []byte) (int, error) {
		n, err := body.Read(into)
		if left -= int64(n); left < 0 {
			return 0, &WrongAnswer{Got: fmt.Sprintf("more than %d MiB", mostUnmetered>>20)}
		}
		return n, err
	}), body}
}

type readerFunc func(into []byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(into []byte) (int, error) { return f(into) }

// RoundTrip implements http.RoundTripper. A redirect is an error.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Context().Value(finishing{}) == nil {
		ctx, cancel := context.WithCancelCause(request.Context())
		// Neither function is undone when the answer has arrived, because its body is still to be read. They go with
		// t.ctx, at the end of the command.
		context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
		request = request.WithContext(ctx)
	}
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return response, t.retries.limit(err)
	}
	if response.StatusCode/100 == 3 && response.StatusCode != http.StatusNotModified {
		_ = response.Body.Close()
		return nil, redirect(response)
	}
	response.Body = bodyOf(response, request)
	// The server's clock is followed, so that ages and Leases are judged by the clock that wrote them.
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		offset := time.Until(date)
		if offset.Abs() < 2*time.Second {
			offset = 0 // the header has whole seconds, and took time to arrive
		}
		t.offset.Store(int64(offset))
	}
	// A long wait is handed on instead of waited out: to who asks why something is stuck, the refusal is the answer.
	after, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err == nil && (after > maxRetryAfter || !t.retries.allow(time.Duration(after)*time.Second)) {
		response.Header.Del("Retry-After")
	}
	return response, nil
}
