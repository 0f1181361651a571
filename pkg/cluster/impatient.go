package cluster

import (
	"net/http"
	"strconv"
)

// longestRetry is the longest Retry-After, in seconds, that is obeyed. Priority and fairness asks for
// one second; a kind of which the watch cache can't get ready asks for up to thirty, ten times over,
// and never will be ready (k8s v1.37 apiserver/pkg/storage/cacher/util.go:calculateRetryAfterForUnreadyCache).
const longestRetry = 2

// impatient takes a long Retry-After off an answer, so that it is handed on instead of waited out: to
// a person who asks why something is stuck, the refusal is the answer.
type impatient struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (i impatient) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := i.next.RoundTrip(request)
	if err == nil {
		if after, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && after > longestRetry {
			response.Header.Del("Retry-After")
		}
	}
	return response, err
}
