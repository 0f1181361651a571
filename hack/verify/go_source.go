package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// goSource is what the Go files of a tree say.
type goSource struct {
	tree  *tree
	store *store
	// values are the expressions of constants and variables, by folder and name.
	values map[string]map[string][]value
	// literals are all strings, and the files that they are in.
	literals map[string]string
	// tags are the JSON names of fields, and types the names of the types that are declared.
	tags, types map[string]bool
	// finalized are the names that are handed to a function about finalizers.
	finalized map[string]bool
	// symbols are the constants and variables, as FOLDER.NAME, by their values, once they were needed.
	symbols map[string][]string
	// texts are the values of constants and variables that are known, as FOLDER.NAME.
	texts map[string][]string
	// others are modules that this one imports, once they were needed; nil for what can't be read.
	others map[string]*goSource
}

// value is an expression, and the imports that its names are from.
type value struct {
	expr    ast.Expr
	imports map[string]string
}

// readGo reads the Go files of a tree, or only those in a folder.
func readGo(t *tree, modules *store, only string) *goSource {
	source := &goSource{
		tree: t, store: modules, values: map[string]map[string][]value{}, literals: map[string]string{},
		tags: map[string]bool{}, types: map[string]bool{}, finalized: map[string]bool{}, others: map[string]*goSource{},
		texts: map[string][]string{},
	}
	for _, name := range t.goFiles {
		if only != "" && path.Dir(name) != only {
			continue
		}
		text, err := t.read(name)
		if err != nil {
			continue // a link that leads nowhere
		}
		if file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err == nil {
			source.addFile(name, file)
		}
	}
	return source
}

func (s *goSource) addFile(name string, file *ast.File) {
	folder, imports := path.Dir(name), importsOf(file)
	add := func(ident *ast.Ident, expr ast.Expr) {
		if s.values[folder] == nil {
			s.values[folder] = map[string][]value{}
		}
		s.values[folder][ident.Name] = append(s.values[folder][ident.Name], value{expr, imports})
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			for i, ident := range node.Names {
				if i < len(node.Values) {
					add(ident, node.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range node.Lhs {
				if ident, is := left.(*ast.Ident); is && node.Tok == token.DEFINE && len(node.Rhs) == len(node.Lhs) {
					add(ident, node.Rhs[i])
				}
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
				s.literals[text] = name
			}
		case *ast.TypeSpec:
			s.types[node.Name.Name] = true
		case *ast.Field:
			s.addTag(node)
		case *ast.CallExpr:
			s.addCall(node)
		}
		return true
	})
}

func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = importPath
	}
	return imports
}

func (s *goSource) addTag(field *ast.Field) {
	if field.Tag == nil {
		return
	}
	_, rest, found := strings.Cut(field.Tag.Value, `json:"`)
	if name, _, _ := strings.Cut(rest, `"`); found {
		name, _, _ = strings.Cut(name, ",")
		s.tags[name] = true
	}
}

// addCall remembers what a function whose name speaks of finalizers is called with.
func (s *goSource) addCall(call *ast.CallExpr) {
	function := ""
	switch called := call.Fun.(type) {
	case *ast.Ident:
		function = called.Name
	case *ast.SelectorExpr:
		function = called.Sel.Name
	}
	if !strings.Contains(strings.ToLower(function), "finalize") {
		return
	}
	for _, argument := range call.Args {
		switch argument := argument.(type) {
		case *ast.Ident:
			s.finalized[argument.Name] = true
		case *ast.SelectorExpr:
			s.finalized[argument.Sel.Name] = true
		case *ast.BasicLit:
			s.finalized[strings.Trim(argument.Value, "\"`")] = true
		}
	}
}
