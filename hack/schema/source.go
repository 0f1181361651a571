package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/reference/situations"
)

// value is a constant of a string type.
type value struct{ text, comment string }

// read reads in the source the comments, the values of string types, and which details each situation has.
func read(repository string) (*source, error) {
	s := &source{
		comments: map[string]string{}, values: map[string][]value{}, situations: map[string]map[string]struct{}{},
	}
	for _, folder := range folders() {
		path := module + "/" + filepath.ToSlash(folder)
		err := situations.EachFile(filepath.Join(repository, folder), func(file *ast.File) { s.readFile(path, file) })
		if err != nil {
			return nil, err
		}
	}
	given, err := situations.Details(filepath.Join(repository, "pkg"))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, one := range detailTypes() {
		known[reflect.TypeOf(one).Name()] = true
	}
	for situation, types := range given {
		for name := range types {
			if !known[name] {
				continue
			}
			if s.situations[name] == nil {
				s.situations[name] = map[string]struct{}{}
			}
			s.situations[name][situation] = struct{}{}
		}
	}
	return s, nil
}

func (s *source) readFile(path string, file *ast.File) {
	for _, declaration := range file.Decls {
		general, is := declaration.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.readType(path+"."+spec.Name.Name, cmp.Or(spec.Doc.Text(), general.Doc.Text()), spec)
			case *ast.ValueSpec:
				if general.Tok == token.CONST {
					s.readConstant(path, spec)
				}
			}
		}
	}
}

// readType keeps what a type's comment says, and those of its fields. Some fields share the comment above the first.
func (s *source) readType(name, comment string, spec *ast.TypeSpec) {
	s.comments[name] = sentence(comment)
	structure, is := spec.Type.(*ast.StructType)
	if !is {
		return
	}
	for _, field := range structure.Fields.List {
		for _, ident := range field.Names {
			s.comments[name+"."+ident.Name] = sentence(field.Doc.Text() + " " + field.Comment.Text())
		}
	}
}

// readConstant keeps a constant that is a text with a type, of this package or another one.
func (s *source) readConstant(path string, spec *ast.ValueSpec) {
	name := ""
	switch named := spec.Type.(type) {
	case *ast.Ident:
		name = path + "." + named.Name
	case *ast.SelectorExpr:
		name = module + "/pkg/" + named.X.(*ast.Ident).Name + "." + named.Sel.Name
	}
	for _, expr := range spec.Values {
		if literal, is := expr.(*ast.BasicLit); is && name != "" && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value) // it compiles
			s.values[name] = append(s.values[name], value{text: text, comment: sentence(spec.Comment.Text())})
		}
	}
}

// sentence returns a comment in one line.
func sentence(comment string) string { return strings.Join(strings.Fields(comment), " ") }

func sortedKeys[T any](of map[string]T) []string { return slices.Sorted(maps.Keys(of)) }
