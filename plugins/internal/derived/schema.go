package derived

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// schema is as much of JSON Schema as plugins need.
type schema struct {
	Schema               string             `json:"$schema,omitempty"`
	ID                   string             `json:"$id,omitempty"`
	Title                string             `json:"title,omitempty"`
	Description          string             `json:"description,omitempty"`
	Ref                  string             `json:"$ref,omitempty"`
	Type                 string             `json:"type,omitempty"`
	Const                string             `json:"const,omitempty"`
	Enum                 []string           `json:"enum,omitempty"`
	MinLength            int                `json:"minLength,omitempty"`
	Items                *schema            `json:"items,omitempty"`
	Required             []string           `json:"required,omitempty"`
	Properties           map[string]*schema `json:"properties,omitempty"`
	AdditionalProperties *bool              `json:"additionalProperties,omitempty"`
	Definitions          map[string]*schema `json:"$defs,omitempty"`
}

// Schema returns the JSON Schema of a plugin, from the Go types and their comments in types.go.
func Schema(dir string) ([]byte, error) {
	comments, err := commentsOf(filepath.Join(dir, "types.go"))
	if err != nil {
		return nil, err
	}
	made := maker{comments: comments, definitions: map[string]*schema{}}
	root := made.object(reflect.TypeFor[plugins.Plugin]())
	root.Schema, root.Title = "https://json-schema.org/draft/2020-12/schema", "Finalizer plugin"
	root.Properties["apiVersion"].Const = plugins.APIVersion
	root.Properties["kind"].Const = plugins.Kind
	root.Definitions = made.definitions
	return indented(root)
}

type maker struct {
	comments    map[string]string // of TYPE.Field
	definitions map[string]*schema
}

func (m *maker) object(of reflect.Type) *schema {
	closed := false
	made := &schema{Type: "object", Properties: map[string]*schema{}, AdditionalProperties: &closed}
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		property := m.value(field.Type)
		property.Description = m.comments[of.Name()+"."+field.Name]
		made.Properties[name] = property
		if options == "" {
			made.Required = append(made.Required, name)
		}
	}
	return made
}

func (m *maker) value(of reflect.Type) *schema {
	switch of.Kind() {
	case reflect.Pointer:
		return m.value(of.Elem())
	case reflect.Slice:
		return &schema{Type: "array", Items: m.value(of.Elem())}
	case reflect.Struct:
		if _, done := m.definitions[of.Name()]; !done {
			m.definitions[of.Name()] = m.object(of)
		}
		return &schema{Ref: "#/$defs/" + of.Name()}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	}
	return &schema{Type: "string", MinLength: 1, Enum: values(of)}
}

// values returns all values of a type that has few.
func values(of reflect.Type) []string {
	var all []any
	switch of {
	case reflect.TypeFor[plugins.Guard]():
		for _, guard := range plugins.Guards() {
			all = append(all, guard)
		}
	case reflect.TypeFor[plugins.Check]():
		for _, check := range plugins.Checks() {
			all = append(all, check)
		}
	case reflect.TypeFor[plugins.Scope]():
		all = []any{plugins.ScopeNamespace, plugins.ScopeCluster}
	}
	var texts []string
	for _, value := range all {
		texts = append(texts, fmt.Sprint(value))
	}
	return texts
}

// commentsOf returns the comments on the fields of a file's types.
func commentsOf(path string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, isType := node.(*ast.TypeSpec)
		if !isType {
			return true
		}
		if fields, isStruct := spec.Type.(*ast.StructType); isStruct {
			for _, field := range fields.Fields.List {
				comments[spec.Name.Name+"."+field.Names[0].Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
		return false
	})
	return comments, nil
}
