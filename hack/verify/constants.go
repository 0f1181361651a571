package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// most is how many values a name may have in a folder: a local variable may have others in each function.
const most = 8

// strings returns the texts that a constant or variable may have. One that is made of itself has none.
func (s *goSource) strings(ctx context.Context, folder, name string) []string {
	symbol := folder + "." + name
	if texts, known := s.texts[symbol]; known {
		return texts
	}
	s.texts[symbol] = nil
	var texts []string
	if len(s.values[folder][name]) <= most {
		for _, value := range s.values[folder][name] {
			texts = append(texts, s.evaluate(ctx, folder, value, value.expr)...)
		}
	}
	s.texts[symbol] = texts[:min(len(texts), most)]
	return s.texts[symbol]
}

// evaluate returns the texts that an expression may have; none if it isn't known.
func (s *goSource) evaluate(ctx context.Context, folder string, at value, expr ast.Expr) []string {
	part := func(expr ast.Expr) []string { return s.evaluate(ctx, folder, at, expr) }
	switch expr := expr.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(expr.Value); err == nil && expr.Kind == token.STRING {
			return []string{text}
		}
	case *ast.ParenExpr:
		return part(expr.X)
	case *ast.Ident:
		return s.strings(ctx, folder, expr.Name)
	case *ast.BinaryExpr:
		return joined(part(expr.X), part(expr.Y))
	case *ast.SelectorExpr:
		return s.selected(ctx, folder, at, expr)
	case *ast.CallExpr:
		return called(expr, part)
	}
	return nil
}

// selected returns the texts of a constant in another package, or of the field Group of a GroupVersion.
func (s *goSource) selected(ctx context.Context, folder string, at value, expr *ast.SelectorExpr) []string {
	ident, is := expr.X.(*ast.Ident)
	if !is {
		if outer, is := expr.X.(*ast.SelectorExpr); is && expr.Sel.Name == "Group" { // v1.GroupVersion.Group
			if ident, is := outer.X.(*ast.Ident); is {
				return s.imported(ctx, at.imports[ident.Name], func(other *goSource, folder string) []string {
					return other.group(ctx, folder, outer.Sel.Name)
				})
			}
		}
		return nil
	}
	if expr.Sel.Name == "Group" && at.imports[ident.Name] == "" { // GroupVersion.Group
		return s.group(ctx, folder, ident.Name)
	}
	return s.imported(ctx, at.imports[ident.Name], func(other *goSource, folder string) []string {
		return other.strings(ctx, folder, expr.Sel.Name)
	})
}

// group returns the API groups of a variable of the type GroupVersion.
func (s *goSource) group(ctx context.Context, folder, name string) []string {
	var texts []string
	for _, value := range s.values[folder][name] {
		literal, is := value.expr.(*ast.CompositeLit)
		if !is {
			continue
		}
		for _, element := range literal.Elts {
			pair, is := element.(*ast.KeyValueExpr)
			if !is {
				continue
			}
			if key, is := pair.Key.(*ast.Ident); is && key.Name == "Group" {
				texts = append(texts, s.evaluate(ctx, folder, value, pair.Value)...)
			}
		}
	}
	return texts
}

// imported asks about the package with an import path, in this module or another.
func (s *goSource) imported(ctx context.Context, importPath string, ask func(*goSource, string) []string) []string {
	if importPath == "" {
		return nil
	}
	if folder, inside := s.tree.folderOf(importPath); inside {
		return ask(s, folder)
	}
	if other, folder := s.otherModule(ctx, importPath); other != nil {
		return ask(other, folder)
	}
	return nil
}

// otherModule reads a package of a module that this one requires.
func (s *goSource) otherModule(ctx context.Context, importPath string) (*goSource, string) {
	module := importPath
	for s.tree.required[module] == "" {
		parent := path.Dir(module)
		if parent == "." || parent == module {
			return nil, ""
		}
		module = parent
	}
	folder := strings.Trim(strings.TrimPrefix(importPath, module), "/")
	if folder == "" {
		folder = "."
	}
	other, known := s.others[importPath]
	if !known {
		if dir, err := s.store.dir(ctx, module+"@"+s.tree.required[module]); err == nil {
			if t, err := openTree(ctx, dir); err == nil {
				other = readGo(t, s.store, folder)
			}
		}
		s.others[importPath] = other
	}
	return other, folder
}

// inRequired says whether a module of the catalogue that this one requires has a string; drifted if none has it.
func (s *goSource) inRequired(ctx context.Context, text string) (outcome, string) {
	found, why := drifted, "no string of the module has it"
	for _, module := range s.store.catalogued {
		version := s.tree.required[module]
		if version == "" {
			continue
		}
		literals, read := s.store.literals(ctx, module+"@"+version)
		if _, is := literals[text]; is {
			return held, ""
		}
		if !read {
			found, why = notCheckable, "no string of the module has it, and "+module+"@"+version+" can't be read"
		}
	}
	return found, why
}

// joined are all texts of a followed by all of b.
func joined(a, b []string) []string {
	var texts []string
	for _, first := range a {
		for _, second := range b {
			texts = append(texts, first+second)
		}
	}
	return texts
}

// called returns what a conversion or fmt.Sprintf makes of its arguments.
func called(call *ast.CallExpr, part func(ast.Expr) []string) []string {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != "Sprintf" || len(call.Args) == 0 {
		if len(call.Args) == 1 {
			return part(call.Args[0]) // a conversion
		}
		return nil
	}
	texts := part(call.Args[0])
	for _, argument := range call.Args[1:] {
		var filled []string
		for _, format := range texts {
			for _, text := range part(argument) {
				before, after, found := cutVerb(format)
				if found {
					filled = append(filled, fmt.Sprint(before, text, after))
				}
			}
		}
		texts = filled
	}
	return texts
}

// cutVerb cuts a format at its first %s or %v.
func cutVerb(format string) (before, after string, found bool) {
	first := strings.Index(format, "%s")
	if other := strings.Index(format, "%v"); first < 0 || (other >= 0 && other < first) {
		first = other
	}
	if first < 0 {
		return "", "", false
	}
	return format[:first], format[first+2:], true
}
