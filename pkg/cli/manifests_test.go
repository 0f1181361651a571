package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bomb expands to gigabytes in some parsers of YAML.
const bomb = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
data:
  a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
  g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
`

// TestBombs names manifests that expand without end, wherever manifests can come from: each is refused by its name.
func TestBombs(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "bomb.yaml")
	recorded := filepath.Join(t.TempDir(), "recorded.json")
	const manifest = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}`
	for path, text := range map[string]string{file: bomb, recorded: manifest} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fine.yaml" {
			_, _ = w.Write([]byte(manifest))
			return
		}
		_, _ = w.Write([]byte(bomb))
	}))
	defer server.Close()
	for _, where := range []string{file, folder, filepath.Join(folder, "*.yaml"), server.URL + "/bomb.yaml", "-"} {
		for _, command := range []string{"why", "preview"} {
			code, out, errOut := executed(t, bomb, command, "-f", where, "--snapshot", recorded)
			named := strings.Contains(errOut, where) || where == "-" && strings.Contains(errOut, "standard input")
			if code != 1 || out != "" || !named || !strings.Contains(errOut, "expand to more than 4 MiB") {
				t.Errorf("%s -f %s: exit code %d\n%s%s", command, where, code, out, errOut)
			}
		}
	}
	code, _, errOut := executed(t, "", "why", "configmap/a", "-n", "shop", "--snapshot", file)
	if code != 1 || !strings.Contains(errOut, "expand to more than 4 MiB") {
		t.Errorf("as a recording: exit code %d\n%s", code, errOut)
	}
	if code, _, errOut := executed(t, "", "why", "-f", server.URL+"/fine.yaml", "--snapshot", recorded); code != 0 {
		t.Errorf("from an address: exit code %d\n%s", code, errOut)
	}
}
