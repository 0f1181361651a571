package finding_test

import (
	"encoding/json"
	"slices"
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
