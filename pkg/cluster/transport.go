package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// maxRetryAfter is the longest Retry-After, in seconds, that is obeyed. Priority and fairness asks for one second; a
// kind of which the watch cache can't get ready asks for up to thirty, ten times over, and never will be ready (k8s
// v1.37 apiserver/pkg/storage/cacher/util.go:calculateRetryAfterForUnreadyCache).
const maxRetryAfter = 2

// transport is what every request and every answer passes.
type transport struct {
	// ctx ends every request when it ends. kubectl's resource.Builder and RESTMapper take no context, and a person who
	// presses Ctrl-C must not wait for them.
	ctx    context.Context
	next   http.RoundTripper
	offset *atomic.Int64 // server time minus local time, in nanoseconds
}

type finishing struct{}

// Finishing returns a context for what must come to its end although ctx has ended: a write on its way, and the look at
// what became of it. Both end with the request's own timeout.
func Finishing(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), finishing{}, true)
}

// RoundTrip implements http.RoundTripper.
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
		return response, err
	}
	// The server's clock is followed, so that ages and Leases are judged by the clock that wrote them.
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		offset := time.Until(date)
		if offset.Abs() < 2*time.Second {
			offset = 0 // the header has whole seconds, and was under way
		}
		t.offset.Store(int64(offset))
	}
	// A long wait is handed on instead of waited out: to who asks why something is stuck, the refusal is the answer.
	if after, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && after > maxRetryAfter {
		response.Header.Del("Retry-After")
	}
	return response, nil
}

// discoveryCache keeps on disk what discovery answered, and asks the server each time whether that is still
// so: an answer is never older than the question. A server without ETags is simply asked.
type discoveryCache struct {
	dir  string
	next http.RoundTripper
}

type cachedAnswer struct {
	ETag        string `json:"etag"`
	ContentType string `json:"contentType"`
	Body        []byte `json:"body"`
}

// maxCachedAnswer bounds what is kept of one answer, in bytes.
const maxCachedAnswer = 64 << 20

// RoundTrip implements http.RoundTripper. What goes wrong with the disk only costs the time it would have saved.
func (c discoveryCache) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.TrimSuffix(request.URL.Path, "/")
	discovers := strings.HasSuffix(path, "/api") || strings.HasSuffix(path, "/apis")
	if c.dir == "" || request.Method != http.MethodGet || !discovers {
		return c.next.RoundTrip(request)
	}
	file := c.file(request)
	known, found := readCached(file)
	if found {
		request = request.Clone(request.Context())
		request.Header.Set("If-None-Match", known.ETag)
	}
	response, err := c.next.RoundTrip(request)
	switch {
	case err != nil:
		return nil, err
	case found && response.StatusCode == http.StatusNotModified:
		return known.answer(response), nil
	case response.StatusCode == http.StatusOK && response.Header.Get("ETag") != "":
		return writeCached(file, response)
	}
	return response, nil
}

// file is named after everything that the answer depends on; who asks is not part of that.
func (c discoveryCache) file(request *http.Request) string {
	question := request.URL.String() + "\n" + request.Header.Get("Accept")
	return filepath.Join(c.dir, fmt.Sprintf("%x.json", sha256.Sum256([]byte(question))))
}

func readCached(file string) (known cachedAnswer, found bool) {
	data, err := os.ReadFile(file)
	found = err == nil && json.Unmarshal(data, &known) == nil && known.ETag != "" && len(known.Body) > 0
	return known, found
}

// answer is the response as it was when it was remembered.
func (known cachedAnswer) answer(response *http.Response) *http.Response {
	_ = response.Body.Close()
	response.StatusCode, response.Status = http.StatusOK, "200 OK"
	response.Header.Set("Content-Type", known.ContentType)
	response.Header.Del("Content-Length")
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(known.Body)), int64(len(known.Body))
	return response
}

func writeCached(file string, response *http.Response) (*http.Response, error) {
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxCachedAnswer))
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if len(body) == maxCachedAnswer {
		return response, nil
	}
	header := response.Header
	known := cachedAnswer{ETag: header.Get("ETag"), ContentType: header.Get("Content-Type"), Body: body}
	if data, err := json.Marshal(known); err == nil && os.MkdirAll(filepath.Dir(file), 0o750) == nil {
		replaceFile(file, data)
	}
	return response, nil
}

// replaceFile writes a file that somebody else may be reading.
func replaceFile(file string, data []byte) {
	temporary, err := os.CreateTemp(filepath.Dir(file), "new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(data)
	if closed := temporary.Close(); err == nil && closed == nil && os.Rename(temporary.Name(), file) == nil {
		return
	}
	_ = os.Remove(temporary.Name())
}
