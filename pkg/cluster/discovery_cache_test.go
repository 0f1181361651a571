package cluster

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// TestDiscoveryCache asks a server whose answer changes: the cache never answers without asking.
func TestDiscoveryCache(t *testing.T) {
	answer, sent := "first", 0
	body := func(path, answer string) string {
		return fmt.Sprintf(`{"kind":%q,"items":[%q]}`, discoveryKinds(path)[0], answer)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+answer+`"`)
		if r.Header.Get("If-None-Match") == `"`+answer+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		_, _ = io.WriteString(w, body(r.URL.Path, answer))
	}))
	defer server.Close()
	dir := t.TempDir()
	client := http.Client{Transport: discoveryCache{dir: filepath.Join(dir, "cache"), next: http.DefaultTransport,
		silent: &silences{}}}
	ask := func(path, want string, wantSent int) {
		t.Helper()
		response, err := client.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		got, err := io.ReadAll(response.Body)
		if err != nil || string(got) != body(path, want) || response.StatusCode != http.StatusOK || sent != wantSent {
			t.Errorf("%s: %d %q after %d answers (%v), want %q after %d", path, response.StatusCode, got, sent, err, want,
				wantSent)
		}
	}
	ask("/apis", "first", 1)
	ask("/apis", "first", 1)
	ask("/api", "first", 2) // another question
	answer = "second"
	ask("/apis", "second", 3)
	ask("/apis", "second", 3)
	ask("/apis/apps/v1", "second", 4) // only discovery is remembered
	ask("/apis/apps/v1", "second", 5)
	files, err := filepath.Glob(filepath.Join(dir, "cache", "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask("/apis", "second", 6)
}
