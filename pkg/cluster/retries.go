package cluster

import (
	"errors"
	"sync"
	"syscall"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// retries bounds how long a run waits to try again what was refused for the moment, or broke off. client-go does so up
// to ten times for each request (k8s v1.37 client-go/rest/with_retry.go:IsNextRetry), and a diagnosis that rests on
// fifty lists would wait for minutes. Requests that wait at the same time count once.
type retries struct {
	mu    sync.Mutex
	left  time.Duration
	until time.Time // when the last of the ones that wait try again
}

// newRetries allows to wait as long as a single request may take. Where that has no bound, nothing has.
func newRetries(timeout time.Duration) *retries {
	if timeout <= 0 {
		return nil
	}
	return &retries{left: timeout}
}

// allow reports whether a request may wait and be tried again.
func (r *retries) allow(wait time.Duration) bool {
	if r == nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	begin, end := time.Now(), time.Now().Add(wait)
	if r.until.After(begin) {
		begin = r.until
	}
	if more := max(end.Sub(begin), 0); more < r.left {
		r.left -= more
		if more > 0 {
			r.until = end
		}
		return true
	}
	r.left = 0
	return false
}

// afterBreak is what client-go waits after a connection broke off.
const afterBreak = time.Second

// limit returns an error of the connection in a form in which client-go tries again, or in another one where it is not
// to any more.
func (r *retries) limit(err error) error {
	broke := errors.Is(err, syscall.ECONNRESET) || utilnet.IsProbableEOF(err) || utilnet.IsHTTP2ConnectionLost(err)
	if !broke || r.allow(afterBreak) {
		return err
	}
	return errors.New("the connection broke off twice") // without what client-go knows
}
