package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const module = "github.com/kubectl-finalizers/kubectl-finalizers"

// address is where the published schemas are found.
const address = "https://raw.githubusercontent.com/kubectl-finalizers/kubectl-finalizers/main/docs/schema/"

const pointer = "#/$defs/"

// source is what the schemas are made from, besides the types.
type source struct {
	comments   map[string]string              // by package.Type and package.Type.Field
	values     map[string][]value             // the constants of string types, by package.Type
	situations map[string]map[string]struct{} // the situations for which details of a type are given, by its name
}

// schemas returns the schema of each kind of output, and that of details, by the names of their files. repository is
// where the source is.
func schemas(repository string) (map[string][]byte, error) {
	from, err := read(repository)
	if err != nil {
		return nil, err
	}
	all := map[string]*form{detailsName: from.detailsSchema()}
	for kind, forms := range kinds() {
		all[kind] = from.schemaOf(kind, forms)
	}
	texts := map[string][]byte{}
	for name, schema := range all {
		schema.Version, schema.ID = draft, address+name+".json"
		schema.Title, schema.Type = name, "object"
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(schema); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[name+".json"] = text.Bytes()
	}
	return texts, nil
}

// schemaOf returns the schema of a kind, which may have several forms.
func (s *source) schemaOf(kind string, forms []any) *form {
	definitions := map[string]*form{}
	root := &form{Definitions: definitions}
	for _, value := range forms {
		name := reflect.TypeOf(value).Name()
		s.add(definitions, value)
		set(definitions[name], "apiVersion", &form{Const: result.APIVersion})
		set(definitions[name], "kind", &form{Const: kind})
		root.OneOf = append(root.OneOf, &form{Ref: pointer + name})
	}
	if len(forms) == 1 {
		root.Ref, root.OneOf = root.OneOf[0].Ref, nil
	}
	for _, definition := range withDetails(definitions) {
		const are = "The parameters of the situation, of the type that " + detailsName + ".json gives for it."
		definition.Properties.set("details", &form{Type: "object", Description: are})
	}
	return root
}

// withDetails returns the definitions of structures with details of any type.
func withDetails(definitions map[string]*form) (found []*form) {
	for _, definition := range definitions {
		if definition.Properties == nil {
			continue
		}
		details := definition.Properties.forms["details"]
		if details != nil && details.Ref == "" && details.Type == "" {
			found = append(found, definition)
		}
	}
	return found
}

// set puts what a property may be in the place of what its type says, and keeps what is said of it.
func set(of *form, property string, to *form) {
	to.Description = of.Properties.forms[property].Description
	of.Properties.set(property, to)
}

// add adds what defines a structure, and all that it leads to.
func (s *source) add(definitions map[string]*form, value any) {
	s.formOf(definitions, reflect.TypeOf(value))
	for field, values := range fieldValues() {
		structure, property, _ := strings.Cut(field, ".")
		if of := definitions[structure]; of != nil && of.Properties != nil {
			set(of, property, &form{Type: "string", Enum: values})
		}
	}
}

// mapped returns what stands for types that aren't written as Go has them, and for those with a set of values.
func (s *source) mapped(definitions map[string]*form, of reflect.Type) *form {
	if of == reflect.TypeFor[finding.Command]() {
		const is = "A complete command, for a POSIX shell. It may be pasted as it is."
		return &form{Type: "string", Description: is}
	}
	name := of.PkgPath() + "." + of.Name()
	if of.Kind() != reflect.String || len(s.values[name]) == 0 {
		return nil
	}
	description := s.comments[name]
	var values []string
	for _, one := range s.values[name] {
		text := written(of, one.text)
		values = append(values, text)
		if one.comment != "" {
			description += fmt.Sprintf("\n%s: %s.", text, one.comment)
		}
	}
	definitions[of.Name()] = &form{Type: "string", Enum: values, Description: description}
	return &form{Ref: pointer + of.Name()}
}

// written returns what is written down for a value of a string type.
func written(of reflect.Type, text string) string {
	one := reflect.New(of)
	one.Elem().SetString(text)
	if marshaler, is := one.Interface().(encoding.TextMarshaler); is {
		if own, err := marshaler.MarshalText(); err == nil {
			return string(own)
		}
	}
	return text
}

// detailsName is that of the schema of whatever has a situation, and the details of that.
const detailsName = "Details"

// detailsSchema returns the schema of the details of each situation.
func (s *source) detailsSchema() *form {
	const rules = "Rules"
	const says = "What has a situation has details of the type that is given here for it."
	definitions := map[string]*form{rules: &form{Description: says, AllOf: s.rules()}}
	for _, value := range detailTypes() {
		if len(s.situations[reflect.TypeOf(value).Name()]) > 0 {
			s.add(definitions, value)
		}
	}
	for _, definition := range withDetails(definitions) { // phrases within details
		definition.AllOf = []*form{{Ref: pointer + rules}}
	}
	return &form{Ref: pointer + rules, Definitions: definitions}
}

// rules return, for each set of types of details, the situations that have one of them.
func (s *source) rules() (rules []*form) {
	types := map[string][]string{} // of a situation
	for name, situations := range s.situations {
		for situation := range situations {
			types[situation] = append(types[situation], name)
		}
	}
	sets := map[string][]string{} // situations, by their types
	for situation, names := range types {
		slices.Sort(names)
		key := strings.Join(names, " ")
		sets[key] = append(sets[key], situation)
	}
	for _, key := range sortedKeys(sets) {
		situations := sets[key]
		slices.Sort(situations)
		if1, then := newProperties(), newProperties()
		if1.set("situation", &form{Enum: situations})
		of := &form{}
		for _, name := range strings.Fields(key) {
			of.AnyOf = append(of.AnyOf, &form{Ref: pointer + name})
		}
		if len(of.AnyOf) == 1 {
			of = of.AnyOf[0]
		}
		then.set("details", of)
		rules = append(rules, &form{
			If:   &form{Properties: if1, Required: []string{"situation"}},
			Then: &form{Properties: then},
		})
	}
	return rules
}

// folders are those of the packages with types of output.
func folders() []string {
	inPkg := func(name string) string { return filepath.Join("pkg", name) }
	return []string{inPkg("finding"), inPkg("graph"), inPkg("result"), "plugins"}
}
