package k9s_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/k9s"
)

const published = "../../docs/k9s/plugins.yaml"

// TestSchema holds the plugins against the schema by which k9s accepts a file.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "plugins.json"))
	if err != nil {
		t.Fatal(err)
	}
	ofK9s := &jsonschema.Schema{}
	if err := json.Unmarshal(text, ofK9s); err != nil {
		t.Fatal(err)
	}
	schema, err := ofK9s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		text  string
		valid bool
	}{
		"the file":                  {string(data), true},
		"a plugin without a key":    {strings.Replace(string(data), "shortCut:", "shortcut:", 1), false},
		"a flag that is no text":    {strings.Replace(string(data), "- why\n", "- {why: x}\n", 1), false},
		"a second top-level entry":  {string(data) + "\nothers: {}\n", false},
		"a scope that is no list":   {strings.Replace(string(data), "[all]", "all", 1), false},
		"a confirmation that is on": {strings.Replace(string(data), "scopes:", "confirm: yes please\n    scopes:", 1), false},
	} {
		var file any
		text, err := yaml.YAMLToJSON([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(file); (err == nil) != c.valid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestKeys gives each plugin a key that k9s knows and has nothing on, in any view: otherwise k9s leaves the plugin out,
// or the key does something else in one of the views.
func TestKeys(t *testing.T) {
	// Keys of k9s' views from v0.32 to v0.51 (KeyShift* and KeyCtrl* in internal/ui and internal/view), then the keys
	// that move in its tables, and the ones that are Backspace, Tab and Enter in terminals.
	taken := "Shift-ABCDEFIJKLMNOPRSTUVWXZ Ctrl-ACDEFGKLPQRSUWXZ" + " Shift-G Ctrl-BF" + " Ctrl-HIJM"
	plugins, err := k9s.Read(published)
	if err != nil || len(plugins) == 0 {
		t.Fatalf("%d plugins: %v", len(plugins), err)
	}
	used := map[string]string{}
	for name, plugin := range plugins {
		modifier, letter, found := strings.Cut(plugin.ShortCut, "-")
		if !found || modifier != "Shift" && modifier != "Ctrl" || len(letter) != 1 || letter < "A" || letter > "Z" {
			t.Errorf("%s: %q is no key", name, plugin.ShortCut)
		}
		for _, keys := range strings.Fields(taken) {
			if text, letters, _ := strings.Cut(keys, "-"); text == modifier && strings.Contains(letters, letter) {
				t.Errorf("%s: k9s has something on %s", name, plugin.ShortCut)
			}
		}
		if other := used[plugin.ShortCut]; other != "" {
			t.Errorf("%s and %s have the key %s", name, other, plugin.ShortCut)
		}
		used[plugin.ShortCut] = name
	}
}

// TestExpand replaces what k9s knows, and leaves a shell's own variables alone.
func TestExpand(t *testing.T) {
	plugin := k9s.Plugin{Args: []string{`"$1" "$@" $config`, "$RESOURCE_NAME.$RESOURCE_GROUP/$NAME", "-n=${NAMESPACE}"}}
	row := k9s.Row{Group: "rbac.authorization.k8s.io", Resource: "clusterroles", Name: "system:x"}
	want := []string{`"$1" "$@" $config`, "clusterroles.rbac.authorization.k8s.io/system:x", "-n=-"}
	if got := plugin.Expand(row); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
