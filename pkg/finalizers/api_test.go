package finalizers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestAPIOnlyGrows compares what this package exports, and the fields of the JSON, with api.txt: no line of it may go.
// With API_UPDATE=1, it adds new lines.
func TestAPIOnlyGrows(t *testing.T) {
	const file = "api.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.Split(strings.TrimSpace(string(text)), "\n")
	have := append(exported(t, "."), jsonFields()...)
	for _, line := range promised {
		if !slices.Contains(have, line) {
			t.Errorf("%s is gone, which programs may use: bring it back", line)
		}
	}
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(promised, have))))
	switch update := os.Getenv("API_UPDATE") != ""; {
	case len(all) == len(promised):
	case !update:
		t.Errorf("%d lines are missing in %s; add them: API_UPDATE=1 go test ./pkg/finalizers -run API",
			len(all)-len(promised), file)
	default:
		if err := os.WriteFile(file, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// exported returns a line for each exported function, method, type and field of the package in a folder.
func exported(t *testing.T, folder string) (lines []string) {
	t.Helper()
	names, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".go") || strings.HasSuffix(name.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(name.Name())
		if err != nil {
			t.Fatal(err)
		}
		written := func(node ast.Node) string {
			text := string(source[files.Position(node.Pos()).Offset:files.Position(node.End()).Offset])
			return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), ", )", ")")
		}
		ast.FileExports(file)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				decl.Body, decl.Doc = nil, nil
				lines = append(lines, strings.ReplaceAll(written(decl), "( ", "("))
			case *ast.GenDecl:
				lines = append(lines, exportedSpecs(decl, written)...)
			}
		}
	}
	return lines
}

func exportedSpecs(decl *ast.GenDecl, written func(ast.Node) string) (lines []string) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				lines = append(lines, decl.Tok.String()+" "+name.Name)
			}
		case *ast.TypeSpec:
			fields, is := spec.Type.(*ast.StructType)
			if !is {
				lines = append(lines, "type "+written(spec))
				continue
			}
			lines = append(lines, "type "+spec.Name.Name+" struct")
			for _, field := range fields.Fields.List {
				for _, name := range field.Names {
					lines = append(lines, "field "+spec.Name.Name+"."+name.Name+" "+written(field.Type))
				}
			}
		}
	}
	return lines
}

// jsonFields returns a line for each field of the JSON of answers.
func jsonFields() (lines []string) {
	seen := map[reflect.Type]bool{}
	for _, answer := range []any{
		result.Diagnosis{}, result.DiagnosisList{}, result.List{}, result.Tree{}, result.Check{}, result.Preview{},
		result.PreviewList{}, result.Explanation{}, result.ProjectList{}, result.RemovalReport{}, result.Version{},
		result.UninstallPlan{}, result.RescuePlan{},
	} {
		lines = append(lines, fieldsOf(reflect.TypeOf(answer), seen)...)
	}
	return lines
}

func fieldsOf(of reflect.Type, seen map[reflect.Type]bool) (lines []string) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return fieldsOf(of.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[of] || !strings.Contains(of.PkgPath(), "kubectl-finalizers") {
		return nil
	}
	seen[of] = true
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if !field.Anonymous {
			lines = append(lines, "json "+of.String()+" "+name+" "+field.Type.String())
		}
		lines = append(lines, fieldsOf(field.Type, seen)...)
	}
	return lines
}
