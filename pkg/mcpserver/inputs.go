package mcpserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// parameter is one that a tool takes: its name, the flag that it stands for, and its schema.
type parameter struct {
	name, flag string
	schema     *jsonschema.Schema
}

// Names of parameters. Only the selector stands for a flag.
const (
	namespaceName = "namespace"
	limitName     = "limit"
	targetsName   = "targets"
	targetName    = "target"
	finalizerName = "finalizer"
	selectorName  = "selector"
)

// How many entries of each list an answer has, unless limit says, and at most.
const (
	usualLimit = 50
	mostLimit  = 500
)

// How many letters a text has at most, and how many objects may be named: a TYPE.VERSION.GROUP/NAME has no more than
// a thousand, and what compares names takes long for longer ones.
const (
	mostLetters  = 1_000
	mostSelector = 10_000
	mostTargets  = 500
)

func text(name, flag, says string) parameter {
	most := mostLetters
	if name == selectorName {
		most = mostSelector
	}
	return parameter{name, flag, &jsonschema.Schema{Type: "string", MaxLength: &most, Description: says}}
}

func yes(name, flag, says string) parameter {
	return parameter{name, flag, &jsonschema.Schema{Type: "boolean", Description: says}}
}

func number(name, flag string, least, most float64, says string) parameter {
	return parameter{name, flag, &jsonschema.Schema{
		Type: "integer", Minimum: &least, Maximum: &most, Description: says,
	}}
}

func limit() parameter {
	return number(limitName, "", 1, mostLimit, fmt.Sprintf("Entries of each list at most. Default: %d.", usualLimit))
}

// objects are the parameters of a tool that needs some: their names, or a type with labels.
func objects(says string) []parameter {
	least, most, letters := 1, mostTargets, mostLetters
	target := &jsonschema.Schema{Type: "string", MaxLength: &letters}
	targets := &jsonschema.Schema{Type: "array", Items: target, MinItems: &least, MaxItems: &most, Description: says}
	return []parameter{
		{targetsName, "", targets},
		text(targetName, "", "Instead of targets, where it is one."),
		text(selectorName, "selector", "With a TYPE as the target: all of it with these labels, for example app=web."),
	}
}

// anywhere adds the parameters that say where a tool looks.
func anywhere(some ...parameter) []parameter {
	return append(some,
		text(namespaceName, "", "Default: that of the kubeconfig's context."),
		yes("allNamespaces", "all-namespaces", "As kubectl's -A; not with TYPE/NAME."),
		limit())
}

// inputSchema returns the schema of what a tool takes: its parameters and nothing else.
func (t tool) inputSchema() *jsonschema.Schema {
	schema := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, take := range t.takes {
		schema.Properties[take.name] = take.schema
		schema.PropertyOrder = append(schema.PropertyOrder, take.name)
	}
	return schema
}

// input is what a tool is called with, as its schema has it.
type input map[string]any

// limit returns how many entries of each list are wanted.
func (in input) limit() int {
	if limit, given := in[limitName].(float64); given {
		return int(limit)
	}
	return usualLimit
}

// question returns the command that a call of a tool stands for.
func (t tool) question(in input) (Question, error) {
	var flags, targets []string
	for _, take := range t.takes {
		if value := in[take.name]; take.flag != "" && value != nil && value != "" {
			flags = append(flags, fmt.Sprintf("--%s=%v", take.flag, value))
		}
	}
	for _, name := range []string{targetName, finalizerName} {
		value, _ := in[name].(string)
		targets = append(targets, strings.Fields(value)...)
	}
	several, _ := in[targetsName].([]any)
	for _, target := range several {
		targets = append(targets, fmt.Sprint(target))
	}
	needed := slices.ContainsFunc(t.takes, func(one parameter) bool { return one.name == targetsName })
	if needed && len(targets) == 0 || slices.Contains(targets, "") || slices.Contains(targets, "-") {
		return Question{}, errors.New("name objects as TYPE/NAME, for example ns/payments")
	}
	namespace, _ := in[namespaceName].(string)
	return Question{Command: t.name, Namespace: namespace, Args: slices.Concat(flags, []string{"--"}, targets)}, nil
}
