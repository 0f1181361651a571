package finding_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"
)

// TestFields holds the fields that a text names against those of the details that the code gives to its situation.
func TestFields(t *testing.T) {
	types := structs(t)
	texts := readAll(t)
	given := detailsInCode(t)
	for situation, forms := range texts {
		for form, text := range forms {
			for _, field := range fieldsNamed(t, situation+"."+form, text) {
				known := slices.ContainsFunc(given[situation], func(of string) bool { return types[of][field] })
				if len(given[situation]) > 0 && !known && !anyHas(types, field, "Ref", "Phrase", "Hold") {
					t.Errorf("%s.%s names .%s, and its details are %v", situation, form, field, given[situation])
				}
			}
		}
	}
}

func anyHas(types map[string]map[string]bool, field string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return types[name][field] })
}

// structs returns the fields of each structure of the package, and of those that they hold.
func structs(t *testing.T) map[string]map[string]bool {
	t.Helper()
	found, held := map[string]map[string]bool{}, map[string][]string{}
	eachFile(t, ".", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			of, is := spec.Type.(*ast.StructType)
			if !is {
				return true
			}
			found[spec.Name.Name] = map[string]bool{}
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					found[spec.Name.Name][name.Name] = true
				}
				ast.Inspect(field.Type, func(n ast.Node) bool {
					if id, is := n.(*ast.Ident); is {
						held[spec.Name.Name] = append(held[spec.Name.Name], id.Name)
					}
					return true
				})
			}
			return true
		})
	})
	for name, fields := range found {
		for _, inner := range held[name] {
			maps.Copy(fields, found[inner])
		}
	}
	return found
}

// detailsInCode returns the types of the details that the program gives to a situation or step, as far as both stand
// in one literal.
func detailsInCode(t *testing.T) map[string][]string {
	t.Helper()
	given := map[string][]string{}
	eachFile(t, "..", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is {
				return true
			}
			situation, details := "", ""
			for _, element := range literal.Elts {
				pair, is := element.(*ast.KeyValueExpr)
				if !is {
					continue
				}
				key, _ := pair.Key.(*ast.Ident)
				switch value := pair.Value.(type) {
				case *ast.BasicLit:
					if key != nil && (key.Name == "Situation" || key.Name == "Step") {
						situation, _ = strconv.Unquote(value.Value)
					}
				case *ast.CompositeLit:
					if of, is := value.Type.(*ast.SelectorExpr); is && key != nil && key.Name == "Details" {
						details = of.Sel.Name
					}
				}
			}
			if situation != "" && details != "" {
				given[situation] = append(given[situation], details)
			}
			return true
		})
	})
	return given
}

func eachFile(t *testing.T, folder string, visit func(*ast.File)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil {
			visit(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fieldsNamed returns the first name of each chain of fields in a template that begins at the dot.
func fieldsNamed(t *testing.T, name, text string) (fields []string) {
	t.Helper()
	trees := map[string]*parse.Tree{}
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		t.Fatal(err)
	}
	var walk func(node parse.Node)
	list := func(nodes *parse.ListNode) {
		if nodes != nil {
			for _, node := range nodes.Nodes {
				walk(node)
			}
		}
	}
	branch := func(b *parse.BranchNode) { walk(b.Pipe); list(b.List); list(b.ElseList) }
	walk = func(node parse.Node) {
		switch node := node.(type) {
		case *parse.ActionNode:
			walk(node.Pipe)
		case *parse.PipeNode:
			for _, command := range node.Cmds {
				for _, argument := range command.Args {
					walk(argument)
				}
			}
		case *parse.FieldNode:
			fields = append(fields, node.Ident[0])
		case *parse.IfNode:
			branch(&node.BranchNode)
		case *parse.WithNode:
			branch(&node.BranchNode)
		case *parse.RangeNode:
			branch(&node.BranchNode)
		}
	}
	list(trees[name].Root)
	return fields
}
