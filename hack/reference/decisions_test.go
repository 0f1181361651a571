package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDependenciesHaveReasons compares decision 3 with the direct dependencies of the modules that build the program
// and its tests.
func TestDependenciesHaveReasons(t *testing.T) {
	var direct, given []string
	for _, module := range []string{"../../go.mod", "../go.mod"} { // the second one only if hack is a module of its own
		data, err := os.ReadFile(module)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			required := regexp.MustCompile(`^(?:require )?\s*(\S+\.\S+/\S+) v\S+$`).FindStringSubmatch(strings.TrimSpace(line))
			if required != nil && required[1] != "github.com/kubectl-finalizers/kubectl-finalizers" {
				direct = append(direct, required[1])
			}
		}
	}
	for _, row := range strings.Split(page(t, "decisions/0003-dependencies.md"), "\n") {
		modules, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		if strings.HasPrefix(row, "| `") {
			for _, named := range strings.Split(modules, ", ") {
				given = append(given, strings.Trim(named, "`"))
			}
		}
	}
	if len(direct) < 20 {
		t.Fatalf("%d direct dependencies found", len(direct))
	}
	for _, module := range direct {
		if !slices.Contains(given, module) {
			t.Errorf("decision 3 has no reason for %s", module)
		}
	}
	for _, module := range given {
		if !slices.Contains(direct, module) {
			t.Errorf("decision 3 has a reason for %s, which is no direct dependency", module)
		}
	}
}

// TestDecisionsAreListed finds each decision in the index, under its number and heading.
func TestDecisionsAreListed(t *testing.T) {
	index := page(t, "decisions/README.md")
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "decisions", "0*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d decisions, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		number := strings.TrimLeft(name[:4], "0") + ". "
		if !strings.HasPrefix(page(t, "decisions/"+name), "# "+number) {
			t.Errorf("%s: its heading does not begin with %q", name, number)
		}
		if !strings.Contains(index, "| ["+number) || !strings.Contains(index, "]("+name+") |") {
			t.Errorf("the index has no row for %s", name)
		}
	}
}
