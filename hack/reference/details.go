package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// details is the page about situations and their details: the situations by the files of their texts, and the fields
// of the types in pkg/finding that the program gives them. repository is where the source lies.
func details(repository string) ([]byte, error) {
	given, err := detailsGiven(filepath.Join(repository, "pkg"))
	if err != nil {
		return nil, err
	}
	types, err := detailTypes(filepath.Join(repository, "pkg", "finding"))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(repository, "pkg", "finding", "texts", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("# Situations and details\n\nWritten by `make docs` from the program's texts and types. Each root cause, observation and finding in " +
		"the JSON has a `situation`, and `details` of the type that is given here; of a type's fields, those are there that apply.\n")
	used := map[string]bool{}
	for _, file := range files {
		situations, err := situationsIn(file)
		if err != nil {
			return nil, err
		}
		if len(situations) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n## %s\n\n| situation | details |\n|---|---|\n", strings.TrimSuffix(filepath.Base(file), ".yaml"))
		for _, situation := range situations {
			var links []string
			for _, name := range slices.Sorted(maps.Keys(given[situation])) {
				used[name] = true
				links = append(links, fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)))
			}
			fmt.Fprintf(&out, "| `%s` | %s |\n", situation, strings.Join(links, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if used[name] {
			fmt.Fprintf(&out, "\n## %s\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n%s", name, types[name].doc, types[name].rows)
		}
	}
	return out.Bytes(), nil
}

// situationsIn returns the situations of a file that have a sentence, or are part of one, sorted.
func situationsIn(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var texts map[string]map[string]string
	if err := yaml.UnmarshalStrict(data, &texts); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	maps.DeleteFunc(texts, func(_ string, forms map[string]string) bool {
		return forms["message"] == "" && forms["phrase"] == ""
	})
	return slices.Sorted(maps.Keys(texts)), nil
}

type detailType struct{ doc, rows string }

// detailTypes returns the structures of the package whose names end in Details.
func detailTypes(folder string) (map[string]detailType, error) {
	found := map[string]detailType{}
	err := eachFile(folder, func(file *ast.File) {
		for _, declaration := range file.Decls {
			general, is := declaration.(*ast.GenDecl)
			if !is || general.Tok != token.TYPE {
				continue
			}
			for _, spec := range general.Specs {
				spec := spec.(*ast.TypeSpec)
				fields, is := spec.Type.(*ast.StructType)
				if !is || !strings.HasSuffix(spec.Name.Name, "Details") {
					continue
				}
				doc := general.Doc.Text() + spec.Doc.Text()
				found[spec.Name.Name] = detailType{oneLine(strings.TrimPrefix(doc, spec.Name.Name+" ")), fieldRows(fields)}
			}
		}
	})
	return found, err
}

func fieldRows(of *ast.StructType) string {
	var rows strings.Builder
	for _, field := range of.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", name, typeName(field.Type), oneLine(field.Doc.Text()+" "+field.Comment.Text()))
	}
	return rows.String()
}

// typeName says in the words of JSON of which type a field is.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.ArrayType:
		return "list of " + typeName(of.Elt)
	case *ast.MapType:
		return "object"
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.Ident:
		known := map[string]string{"Ref": "[reference](../json.md#references)", "bool": "boolean", "int": "number", "int64": "number", "any": "object"}
		if name := known[of.Name]; name != "" {
			return name
		}
		return of.Name
	}
	return "object"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// detailsGiven returns the types of the details that the program gives to each situation.
func detailsGiven(folder string) (map[string]map[string]bool, error) {
	returned := map[string]string{} // by the names of functions
	err := eachFile(folder, func(file *ast.File) {
		for _, declaration := range file.Decls {
			if function, is := declaration.(*ast.FuncDecl); is && function.Type.Results != nil {
				if of := detailsNamed(function.Type.Results.List[0].Type); of != "" {
					returned[function.Name.Name] = of
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	given := map[string]map[string]bool{}
	return given, eachFile(folder, func(file *ast.File) {
		for _, declaration := range file.Decls {
			if function, is := declaration.(*ast.FuncDecl); is {
				givenIn(function, returned, given)
			}
		}
	})
}

// givenIn adds what one function gives: in the literal that names the situation, in a variable that such a literal
// refers to, or, where a situation is assigned, to any details in that function.
func givenIn(function *ast.FuncDecl, returned map[string]string, given map[string]map[string]bool) {
	add := func(situation, of string) {
		if situation != "" && of != "" {
			if given[situation] == nil {
				given[situation] = map[string]bool{}
			}
			given[situation][of] = true
		}
	}
	variables := variablesOf(function, returned)
	var assigned []string
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			situation, details := situationOf(n)
			add(situation, typeGiven(details, variables, returned))
			if details == nil {
				assigned = append(assigned, situation)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				field, is := left.(*ast.SelectorExpr)
				if is && field.Sel.Name == "Situation" && i < len(n.Rhs) {
					assigned = append(assigned, literalOf(n.Rhs[i]))
				}
			}
		}
		return true
	})
	for _, of := range variables {
		for _, situation := range assigned {
			if len(given[situation]) == 0 {
				add(situation, of)
			}
		}
	}
}

// variablesOf returns the variables of a function that are details, with their types.
func variablesOf(function *ast.FuncDecl, returned map[string]string) map[string]string {
	variables := map[string]string{}
	if function.Type.Params != nil {
		for _, parameter := range function.Type.Params.List {
			for _, name := range parameter.Names {
				if of := detailsNamed(parameter.Type); of != "" {
					variables[name.Name] = of
				}
			}
		}
	}
	ast.Inspect(function, func(n ast.Node) bool {
		if assign, is := n.(*ast.AssignStmt); is {
			for i, left := range assign.Lhs {
				name, is := left.(*ast.Ident)
				if !is || i >= len(assign.Rhs) {
					continue
				}
				if of := typeGiven(assign.Rhs[i], variables, returned); of != "" {
					variables[name.Name] = of
				}
			}
		}
		return true
	})
	return variables
}

// typeGiven returns the type of details that an expression is of; empty for everything else.
func typeGiven(value ast.Expr, variables, returned map[string]string) string {
	switch value := value.(type) {
	case *ast.UnaryExpr:
		return typeGiven(value.X, variables, returned)
	case *ast.CompositeLit:
		return detailsNamed(value.Type)
	case *ast.Ident:
		return variables[value.Name]
	case *ast.CallExpr:
		switch called := value.Fun.(type) {
		case *ast.Ident:
			return returned[called.Name]
		case *ast.SelectorExpr:
			return returned[called.Sel.Name]
		}
	}
	return ""
}

// detailsNamed returns the name of a type of pkg/finding's details.
func detailsNamed(of ast.Expr) string {
	if pointer, is := of.(*ast.StarExpr); is {
		of = pointer.X
	}
	if selector, is := of.(*ast.SelectorExpr); is && strings.HasSuffix(selector.Sel.Name, "Details") {
		return selector.Sel.Name
	}
	return ""
}

// situationOf returns the situation that a literal names, and the details that it gives it.
func situationOf(literal *ast.CompositeLit) (situation string, details ast.Expr) {
	for _, element := range literal.Elts {
		pair, is := element.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		switch key, _ := pair.Key.(*ast.Ident); {
		case key != nil && key.Name == "Situation":
			situation = literalOf(pair.Value)
		case key != nil && key.Name == "Details":
			details = pair.Value
		}
	}
	return situation, details
}

func literalOf(value ast.Expr) string {
	literal, is := value.(*ast.BasicLit)
	if !is {
		return ""
	}
	text, _ := strconv.Unquote(literal.Value)
	return text
}

func eachFile(folder string, visit func(*ast.File)) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil {
			visit(file)
		}
		return err
	})
}
