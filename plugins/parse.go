package plugins

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	File   string
	Line   int    // 0 if it is no line's
	Field  string // as finalizers[2].waitsFor; empty if it is no field's
	Reason string
}

// Error implements error.
func (p Problem) Error() string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Field != "" {
		text += ": " + p.Field
	}
	return text + ": " + p.Reason
}

// parser turns YAML into a Plugin. It does so by hand to know the line of everything that is wrong,
// and because no field is anything but text.
type parser struct {
	file     string
	lines    map[string]int // of each field
	problems []Problem
}

// parse reads a file as far as its form goes. What it says is checked by validate.
func parse(file string, data []byte) (*Plugin, map[string]int, []Problem) {
	p := &parser{file: file, lines: map[string]int{}}
	document := yaml.Node{}
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, nil, []Problem{syntaxProblem(file, err)}
	}
	plugin := &Plugin{}
	if len(document.Content) == 0 {
		return nil, nil, []Problem{{File: file, Reason: "it is empty"}}
	}
	p.set(document.Content[0], reflect.ValueOf(plugin).Elem(), "")
	return plugin, p.lines, p.problems
}

// syntaxProblem finds the line in what the YAML library says.
func syntaxProblem(file string, err error) Problem {
	var line int
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if _, scanErr := fmt.Sscanf(text, "line %d:", &line); scanErr == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return Problem{File: file, Line: line, Reason: "no YAML: " + text}
}

func (p *parser) fail(node *yaml.Node, field, reason string) {
	p.problems = append(p.problems, Problem{File: p.file, Line: node.Line, Field: field, Reason: reason})
}

// mostFields is how many fields and values a plugin may have, each reference to another counted as what it stands for:
// references to references could be billions.
const mostFields = 20_000

func (p *parser) set(node *yaml.Node, into reflect.Value, field string) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if len(p.lines) == mostFields {
		p.fail(node, field, fmt.Sprintf("there are more than %d fields before it", mostFields))
	}
	p.lines[field] = node.Line
	if len(p.lines) > mostFields {
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		p.set(node, into.Elem(), field)
	case reflect.Struct:
		p.setStruct(node, into, field)
	case reflect.Slice:
		if node.Kind != yaml.SequenceNode {
			p.fail(node, field, "it is "+form(node)+", and should be a list")
			return
		}
		into.Set(reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content)))
		for i, item := range node.Content {
			p.set(item, into.Index(i), fmt.Sprintf("%s[%d]", field, i))
		}
	case reflect.Bool:
		if node.Tag != "!!bool" {
			p.fail(node, field, "it should be true or false")
			return
		}
		into.SetBool(strings.EqualFold(node.Value, "true"))
	default:
		switch {
		case node.Kind != yaml.ScalarNode:
			p.fail(node, field, "it is "+form(node)+", and should be text")
		case node.Tag == "!!null" || strings.TrimSpace(node.Value) == "":
			p.fail(node, field, "it is empty; leave it out if there is nothing to say")
		default:
			into.SetString(node.Value)
		}
	}
}

func (p *parser) setStruct(node *yaml.Node, into reflect.Value, field string) {
	if node.Kind != yaml.MappingNode {
		p.fail(node, field, "it is "+form(node)+", and should be a map of fields")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		name := strings.TrimPrefix(field+"."+key.Value, ".")
		target, err := fieldNamed(into, key.Value)
		switch {
		case err != nil:
			p.fail(key, name, err.Error())
		case seen[key.Value]:
			p.fail(key, name, "it is given twice")
		default:
			p.set(node.Content[i+1], target, name)
		}
		seen[key.Value] = true
	}
}

// fieldNamed returns the field with a JSON name.
func fieldNamed(value reflect.Value, name string) (reflect.Value, error) {
	var known []string
	for i := range value.NumField() {
		tag, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		switch tag {
		case "-":
		case name:
			return value.Field(i), nil
		default:
			known = append(known, tag)
		}
	}
	return reflect.Value{}, errors.New("there is no such field here; there are " + strings.Join(known, ", "))
}

func form(node *yaml.Node) string {
	switch node.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a map"
	}
	return "text"
}
