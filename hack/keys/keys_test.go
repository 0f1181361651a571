// Package keys holds the code to rules that compare no keys of texts.
package keys

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoRuleComparesKeys looks for decisions by the key of a text: a situation or a step. What a rule needs to know is
// data: a field, the type of the details, or a trait beside the texts (pkg/finding/traits.go).
func TestNoRuleComparesKeys(t *testing.T) {
	read := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "pkg"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, node := range comparisons(file) {
			t.Errorf("%s: a rule compares the key of a text", set.Position(node.Pos()))
		}
		return nil
	})
	if err != nil || read == 0 {
		t.Fatalf("%d files read: %v", read, err)
	}
}

// TestComparisons shows the test what it has to find, and what not.
func TestComparisons(t *testing.T) {
	for source, want := range map[string]int{
		`_ = f.Situation == "Gone"`:                          1,
		`_ = "Gone" != f.Words.Situation`:                    1,
		`switch f.Situation { case "Gone": }`:                1,
		`switch { case f.Situation == "Gone": }`:             1,
		`_ = slices.Contains([]string{"Gone"}, f.Situation)`: 1,
		`_ = strings.HasPrefix(f.Situation, "Gone")`:         1,
		`_ = map[string]bool{"Gone": true}[f.Situation]`:     1,
		`_ = f.Situation == ""`:                              0,
		`_ = f.Situation == other.Situation`:                 0,
		`f.Situation = "Gone"`:                               0,
		`_ = finding.Phrase{Situation: "Gone"}`:              0,
		`_ = byKey[f.Situation]`:                             0,
		`_ = slices.Contains(told, f.Situation)`:             0,
		`_ = f.Means(finding.IsGone)`:                        0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package x\nfunc x() { "+source+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(comparisons(file)); got != want {
			t.Errorf("%s: %d found, want %d", source, got, want)
		}
	}
}

// comparisons are where a file compares the key of a text with one that it spells.
func comparisons(file *ast.File) (found []ast.Node) {
	ast.Inspect(file, func(node ast.Node) bool {
		is := false
		switch node := node.(type) {
		case *ast.BinaryExpr:
			equal := node.Op == token.EQL || node.Op == token.NEQ
			is = equal && (isKey(node.X) && spells(node.Y) || isKey(node.Y) && spells(node.X))
		case *ast.SwitchStmt:
			is = isKey(node.Tag)
		case *ast.CallExpr:
			called, qualified := node.Fun.(*ast.SelectorExpr)
			if !qualified || !slices.Contains([]string{"slices", "strings"}, fmt.Sprint(called.X)) {
				break
			}
			for _, argument := range node.Args {
				for _, other := range node.Args {
					is = is || isKey(argument) && other != argument && spells(other)
				}
			}
		case *ast.IndexExpr:
			_, literal := node.X.(*ast.CompositeLit)
			is = literal && isKey(node.Index)
		}
		if is {
			found = append(found, node)
		}
		return true
	})
	return found
}

// isKey reports whether an expression is the key of a text.
func isKey(expression ast.Expr) bool {
	selector, is := expression.(*ast.SelectorExpr)
	return is && (selector.Sel.Name == "Situation" || selector.Sel.Name == "Step")
}

// spells reports whether an expression spells a key: a text, a list of some, or a constant.
func spells(expression ast.Expr) bool {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		return expression.Kind == token.STRING && expression.Value != `""`
	case *ast.CompositeLit:
		return len(expression.Elts) > 0 && spells(expression.Elts[0])
	case *ast.Ident:
		return expression.Obj != nil && expression.Obj.Kind == ast.Con
	}
	return false
}
