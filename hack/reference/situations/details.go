// Package situations reads in the source which details the program gives to each situation.
package situations

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
)

// Details returns the types of the details that the program gives to each situation.
func Details(folder string) (map[string]map[string]bool, error) {
	returned := map[string]string{} // by the names of functions
	err := EachFile(folder, func(file *ast.File) {
		for _, declaration := range file.Decls {
			if function, is := declaration.(*ast.FuncDecl); is && function.Type.Results != nil {
				if text := detailsNamed(function.Type.Results.List[0].Type); text != "" {
					returned[function.Name.Name] = text
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	given := map[string]map[string]bool{}
	return given, EachFile(folder, func(file *ast.File) {
		for _, declaration := range file.Decls {
			if function, is := declaration.(*ast.FuncDecl); is {
				givenIn(function, returned, given)
			}
		}
	})
}

// Stated is the part of Details that is beyond doubt: where one literal has both the situation or step, and its
// details.
func Stated(folder string) (map[string][]string, error) {
	stated := map[string][]string{}
	return stated, EachFile(folder, func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is {
				return true
			}
			situation, value := situationOf(literal)
			if details, is := value.(*ast.CompositeLit); is && situation != "" {
				if expr, is := details.Type.(*ast.SelectorExpr); is {
					stated[situation] = append(stated[situation], expr.Sel.Name)
				}
			}
			return true
		})
	})
}

// givenIn adds what one function gives: in the literal that names the situation, in a variable that this literal refers
// to, or, if a situation is assigned, to any details in that function.
func givenIn(function *ast.FuncDecl, returned map[string]string, given map[string]map[string]bool) {
	add := func(situation, text string) {
		if situation != "" && text != "" {
			if given[situation] == nil {
				given[situation] = map[string]bool{}
			}
			given[situation][text] = true
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
	types := slices.Compact(slices.Sorted(maps.Values(variables)))
	if len(types) != 1 {
		return // which of them it is can't be told
	}
	for _, situation := range assigned {
		if len(given[situation]) == 0 {
			add(situation, types[0])
		}
	}
}

// variablesOf returns the variables of a function that are details, with their types.
func variablesOf(function *ast.FuncDecl, returned map[string]string) map[string]string {
	variables := map[string]string{}
	if function.Type.Params != nil {
		for _, parameter := range function.Type.Params.List {
			for _, name := range parameter.Names {
				if text := detailsNamed(parameter.Type); text != "" {
					variables[name.Name] = text
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
				if text := typeGiven(assign.Rhs[i], variables, returned); text != "" {
					variables[name.Name] = text
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
func detailsNamed(expr ast.Expr) string {
	if pointer, is := expr.(*ast.StarExpr); is {
		expr = pointer.X
	}
	if selector, is := expr.(*ast.SelectorExpr); is && strings.HasSuffix(selector.Sel.Name, "Details") {
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
		case key != nil && (key.Name == "Situation" || key.Name == "Step"):
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

// EachFile parses the Go files below a folder, tests left out, and visits each.
func EachFile(folder string, visit func(*ast.File)) error {
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
