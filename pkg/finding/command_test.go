package finding_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func TestCommandsAreOneStringForPrograms(t *testing.T) {
	for want, command := range map[string]finding.Command{
		`{"action":"","command":"kubectl get pods/web -n shop","risk":"None"}`:  {"kubectl", "get", "pods/web", "-n", "shop"},
		`{"action":"","command":"echo '' 'a b' 'it'\\''s' '\\'","risk":"None"}`: {"echo", "", "a b", "it's", `\`},
		`{"action":"","command":"echo '<é>'","risk":"None"}`:                    {"echo", "<é>"},
		`{"action":"","risk":"None"}`:                                           nil,
	} {
		var text jsonText
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(finding.Remedy{Command: command}); err != nil {
			t.Fatal(err)
		}
		if string(text) != want+"\n" {
			t.Errorf("%q is written as %s, want %s", command, text, want)
		}
		var back finding.Remedy
		if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back.Command, command) {
			t.Errorf("%s is read as %q: %v", text, back.Command, err)
		}
	}
	if err := new(finding.Command).UnmarshalText([]byte("echo 'a")); err == nil {
		t.Error("a command whose quote isn't closed was read")
	}
}

type jsonText []byte

func (t *jsonText) Write(more []byte) (int, error) {
	*t = append(*t, more...)
	return len(more), nil
}

func TestOnlyReads(t *testing.T) {
	for command, want := range map[string]bool{
		"kubectl --context zoo get csidrivers":                     true,
		"kubectl --context zoo -n shop describe pods/web":          true,
		"kubectl -n shop delete configmaps/a --dry-run=server":     true,
		"helm --kube-context zoo -n shop history shop":             true,
		"kubectl auth can-i patch pv --all-namespaces":             true,
		"kubectl auth reconcile -f roles.yaml":                     false,
		"kubectl --context get delete pods/web":                    false,
		"kubectl -n shop delete pods/web --force":                  false,
		"kubectl patch persistentvolumes/get --type merge -p x":    false,
		"kubectl finalizers remove configmaps/a --finalizer get/x": false,
		"etcdctl get /registry":                                    false,
		"":                                                         false,
	} {
		if got := finding.Command(strings.Fields(command)).OnlyReads(); got != want {
			t.Errorf("%q only reads: %t, want %t", command, got, want)
		}
	}
}
