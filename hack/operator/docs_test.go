package operator_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// update writes docs/operators.md anew.
var update = flag.Bool("update", false, "write docs/operators.md anew")

// TestDocs holds docs/operators.md to what is tested.
func TestDocs(t *testing.T) { judge.Page(t, "operators.md", docs(t), *update) }

const preface = `# Real operators

These operators are built from their Go modules and run against a real control plane, in each of the situations below.
Their own manifests are applied as they are, and their programs run with the rights of their ServiceAccounts. 'why' must
give the answer in the table, 'list -A' must say the same, and 'check -A' must say only what is true.
'make test-operators' runs the operators, and 'make test' asks recordings of them.
[Decision 1](decisions/0001-tests-on-a-real-control-plane.md) says how.

This file is written by 'go test ./hack/operator -run TestDocs -update', from hack/operator/operators and
hack/operator/scenarios.
`

func docs(t *testing.T) string {
	t.Helper()
	operators, err := operator.Operators()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := operator.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	modules := modules(t)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n| operator | module | version |\n|---|---|---|\n", strings.ReplaceAll(preface, "'", "`"))
	for _, name := range slices.Sorted(maps.Keys(operators)) {
		module := moduleOf(modules, operators[name].Package)
		if module == "." {
			own := cmp.Or(manifestsModule(operators[name]), "k8s.io/cloud-provider")
			module = "this one, with " + own
			modules[module] = modules[own]
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", operators[name].Title, module, modules[module])
	}
	fmt.Fprint(&out, "\n| situation | asked about | the answer |\n|---|---|---|\n")
	for _, scenario := range scenarios {
		rows := []string{"`list -A` | nothing is Terminating"}
		if len(scenario.Targets) > 0 {
			rows = nil
		}
		for _, question := range scenario.Targets {
			rows = append(rows, kindOf(question)+" | "+judge.InTable(question.Want))
		}
		for i, row := range rows {
			title := operators[scenario.Operators[0]].Title + ": " + scenario.Title
			if i > 0 {
				title = ""
			}
			fmt.Fprintf(&out, "| %s | %s |\n", title, row)
		}
	}
	return out.String()
}

// kindOf is what is asked about, without names that only say something in the scenario.
func kindOf(question zoo.Question) string {
	kind, _, _ := strings.Cut(question.Target, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return "`" + kind + "`"
}

// modules are the versions in binaries/go.mod, and in the modules below it whose versions don't fit the rest.
func modules(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("binaries", "*", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, file := range append(files, filepath.Join("binaries", "go.mod")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			fields := strings.Fields(strings.TrimPrefix(line, "require "))
			if len(fields) > 1 && strings.HasPrefix(fields[1], "v") {
				versions[fields[0]] = fields[1]
			}
		}
	}
	return versions
}

// manifestsModule is the module that an operator's manifests are in, if they are in one.
func manifestsModule(one operator.Operator) string {
	for _, manifests := range one.Manifests {
		if manifests.Module != "" {
			return manifests.Module
		}
	}
	return ""
}

// moduleOf is the module that a package is in.
func moduleOf(modules map[string]string, pkg string) string {
	for pkg != "." && modules[pkg] == "" {
		pkg = filepath.Dir(pkg)
	}
	return pkg
}
