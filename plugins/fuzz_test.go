package plugins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// FuzzParse reads any file of a catalogue folder: it is a plugin, or has a problem in words.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no plugins: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 4000 {
			f.Add(data)
		}
	}
	f.Add([]byte(mine))
	f.Add([]byte(head + "finalizers: &a\n- names: *a\n"))
	f.Add([]byte(head + "finalizers:\n- &a {names: [a/b]}\n- *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		plugin, problems := plugins.Parse("x.yaml", data)
		if (plugin == nil) != (len(problems) > 0) {
			t.Errorf("a plugin: %v, and problems %v", plugin != nil, problems)
		}
		for _, problem := range problems {
			if strings.TrimSpace(problem.Reason) == "" {
				t.Errorf("a problem without words: %+v", problem)
			}
		}
	})
}
