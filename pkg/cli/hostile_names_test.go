package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamesThatLeadElsewhere refuses names that no object can have, wherever they come from: each error says which one,
// and what to do.
func TestNamesThatLeadElsewhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	const manifest = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}`
	const hostile = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../kube-system/secrets/precious}\n"
	if err := os.WriteFile(file, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	const name, namespace = "Name objects as TYPE/NAME", "kubectl get namespaces"
	for _, command := range []string{"why", "preview", "tree"} {
		for typed, want := range map[string][]string{
			"configmap/..":                     {`the name ".." is not valid`, name},
			"configmap ..":                     {`the name ".." is not valid`, name},
			"configmap/a%2f..%2fb":             {`the name "a%2f..%2fb" is not valid`, name},
			"-f " + file + " -n shop":          {`"../../kube-system/secrets/precious" is not valid`, name},
			"configmap/a -n ../kube-system":    {`the namespace "../kube-system" is not valid`, namespace},
			"configmap/a --namespace=shop/b/c": {`the namespace "shop/b/c" is not valid`, namespace},
		} {
			if command == "tree" && strings.HasPrefix(typed, "-f") {
				continue // it takes no files
			}
			code, out, errOut := executed(t, manifest, append(strings.Fields(command+" "+typed), "--snapshot", "-")...)
			errOut = strings.Join(strings.Fields(errOut), " ")
			for _, words := range want {
				if code != 1 || out != "" || !strings.Contains(errOut, words) {
					t.Errorf("%s %s: exit code %d, want %q\n%s%s", command, typed, code, words, out, errOut)
				}
			}
		}
	}
	for _, command := range []string{"list", "check", "explain example.com/x", "metrics --once", "snapshot -o -"} {
		code, _, errOut := executed(t, manifest, append(strings.Fields(command), "-n", "../kube-system")...)
		if code != 1 || !strings.Contains(errOut, `the namespace "../kube-system" is not valid`) {
			t.Errorf("%s: exit code %d\n%s", command, code, errOut)
		}
	}
}
