package cluster

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// TestRetriesEnd has a server that is always too busy: all lists together are waited for as long as one may take.
func TestRetriesEnd(t *testing.T) {
	r := newRetries(5 * time.Second)
	waits := []time.Duration{2 * time.Second, 2 * time.Second, time.Second} // at the same time
	for _, wait := range waits {
		if !r.allow(wait) {
			t.Error("what waits at the same time doesn't count once")
		}
	}
	if r.allow(8 * time.Second) {
		t.Error("it may wait for longer than a request may take")
	}
	if r.allow(0) || r.limit(syscall.ECONNRESET) == syscall.ECONNRESET || r.limit(context.Canceled) != context.Canceled {
		t.Error("it may be tried again although the time for that is over")
	}
	if !newRetries(0).allow(time.Hour) {
		t.Error("without a bound for requests there is one for waiting")
	}
}

// TestDiscoveryIsNotWaitedForTwice has a group that hangs, and a server from before aggregated discovery.
func TestDiscoveryIsNotWaitedForTwice(t *testing.T) {
	var hung atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers := map[string]string{
			"/api": `{"kind":"APIVersions","versions":["v1"]}`,
			"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod",` +
				`"verbs":["list"]}]}`,
			"/apis": `{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1",` +
				`"version":"v1"}]}]}`,
		}
		w.Header().Set("Content-Type", "application/json")
		if answer := answers[r.URL.Path]; answer != "" {
			_, _ = w.Write([]byte(answer))
			return
		}
		if r.URL.Path == "/apis/apps/v1" {
			hung.Add(1)
		}
		<-r.Context().Done()
	}))
	defer server.Close()
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL, Timeout: 200 * time.Millisecond}, "")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		servedKinds, err := live.ServedKinds(t.Context())
		if err != nil || len(servedKinds.FailedVersions()) != 1 ||
			!strings.Contains(servedKinds.Failed[servedKinds.FailedVersions()[0]].Error(), "deadline") {
			t.Fatalf("%v %+v", err, servedKinds)
		}
	}
	if hung.Load() != 1 {
		t.Errorf("a group that hangs was asked about %d times", hung.Load())
	}
}
