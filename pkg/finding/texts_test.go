package finding_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/reference/situations"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestTexts compares the situations and steps that the code names with the texts: each has the forms that are asked
// for, and no text is left over.
func TestTexts(t *testing.T) {
	texts := readAll(t)
	used := map[string]bool{}
	for name, key := range namedInCode(t) {
		used[name] = true
		if texts[name] == nil {
			t.Errorf("%s %q has no texts", key, name)
			continue
		}
		form := map[string]string{"Situation": "message", "situation": "phrase", "Step": "action"}[key]
		if texts[name][form] == "" && texts[name]["phrase"] == "" && texts[name]["foretold"] == "" {
			t.Errorf("%s %q has no %s", key, name, form)
		}
	}
	for name, forms := range texts {
		for form, text := range forms {
			if finding.IsCase(form) {
				if used[text] = true; texts[text] == nil {
					t.Errorf("%s.%s: %q has no texts", name, form, text)
				}
			}
			if strings.Contains(text, "kubectl finalizers") {
				t.Errorf("%s calls the program by a name that it may not have: write {{$.Program}}", name)
			}
			for _, said := range regexp.MustCompile(`(?:\$\.Say|template) "(\w+)`).FindAllStringSubmatch(text, -1) {
				used[said[1]] = true
			}
		}
	}
	for name := range texts {
		if !used[name] {
			t.Errorf("nothing uses the texts of %q", name)
		}
	}
}

func readAll(t *testing.T) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for file, texts := range readFiles(t) {
		for name, forms := range texts {
			if all[name] != nil {
				t.Errorf("%s: %q has texts elsewhere", file, name)
			}
			all[name] = forms
		}
	}
	return all
}

// readFiles returns the texts by file, situation and form.
func readFiles(t *testing.T) map[string]map[string]map[string]string {
	t.Helper()
	files, err := filepath.Glob("texts/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	all := map[string]map[string]map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all[file], err = textsIn(data); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// namedInCode returns the string literals that the program gives to fields named Situation and Step, or compares
// or assigns to them.
func namedInCode(t *testing.T) map[string]string {
	t.Helper()
	names := map[string]string{}
	add := func(key string, value ast.Expr) {
		if literal, is := value.(*ast.BasicLit); is && (key == "Situation" || key == "situation" || key == "Step") {
			name, err := strconv.Unquote(literal.Value)
			if err == nil && name != "" {
				names[name] = key
			}
		}
	}
	err := situations.EachFile("..", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, is := n.Key.(*ast.Ident); is {
					add(key.Name, n.Value)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if field, is := left.(*ast.SelectorExpr); is && i < len(n.Rhs) {
						add(field.Sel.Name, n.Rhs[i])
					}
				}
			}
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
