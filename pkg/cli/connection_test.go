package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestNoAPIServer asks servers that are none: that is an error, and not a cluster without anything in it.
func TestNoAPIServer(t *testing.T) {
	nobody := filepath.Join(t.TempDir(), "kubeconfig")
	content := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: " +
		"{cluster: c}}]\nclusters: [{name: c, cluster: {}}]\n"
	if err := os.WriteFile(nobody, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		"{}":     "it answered with an object without apiVersion and kind",
		"<html>": "it answered with HTML",
		`{"kind":"APIGroupDiscoveryList","items":[]}`: "it answered with an empty list of what it serves",
		"": "it answered with a redirect to https://login.example.com",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if body == "" {
				w.Header().Set("Location", "https://login.example.com/?state=x")
				w.WriteHeader(http.StatusFound)
			}
			_, _ = io.WriteString(w, body)
		}))
		for _, command := range [][]string{{"list", "-A"}, {"check", "-A"}, {"why", "pod/a"}} {
			var out, errOut bytes.Buffer
			streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
			args := append(command, "--kubeconfig", nobody, "--server", server.URL, "--cache-dir", t.TempDir())
			code := Execute(t.Context(), streams, args)
			if code != 1 || out.Len() > 0 || !strings.Contains(errOut.String(), want) {
				t.Errorf("%v of a server that answers %q: exit code %d\n%s%s", command, body, code, out.String(), errOut.String())
			}
		}
		server.Close()
	}
}
