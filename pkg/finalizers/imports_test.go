package finalizers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kubectl-finalizers/kubectl-finalizers/"

// importsOf returns what packages import, by name.
func importsOf(t *testing.T, arguments ...string) map[string][]string {
	t.Helper()
	listing := append([]string{"list", "-f", `{{.ImportPath}} {{join .Imports " "}}`}, arguments...)
	out, err := exec.CommandContext(t.Context(), "go", listing...).Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(strings.ReplaceAll(line, module, ""))
		imports[names[0]] = names[1:]
	}
	return imports
}

// TestFloors holds imports to the floors in docs/architecture.md, and their longest chain to what it says.
func TestFloors(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	floors, floor := map[string]string{}, ""
	listed := regexp.MustCompile(`(?m)^(\d| )  ((?:pkg/|cmd/|plugins)\S*)  `)
	for _, line := range listed.FindAllStringSubmatch(string(text), -1) {
		if line[1] != " " {
			floor = line[1]
		}
		floors[line[2]] = floor
	}
	imports := importsOf(t, module+"pkg/...", module+"cmd/...", module+"plugins")
	longest := map[string]int{}
	var chain func(name string) int
	chain = func(name string) int {
		if _, ours := imports[name]; ours && longest[name] == 0 {
			longest[name] = 1 + slices.Max(append([]int{0}, each(imports[name], chain)...))
		}
		return longest[name]
	}
	for name, needs := range imports {
		if floors[room(name)] == "" {
			t.Errorf("%s is on no floor of docs/architecture.md", name)
		}
		for _, needed := range needs {
			if _, ours := imports[needed]; ours && floors[room(needed)] > floors[room(name)] {
				t.Errorf("%s imports %s, which is on a floor above", name, needed)
			}
		}
	}
	says := fmt.Sprintf("has %d packages", chain("cmd/kubectl-finalizers"))
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), says) {
		t.Errorf("docs/architecture.md doesn't say that the longest chain of imports %s", says)
	}
}

// room is the package that is named in the floors, of one that is below it: pkg/snapshot of pkg/snapshot/files.
func room(name string) string {
	parts := strings.Split(name, "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func each(names []string, of func(string) int) (numbers []int) {
	for _, name := range names {
		numbers = append(numbers, of(name))
	}
	return numbers
}

// TestBehindTheDoor lists what programs get that import this package.
func TestBehindTheDoor(t *testing.T) {
	for name := range importsOf(t, "-deps", ".") {
		for _, heavy := range []string{"spf13/cobra", "tablewriter", "prometheus/client_golang", "modelcontextprotocol"} {
			if strings.Contains(name, heavy) {
				t.Errorf("%s is behind this package", name)
			}
		}
	}
}

// TestMayChange has every package that makes no promise say so in its comment.
func TestMayChange(t *testing.T) {
	promised := []string{module + "pkg/finalizers", module + "pkg/result"}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{.Dir}} {{join .GoFiles \" \"}}",
		module+"pkg/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		parts := strings.Fields(line)
		says := false
		for _, name := range parts[2:] {
			text, err := os.ReadFile(filepath.Join(parts[1], name))
			if err != nil {
				t.Fatal(err)
			}
			says = says || strings.Contains(string(text), "\n// This package may change at any time.\npackage ")
		}
		if says == slices.Contains(promised, parts[0]) {
			t.Errorf("%s: its comment says that it may change: %t", parts[0], says)
		}
	}
}
