package attribution

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestSignTable walks the table: each kind has a row and a clause, evidence never lowers a score, and a name weighs
// less than what a program does or set.
func TestSignTable(t *testing.T) {
	table := signTable()
	for kind, row := range table {
		rights := &finding.Phrase{Situation: "MayOnlyRead", Details: finding.Clue{}}
		one := signOf(kind, finding.Clue{Name: "x", Rights: rights})
		if said := (finding.Voice{}).Phrase(one.phrase()); said == "" || strings.Contains(said, "no words") {
			t.Errorf("%s: no clause tells it", kind)
		}
		if row.apart == (len(signs{one}.phrases()) > 0) && row.weight >= 0 {
			t.Errorf("%s: sentences and the table don't differ by what is told apart", kind)
		}
		name := strings.HasPrefix(string(kind), "NamedAs") || strings.HasPrefix(string(kind), "CalledAs")
		if name && !row.setter && !row.acts && row.weight > nameAlone {
			t.Errorf("%s: a name alone weighs %d, more than %d", kind, row.weight, nameAlone)
		}
		if row.setter && row.general || row.acts && row.general {
			t.Errorf("%s ties a program to the finalizer, and is general", kind)
		}
		for other := range table {
			before := signs{}.with(other, finding.Clue{})
			after := before.with(kind, finding.Clue{})
			if row.weight >= 0 && after.score() < before.score() || row.weight < 0 && after.score() > before.score() {
				t.Errorf("%s after %s: score %d, before %d", kind, other, after.score(), before.score())
			}
			if len(after.with(kind, finding.Clue{})) != len(after) {
				t.Errorf("%s counts twice", kind)
			}
		}
	}
}

// TestScoreIsSumOfShown adds up what the table of signs shows: it is the score, also where one word speaks twice.
func TestScoreIsSumOfShown(t *testing.T) {
	all := signs{}.with(namedAsProject, finding.Clue{}, "acme").with(holdsNamedLease, finding.Clue{}, "Acme").
		with(runsOnEachNode, finding.Clue{}).with(namedAsKind, finding.Clue{}, "shop")
	sum := 0
	for _, shown := range all.shown() {
		sum += shown.Weight
	}
	if want := 4; sum != want || all.score() != want {
		t.Errorf("the table adds up to %d, and the score is %d; want %d", sum, all.score(), want)
	}
}

// TestWeightsInOneFile looks for weights and thresholds outside weights.go: numbers that are compared, multiplied or
// declared, but for how much is read or told at the most.
func TestWeightsInOneFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	bound := regexp.MustCompile(`^(most|longest|few|several|deepest|short)([A-Z].*)?$`)
	set, found := gotoken.NewFileSet(), 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
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
				if found++; name != "weights.go" {
					t.Errorf("%s: %s weighs or decides something, outside weights.go", set.Position(number.Pos()), number.Value)
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
