package finding_test

import (
	"go/ast"
	"maps"
	"slices"
	"testing"
	"text/template/parse"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/reference/situations"
)

// TestFields holds the fields that a text names against those of the details that the code gives to its situation.
func TestFields(t *testing.T) {
	types := structs(t)
	texts := readAll(t)
	given, err := situations.Stated("..")
	if err != nil {
		t.Fatal(err)
	}
	for situation, forms := range texts {
		for form, text := range forms {
			for _, field := range fieldsNamed(t, situation+"."+form, text) {
				known := slices.ContainsFunc(given[situation], func(name string) bool { return types[name][field] })
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

// structs returns the fields and methods of each structure of the package, and of the ones that they hold.
func structs(t *testing.T) map[string]map[string]bool {
	t.Helper()
	found, held, methods := map[string]map[string]bool{}, map[string][]string{}, map[string][]string{}
	err := situations.EachFile(".", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if method, is := n.(*ast.FuncDecl); is && method.Recv != nil {
				if ident, is := method.Recv.List[0].Type.(*ast.Ident); is {
					methods[ident.Name] = append(methods[ident.Name], method.Name.Name)
				}
			}
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			structType, is := spec.Type.(*ast.StructType)
			if !is {
				return true
			}
			found[spec.Name.Name] = map[string]bool{}
			for _, field := range structType.Fields.List {
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
	if err != nil {
		t.Fatal(err)
	}
	for name, fields := range found {
		for _, method := range methods[name] {
			fields[method] = true
		}
		for _, inner := range held[name] {
			maps.Copy(fields, found[inner])
		}
	}
	return found
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
