package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/reference/situations"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
)

const (
	repository = "../.."
	published  = "../../docs/schema"
)

// TestSchemasAreCurrent holds docs/schema against what the types and their comments give.
func TestSchemasAreCurrent(t *testing.T) {
	want, err := schemas(repository)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(published, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(file)] = strings.ReplaceAll(string(data), "\r\n", "\n")
	}
	for name, text := range want {
		if line := firstDifference(got[name], string(text)); line > 0 {
			t.Errorf("docs/schema/%s is not current, from line %d on: run make docs", name, line)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("docs/schema/%s is of no kind that there is", name)
	}
}

// firstDifference is the number of the first line in which texts differ; 0 if they don't. A whole comparison of schemas
// with thousands of lines takes minutes.
func firstDifference(a, b string) int {
	if a == b {
		return 0
	}
	lines, others := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(lines), len(others)) {
		if lines[i] != others[i] {
			return i + 1
		}
	}
	return min(len(lines), len(others)) + 1
}

// TestKindsAreComplete finds a schema for each kind that the program writes down.
func TestKindsAreComplete(t *testing.T) {
	known := kinds()
	err := situations.EachFile(filepath.Join(repository, "pkg"), func(file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			literal, is := node.(*ast.CompositeLit)
			if !is {
				return true
			}
			fields := map[string]ast.Expr{}
			for _, element := range literal.Elts {
				if pair, is := element.(*ast.KeyValueExpr); is {
					if key, is := pair.Key.(*ast.Ident); is {
						fields[key.Name] = pair.Value
					}
				}
			}
			version, is := fields["APIVersion"].(*ast.SelectorExpr)
			if kind, named := fields["Kind"].(*ast.BasicLit); is && named && version.Sel.Name == "APIVersion" {
				if name := strings.Trim(kind.Value, `"`); known[name] == nil && name != "Snapshot" {
					t.Errorf("there is no schema for the kind %s", name)
				}
			}
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDetailTypesAreComplete finds each type of details that the program gives in the table of them.
func TestDetailTypesAreComplete(t *testing.T) {
	known := map[string]bool{}
	for _, one := range detailTypes() {
		known[reflect.TypeOf(one).Name()] = true
	}
	// What is written down for programs alone is no output.
	inside := map[string]bool{"SummaryDetails": true, "ForetoldDetails": true, "BeforeDetails": true}
	given, err := situations.Details(filepath.Join(repository, "pkg"))
	if err != nil {
		t.Fatal(err)
	}
	for situation, types := range given {
		for name := range types {
			if !known[name] && !inside[name] {
				t.Errorf("%s has %s, which Details.json doesn't know", situation, name)
			}
		}
	}
}

// TestWrongOutputs finds what the schemas don't allow.
func TestWrongOutputs(t *testing.T) {
	all, err := outputs.Open(published)
	if err != nil {
		t.Fatal(err)
	}
	const item = `"project": "p", "file": "f", "finalizers": ["a/b"]`
	const list = `{"apiVersion": "finalizers.kubectl/v1alpha1", "kind": "ProjectList", "items": [{` + item
	const explained = `{"apiVersion": "finalizers.kubectl/v1alpha1", "kind": "Explanation", "known": [], "cluster": ` +
		`{"asked": true, "unreadable": [], "controllers": [{"state": "Missing", "certainty": "Likely", "message": "m", ` +
		`"evidence": [], "remedies": [], "situation": "AllRightsGone", "details": `
	for name, one := range map[string]struct {
		output, wrong string
	}{
		"right":               {list + `}]}`, ""},
		"one after the other": {list + `}]}` + "\n" + list + `}]}`, ""},
		"a field more":        {list + `, "more": 1}]}`, `unexpected additional properties ["more"]`},
		"a field less": {`{"apiVersion": "finalizers.kubectl/v1alpha1", "kind": "ProjectList"}`,
			`missing properties: ["items"]`},
		"a wrong type":     {strings.Replace(list, `"p"`, `1`, 1) + `}]}`, `has type "integer", want "string"`},
		"another version":  {strings.Replace(list, "v1alpha1", "v2", 1) + `}]}`, "v1alpha1"},
		"an unknown kind":  {`{"kind": "Other"}`, `no schema for the kind "Other"`},
		"an unknown value": {strings.Replace(explained+`{}}]}}`, "Likely", "Perhaps", 1), "does not equal any of"},
		"nothing":          {"", "no JSON"},
		"a time": {`{"apiVersion": "finalizers.kubectl/v1alpha1", "kind": "CheckReport", "generatedAt": ` +
			`"2026-11-22T02:09:14.5Z", "owned": 0, "held": 0, "findings": [], "unreadable": []}`, ""},
		"no time": {`{"apiVersion": "finalizers.kubectl/v1alpha1", "kind": "CheckReport", "generatedAt": "yesterday", ` +
			`"owned": 0, "held": 0, "findings": [], "unreadable": []}`, "generatedAt"},
	} {
		t.Run(name, func(t *testing.T) {
			switch err := all.Check([]byte(one.output)); {
			case one.wrong == "" && err != nil:
				t.Error(err)
			case one.wrong != "" && (err == nil || !strings.Contains(err.Error(), one.wrong)):
				t.Errorf("got %v, want %q", err, one.wrong)
			}
		})
	}
}
