package signs

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWeightsInOneFile looks for weights and thresholds outside weights_and_thresholds.go, here and where controllers
// are chosen: numbers that are compared, multiplied or declared, but for how much is read or told at the most.
func TestWeightsInOneFile(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	bound := regexp.MustCompile(`^(most|longest|few|several|deepest|short)([A-Z].*)?$`)
	set, found := gotoken.NewFileSet(), 0
	for _, name := range files {
		room := filepath.Base(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") || room != "signs" && room != "attribution" {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, is := node.(*ast.ValueSpec); is && len(spec.Names) > 0 && bound.MatchString(spec.Names[0].Name) {
				return false
			}
			if _, is := node.(*ast.CallExpr); is { // arguments say how many, or where
				return true
			}
			for _, number := range weighingIn(node) {
				if found++; name != "../signs/weights_and_thresholds.go" {
					t.Errorf("%s: %s weighs or decides something, outside weights_and_thresholds.go",
						set.Position(number.Pos()), number.Value)
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Error("no number is found that weighs anything: the test sees nothing")
	}
}

// weighingIn are the numbers above one that a node compares, multiplies, declares or sets a field to.
func weighingIn(node ast.Node) (numbers []*ast.BasicLit) {
	var operands []ast.Expr
	switch node := node.(type) {
	case *ast.BinaryExpr:
		if length, is := node.X.(*ast.CallExpr); is && fmt.Sprint(length.Fun) == "len" {
			return nil // how many there are
		}
		operands = []ast.Expr{node.X, node.Y}
	case *ast.ValueSpec:
		operands = node.Values
	case *ast.KeyValueExpr:
		operands = []ast.Expr{node.Value}
	}
	for _, operand := range operands {
		if number, is := operand.(*ast.BasicLit); is && number.Kind != gotoken.STRING && number.Kind != gotoken.CHAR &&
			number.Value != "0" && number.Value != "1" {
			numbers = append(numbers, number)
		}
	}
	return numbers
}
