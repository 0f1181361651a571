package controlplane_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestAnswersAreWhole asks first as one who knows the answer from before: a front at the port of an earlier one meets
// such. What others get is no "not modified".
func TestAnswersAreWhole(t *testing.T) {
	plane := controlplane.ForTest(t)
	front, err := plane.NewFront(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = front.Close() })
	answers := func() string {
		known := front.Answers()
		return front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
			known.ServeHTTP(w, r)
			return true
		})
	}
	first := discover(t, answers(), "")
	tag := first.header.Get("ETag")
	if first.code != http.StatusOK || tag == "" {
		t.Fatalf("discovery answers %d with the ETag %q", first.code, tag)
	}
	server := answers()
	for _, known := range []string{tag, ""} {
		if got := discover(t, server, known); got.code != http.StatusOK || got.body != first.body {
			t.Errorf("who knows %q gets %d and %d bytes, want all %d", known, got.code, len(got.body), len(first.body))
		}
	}
}

type discovered struct {
	code   int
	header http.Header
	body   string
}

// discover asks what the core group serves, and says which answer it knows.
func discover(t *testing.T, server, known string) discovered {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/api", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	if known != "" {
		request.Header.Set("If-None-Match", known)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return discovered{code: response.StatusCode, header: response.Header, body: string(body)}
}
