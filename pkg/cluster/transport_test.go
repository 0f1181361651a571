package cluster

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

func TestRetryLimitHandsOnLongWaits(t *testing.T) {
	for after, want := range map[string]string{"1": "1", "30": "", "": "",
		"Wed, 21 Oct 2026 07:28:00 GMT": "Wed, 21 Oct 2026 07:28:00 GMT"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(http.StatusTooManyRequests)
		}))
		client := http.Client{Transport: transport{ctx: t.Context(), next: http.DefaultTransport, offset: &atomic.Int64{},
			retries: newRetries(time.Minute)}}
		response, err := client.Get(server.URL)
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got := response.Header.Get("Retry-After"); got != want {
			t.Errorf("Retry-After %q is handed on as %q, want %q", after, got, want)
		}
	}
}
