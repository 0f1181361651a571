package cluster

import (
	"net/http"
	"sync/atomic"
	"time"
)

// serverClock follows the server's clock by the Date header of its answers, so that ages and
// Leases are judged by the clock that wrote them. The header has whole seconds.
type serverClock struct {
	next   http.RoundTripper
	offset *atomic.Int64 // server time minus local time, in nanoseconds
}

func (c serverClock) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(request)
	if err == nil {
		if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
			c.offset.Store(int64(withoutJitter(time.Until(date))))
		}
	}
	return response, err
}

// withoutJitter takes an offset for none when the header's rounding and the way there explain it.
func withoutJitter(offset time.Duration) time.Duration {
	if offset.Abs() < 2*time.Second {
		return 0
	}
	return offset
}
