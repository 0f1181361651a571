package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesAreHeld finds each test that docs/safety.md names, and for each promise one at least.
func TestPromisesAreHeld(t *testing.T) {
	named := regexp.MustCompile("`([a-z/-]+)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`")
	promises := 0
	for _, line := range strings.Split(page(t, "safety.md"), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| promise |") {
			continue
		}
		promises++
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test holds: %s", line)
		}
		for _, test := range tests {
			if !declared(t, test[1], test[2]) {
				t.Errorf("%s has no test %s, which docs/safety.md names", test[1], test[2])
			}
		}
	}
	if promises < 20 {
		t.Errorf("docs/safety.md has %d promises: its tables are not found", promises)
	}
}

// declared reports whether a package has a test.
func declared(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}
