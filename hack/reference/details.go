package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/reference/situations"
)

// details is the page about situations and their details: the situations by the files of their texts, and the fields
// of the types in pkg/finding that the program gives them. repository is where the source lies.
func details(repository string) ([]byte, error) {
	given, err := situations.Details(filepath.Join(repository, "pkg"))
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
	out.WriteString("# Situations and details\n\nWritten by `make docs` from the program's texts and types. Each " +
		"root cause, observation and finding in the JSON has a `situation`, and `details` of the type that is given " +
		"here; of a type's fields, those are there that apply.\n")
	used := map[string]bool{}
	for _, file := range files {
		situations, err := situationsIn(file)
		if err != nil {
			return nil, err
		}
		if len(situations) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n## %s\n\n| situation | details |\n|---|---|\n",
			strings.TrimSuffix(filepath.Base(file), ".yaml"))
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
			fmt.Fprintf(&out, "\n## %s\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n%s", name, types[name].doc,
				types[name].rows)
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
	err := situations.EachFile(folder, func(file *ast.File) {
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
				found[spec.Name.Name] = detailType{
					oneLine(strings.TrimPrefix(doc, spec.Name.Name+" ")), fieldRows(fields),
				}
			}
		}
	})
	return found, err
}

func fieldRows(structType *ast.StructType) string {
	var rows strings.Builder
	for _, field := range structType.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", name, typeName(field.Type),
			oneLine(field.Doc.Text()+" "+field.Comment.Text()))
	}
	return rows.String()
}

// typeName returns the type of a field, as JSON calls it.
func typeName(expr ast.Expr) string {
	switch of := expr.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.ArrayType:
		return "list of " + typeName(of.Elt)
	case *ast.MapType:
		return "object"
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.Ident:
		known := map[string]string{
			"Ref": "[reference](../json.md#references)", "bool": "boolean", "int": "number", "int64": "number",
			"any": "object",
		}
		if name := known[of.Name]; name != "" {
			return name
		}
		return of.Name
	}
	return "object"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
