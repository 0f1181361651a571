package cluster

import (
	"net/http"
	"strconv"
)

// maxRetryAfter is the longest Retry-After, in seconds, that is obeyed. Priority and fairness asks for
// one second; a kind of which the watch cache can't get ready asks for up to thirty, ten times over,
// and never will be ready (k8s v1.37 apiserver/pkg/storage/cacher/util.go:calculateRetryAfterForUnreadyCache).
const maxRetryAfter = 2

// retryLimit takes a long Retry-After off an answer, so that it is handed on instead of waited out: to
// a person who asks why something is stuck, the refusal is the answer.
type retryLimit struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l retryLimit) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(request)
	if err == nil {
		if after, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && after > maxRetryAfter {
			response.Header.Del("Retry-After")
		}
	}
	return response, err
}
