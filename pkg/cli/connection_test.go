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

// TestMisspeltContext suggests what the kubeconfig has, before it asks a server.
func TestMisspeltContext(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: prod, context: {cluster: main}}]\n" +
		"clusters: [{name: main, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: jane, user: {token: x}}]\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"--context prd":                   `the kubeconfig has no context "prd"; did you mean prod?`,
		"--context prod --user jame":      `the kubeconfig has no user "jame"; did you mean jane?`,
		"--context prod --cluster Main":   `the kubeconfig has no cluster "Main"; did you mean main?`,
		"--context lab":                   "To list the contexts, run: kubectl config get-contexts",
		"--context prod --user jane -n x": "can't be reached",
	} {
		args := append(strings.Fields(typed), "list", "--kubeconfig", file, "--cache-dir", t.TempDir())
		code, _, errOut := executed(t, "", args...)
		if code != exitFailed || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit code %d, want %q\n%s", typed, code, want, errOut)
		}
	}
}
