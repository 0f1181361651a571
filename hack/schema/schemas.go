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

	"github.com/invopop/jsonschema"

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
	all := map[string]*jsonschema.Schema{detailsName: from.detailsSchema()}
	for kind, forms := range kinds() {
		all[kind] = from.schemaOf(kind, forms)
	}
	texts := map[string][]byte{}
	for name, schema := range all {
		schema.Version, schema.ID = jsonschema.Version, jsonschema.ID(address+name+".json")
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
func (s *source) schemaOf(kind string, forms []any) *jsonschema.Schema {
	definitions := jsonschema.Definitions{}
	root := &jsonschema.Schema{Definitions: definitions}
	for _, form := range forms {
		name := reflect.TypeOf(form).Name()
		s.add(definitions, form)
		set(definitions[name], "apiVersion", &jsonschema.Schema{Const: result.APIVersion})
		set(definitions[name], "kind", &jsonschema.Schema{Const: kind})
		root.OneOf = append(root.OneOf, &jsonschema.Schema{Ref: pointer + name})
	}
	if len(forms) == 1 {
		root.Ref, root.OneOf = root.OneOf[0].Ref, nil
	}
	for _, definition := range withDetails(definitions) {
		const are = "The parameters of the situation, of the type that " + detailsName + ".json gives for it."
		definition.Properties.Set("details", &jsonschema.Schema{Type: "object", Description: are})
	}
	return root
}

// withDetails returns the definitions of structures with details of any type.
func withDetails(definitions jsonschema.Definitions) (found []*jsonschema.Schema) {
	for _, definition := range definitions {
		if definition.Properties == nil {
			continue
		}
		details, has := definition.Properties.Get("details")
		if has && details.Ref == "" && details.Type == "" {
			found = append(found, definition)
		}
	}
	return found
}

// set puts what a property may be in the place of what its type says, and keeps what is said of it.
func set(of *jsonschema.Schema, property string, to *jsonschema.Schema) {
	old, _ := of.Properties.Get(property)
	to.Description = old.Description
	of.Properties.Set(property, to)
}

// add adds what defines a structure, and all that it leads to.
func (s *source) add(definitions jsonschema.Definitions, value any) {
	enums := jsonschema.Definitions{}
	reflector := jsonschema.Reflector{
		Anonymous: true, AllowAdditionalProperties: true, CommentMap: s.comments,
		Mapper: func(of reflect.Type) *jsonschema.Schema { return s.mapped(enums, of) },
	}
	for name, definition := range reflector.Reflect(value).Definitions {
		if !strings.Contains(name, "[") { // of a generic type there is none
			definitions[name] = definition
		}
	}
	for name, definition := range enums {
		definitions[name] = definition
	}
	for field, values := range fieldValues() {
		structure, property, _ := strings.Cut(field, ".")
		if of := definitions[structure]; of != nil && of.Properties != nil {
			set(of, property, &jsonschema.Schema{Type: "string", Enum: anys(values)})
		}
	}
}

// mapped returns what stands for types that aren't written as Go has them, and for those with a set of values.
func (s *source) mapped(enums jsonschema.Definitions, of reflect.Type) *jsonschema.Schema {
	if of == reflect.TypeFor[finding.Command]() {
		const is = "A complete command, for a POSIX shell. It may be pasted as it is."
		return &jsonschema.Schema{Type: "string", Description: is}
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
	enums[of.Name()] = &jsonschema.Schema{Type: "string", Enum: anys(values), Description: description}
	return &jsonschema.Schema{Ref: pointer + of.Name()}
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
func (s *source) detailsSchema() *jsonschema.Schema {
	const rules = "Rules"
	const says = "What has a situation has details of the type that is given here for it."
	definitions := jsonschema.Definitions{rules: &jsonschema.Schema{Description: says, AllOf: s.rules()}}
	for _, value := range detailTypes() {
		if len(s.situations[reflect.TypeOf(value).Name()]) > 0 {
			s.add(definitions, value)
		}
	}
	for _, definition := range withDetails(definitions) { // phrases within details
		definition.AllOf = []*jsonschema.Schema{{Ref: pointer + rules}}
	}
	return &jsonschema.Schema{Ref: pointer + rules, Definitions: definitions}
}

// rules return, for each set of types of details, the situations that have one of them.
func (s *source) rules() (rules []*jsonschema.Schema) {
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
		if1, then := jsonschema.NewProperties(), jsonschema.NewProperties()
		if1.Set("situation", &jsonschema.Schema{Enum: anys(situations)})
		of := &jsonschema.Schema{}
		for _, name := range strings.Fields(key) {
			of.AnyOf = append(of.AnyOf, &jsonschema.Schema{Ref: pointer + name})
		}
		if len(of.AnyOf) == 1 {
			of = of.AnyOf[0]
		}
		then.Set("details", of)
		rules = append(rules, &jsonschema.Schema{
			If:   &jsonschema.Schema{Properties: if1, Required: []string{"situation"}},
			Then: &jsonschema.Schema{Properties: then},
		})
	}
	return rules
}

func anys(texts []string) []any { return finding.Each(texts, func(text string) any { return text }) }

// folders are those of the packages with types of output.
func folders() []string {
	inPkg := func(name string) string { return filepath.Join("pkg", name) }
	return []string{inPkg("finding"), inPkg("graph"), inPkg("result"), "plugins"}
}
