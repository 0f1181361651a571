package metrics

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestSlowReaders has more readers who don't read than places, with answers that fill all buffers: others are answered,
// and the ones who don't read are cut off where there are too many.
func TestSlowReaders(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	long := []byte(strings.Repeat("x", 16<<20))
	queue := newTurns(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			_, _ = w.Write(long)
		}
	}))
	server := &http.Server{Handler: queue, ReadHeaderTimeout: scrapeTime}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	waiting := func() int {
		queue.mu.Lock()
		defer queue.mu.Unlock()
		return len(queue.readers)
	}
	for number := range mostReaders + 2*mostScrapes {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = connection.Close() }()
		if _, err := fmt.Fprintf(connection, "GET /long HTTP/1.1\r\nHost: %d\r\n\r\n", number); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * mostScrapes {
		if status, body := get(t, &http.Client{}, "http://"+listener.Addr().String()+"/", ""); status != http.StatusOK {
			t.Fatalf("a reader who reads is answered %d %s beside those who don't", status, body)
		}
	}
	if waiting() > mostReaders {
		t.Errorf("%d readers at a time", waiting())
	}
}
