package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// form is a JSON Schema, as far as the ones of outputs go. Its keywords are written in this order.
type form struct {
	Version              string           `json:"$schema,omitempty"`
	ID                   string           `json:"$id,omitempty"`
	Ref                  string           `json:"$ref,omitempty"`
	Definitions          map[string]*form `json:"$defs,omitempty"`
	AllOf                []*form          `json:"allOf,omitempty"`
	AnyOf                []*form          `json:"anyOf,omitempty"`
	OneOf                []*form          `json:"oneOf,omitempty"`
	If                   *form            `json:"if,omitempty"`
	Then                 *form            `json:"then,omitempty"`
	Items                *form            `json:"items,omitempty"`
	Properties           *properties      `json:"properties,omitempty"`
	AdditionalProperties *form            `json:"additionalProperties,omitempty"`
	Type                 string           `json:"type,omitempty"`
	Enum                 []string         `json:"enum,omitempty"`
	Const                string           `json:"const,omitempty"`
	Required             []string         `json:"required,omitempty"`
	Format               string           `json:"format,omitempty"`
	Title                string           `json:"title,omitempty"`
	Description          string           `json:"description,omitempty"`
}

// draft is the version of JSON Schema.
const draft = "https://json-schema.org/draft/2020-12/schema"

// properties are the fields of a structure, in Go's order.
type properties struct {
	names []string
	forms map[string]*form
}

func newProperties() *properties { return &properties{forms: map[string]*form{}} }

func (p *properties) set(name string, to *form) {
	if p.forms[name] == nil {
		p.names = append(p.names, name)
	}
	p.forms[name] = to
}

// MarshalJSON implements json.Marshaler.
func (p *properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, name := range p.names {
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out.Write(append(key, ':'))
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(p.forms[name]); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// formOf returns what a type is written as. Structures, and types with a set of values, become definitions.
func (s *source) formOf(definitions map[string]*form, of reflect.Type) *form {
	if of == reflect.TypeFor[time.Time]() {
		return &form{Type: "string", Format: "date-time"}
	}
	if mapped := s.mapped(definitions, of); mapped != nil {
		return mapped
	}
	switch of.Kind() {
	case reflect.Pointer:
		return s.formOf(definitions, of.Elem())
	case reflect.Struct:
		s.define(definitions, of)
		return &form{Ref: pointer + of.Name()}
	case reflect.Slice:
		return &form{Type: "array", Items: s.formOf(definitions, of.Elem())}
	case reflect.Map:
		return &form{Type: "object", AdditionalProperties: s.formOf(definitions, of.Elem())}
	case reflect.String:
		return &form{Type: "string"}
	case reflect.Bool:
		return &form{Type: "boolean"}
	case reflect.Interface:
		return &form{}
	case reflect.Float32, reflect.Float64:
		return &form{Type: "number"}
	}
	return &form{Type: "integer"}
}

// define adds the definition of a structure, once.
func (s *source) define(definitions map[string]*form, of reflect.Type) {
	if definitions[of.Name()] != nil {
		return
	}
	structure := &form{
		Type: "object", Properties: newProperties(), Description: s.comments[of.PkgPath()+"."+of.Name()],
	}
	definitions[of.Name()] = structure
	s.fields(definitions, structure, of)
}

// fields adds the fields of a structure, and those of what it embeds.
func (s *source) fields(definitions map[string]*form, structure *form, of reflect.Type) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous && name == "":
			embedded := field.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			s.fields(definitions, structure, embedded)
		case field.IsExported():
			if name == "" {
				name = field.Name
			}
			written := s.formOf(definitions, field.Type)
			if said := s.comments[of.PkgPath()+"."+of.Name()+"."+field.Name]; said != "" {
				written.Description = said
			}
			structure.Properties.set(name, written)
			optional := strings.Split(options, ",")
			if !slices.Contains(optional, "omitempty") && !slices.Contains(optional, "omitzero") {
				structure.Required = append(structure.Required, name)
			}
		}
	}
}
