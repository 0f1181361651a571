package controlplane

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A starved API server, which no test can have at will, is played: it gives up on the first tries.
func TestPatient(t *testing.T) {
	tests := map[string]struct {
		method  string
		givesUp int
		want    int
		tries   int
	}{
		"a write that was given up on":     {http.MethodPatch, 2, http.StatusOK, 3},
		"a read that was given up on":      {http.MethodGet, 1, http.StatusOK, 2},
		"a creation, which may have been":  {http.MethodPost, 1, http.StatusGatewayTimeout, 1},
		"a write that is answered at once": {http.MethodPatch, 0, http.StatusOK, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tries := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				tries++
				if sent, _ := io.ReadAll(r.Body); string(sent) != "the whole body" {
					t.Errorf("try %d sends %q", tries, sent)
				}
				if tries <= test.givesUp {
					w.WriteHeader(http.StatusGatewayTimeout)
				}
			}))
			t.Cleanup(server.Close)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			request, err := http.NewRequestWithContext(ctx, test.method, server.URL, strings.NewReader("the whole body"))
			if err != nil {
				t.Fatal(err)
			}
			response, err := patient{http.DefaultTransport}.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != test.want || tries != test.tries {
				t.Errorf("it ends with %d after %d tries, want %d after %d",
					response.StatusCode, tries, test.want, test.tries)
			}
		})
	}
}
