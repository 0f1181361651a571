package credential_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// stays fails for a text that is taken for a credential.
func stays(t *testing.T, where, text string) {
	t.Helper()
	if cleaned := credential.Clean(text); cleaned != text {
		t.Errorf("%s: of %q is left %q", where, text, cleaned)
	}
}

// eachText visits all texts in YAML files: keys, and values.
func eachText(t *testing.T, pattern string, visit func(file, text string)) (count int) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var content any
		if err := yaml.Unmarshal(data, &content); err != nil {
			t.Fatal(err)
		}
		var walk func(any)
		walk = func(value any) {
			switch value := value.(type) {
			case map[string]any:
				for key, inner := range value {
					visit(file, key)
					walk(inner)
				}
			case []any:
				for _, inner := range value {
					walk(inner)
				}
			case string:
				visit(file, value)
				count++
			}
		}
		walk(content)
	}
	return count
}

// TestCatalogueStays walks everything that the catalogue says: names of finalizers, kinds, workloads and managers, and
// its sentences. Names also stay in the places in which answers have them.
func TestCatalogueStays(t *testing.T) {
	count := eachText(t, "../../plugins/*.yaml", func(file, text string) {
		stays(t, file, text)
		if !strings.Contains(text, " ") {
			stays(t, file, "Database shop/orders holds the finalizer "+text+", whose controller is not known")
			stays(t, file, text+" has the usual name")
		}
	})
	if count < 1000 {
		t.Errorf("only %d texts were seen", count)
	}
}

// TestSentencesStay walks the program's own sentences, with names and nothing in the places of their parameters.
func TestSentencesStay(t *testing.T) {
	parameters := regexp.MustCompile(`\{\{[^}]*\}\}`)
	count := eachText(t, "../finding/texts/*.yaml", func(file, text string) {
		for _, name := range []string{"", "orders", "Secret shop/db-password", "syncer.configmanagement.gke.io"} {
			stays(t, file, parameters.ReplaceAllLiteralString(text, " "+name+" "))
		}
	})
	if count < 500 {
		t.Errorf("only %d texts were seen", count)
	}
}

// TestReasonsStay has every reason code before what it says.
func TestReasonsStay(t *testing.T) {
	for _, reason := range finding.Reasons() {
		for _, said := range []string{"", ": not found", " (likely): orders is gone", ": client orders has no right"} {
			stays(t, "reason", string(reason)+said)
		}
	}
}

// TestKeeping leaves names that look like credentials where they are known, and nothing else.
func TestKeeping(t *testing.T) {
	const name, other = "glpat-abcdefghij0123456789", "glpat-9876543210jihgfedcba"
	clean := credential.Keeping([]string{name})
	text := name + "/hold of shop/" + name + ", not " + other + ": password=hunter2"
	want := name + "/hold of shop/" + name + ", not (hidden): password=(hidden)"
	if got := clean(text); got != want {
		t.Errorf("of %q is left\n%q, want\n%q", text, got, want)
	}
	if got := clean("\ue0000\ue001 " + name); strings.Contains(got, name) {
		t.Errorf("a text with the marks of its own is cleaned as %q", got)
	}
}
