package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestSelectedWithoutEnd selects objects on servers whose lists never end, are too heavy or end too early. No command
// takes what it has got for all there is, and none asks without end.
func TestSelectedWithoutEnd(t *testing.T) {
	const one = `{"metadata":{"namespace":"shop","name":"a","uid":"u","resourceVersion":"1"}}`
	for name, c := range map[string]struct {
		metadata, items string // of page %d
		want            string
	}{
		"a token that repeats": {`{"continue":"again"}`, one, "the same page of a list twice"},
		"tokens without end":   {`{"continue":"%d"}`, one, "a list that has no end"},
		"nothing of seven":     {`{"remainingItemCount":7}`, "", "a list that ends before its last 7 objects"},
		"a heavy object": {`{}`, `{"metadata":{"name":"` + strings.Repeat("x", 17<<20) + `"}}`,
			"a list with an object of more than 8 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			var lists atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/api/v1/namespaces/shop/configmaps" {
					metadata := strings.ReplaceAll(c.metadata, "%d", fmt.Sprint(lists.Add(1)))
					_, _ = fmt.Fprintf(w, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":%s,"items":[%s]}`,
						metadata, c.items)
					return
				}
				serveConfigMaps(w, r)
			}))
			defer server.Close()
			for _, command := range []string{"why", "preview", "remove"} {
				lists.Store(0)
				code, out, errOut := executed(t, "", command, "cm", "-l", "app=web", "-n", "shop", "--server", server.URL,
					"--kubeconfig", "/dev/null", "--cache-dir", t.TempDir())
				if code != exitFailed || out != "" || !strings.Contains(errOut, c.want) || lists.Load() > 200 {
					t.Errorf("%s: exit code %d after %d lists: %s%s", command, code, lists.Load(), out, errOut)
				}
			}
		})
	}
}

// TestSelectedInManifests selects some of what is in manifests: by their labels there, also within a List. Nothing else
// of the file is a target, and what can't select there is refused.
func TestSelectedInManifests(t *testing.T) {
	object := func(name, app, more string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %[1]s, namespace: shop, uid: %[1]s, "+
			"labels: {app: %[2]s}%[3]s}\n", name, app, more)
	}
	item := func(name, app string) string {
		return "- " + strings.ReplaceAll(strings.TrimSpace(object(name, app, "")), "\n", "\n  ") + "\n"
	}
	folder, recorded := t.TempDir(), ""
	for name, app := range map[string]string{"a": "notes", "b": "web", "c": "web", "d": "notes", "e": "notes"} {
		recorded += object(name, app,
			", finalizers: [example.com/hold], deletionTimestamp: '2026-01-01T10:00:00Z'") + "---\n"
	}
	manifest := "apiVersion: v1\nkind: List\nitems:\n" + item("a", "notes") + item("b", "web") + "---\n" +
		object("c", "web", "") + "---\n" + object("d", "notes", "")
	cluster, file := filepath.Join(folder, "cluster.yaml"), filepath.Join(folder, "manifest.yaml")
	for path, content := range map[string]string{cluster: recorded, file: manifest} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"-l app=notes":                     "configmap/a configmap/d",
		"-l app!=notes":                    "configmap/b configmap/c",
		"-l app=none":                      "",
		"--field-selector metadata.name=a": "error: --field-selector selects objects of a type in the cluster",
	} {
		for _, from := range []string{file, "-"} {
			args := append(strings.Fields("why -o name "+line), "-f", from, "--snapshot", cluster)
			code, out, errOut := executed(t, manifest, args...)
			refused := strings.HasPrefix(want, "error:")
			switch got := strings.Join(strings.Fields(out), " "); {
			case refused && (code != exitFailed || got != "" || !strings.Contains(errOut, want)):
				t.Errorf("%s of %s: exit code %d, %q, want %q", line, from, code, got+errOut, want)
			case !refused && (code != 0 || got != want):
				t.Errorf("%s of %s: exit code %d, %q, want %q: %s", line, from, code, got, want, errOut)
			}
		}
	}
}

// serveConfigMaps answers that there are ConfigMaps, as kinds of objects go.
func serveConfigMaps(w http.ResponseWriter, r *http.Request) {
	answer, known := map[string]string{
		"/api": `{"kind":"APIVersions","versions":["v1"]}`,
		"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":[` +
			`{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}]}`,
		"/apis/apps/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[{"name":` +
			`"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","verbs":["get","list"]}]}`,
		"/api/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":[{"name":"configmaps",` +
			`"singularName":"configmap","namespaced":true,"kind":"ConfigMap","shortNames":["cm"],"verbs":["get","list"]}]}`,
	}[r.URL.Path]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	}
	_, _ = fmt.Fprint(w, answer)
}
