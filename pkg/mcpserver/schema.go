package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/docs/schema"
)

// object is a JSON object.
type object = map[string]any

// outputSchema returns the schema of an Answer with a result of one of some kinds. It has the fields of the result and
// their types, and not what is within them: an assistant reads the schemas of all tools before it asks anything.
// docs/schema has the rest. It names no address and no draft, because some clients know another draft.
func outputSchema(kinds []string) (object, error) {
	var answers []any
	for _, kind := range kinds {
		some, err := outlines(kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		answers = append(answers, some...)
	}
	words := object{"type": "string"}
	return object{
		"type": "object", "required": []any{"notice", "answer"},
		"properties": object{
			"notice": words, "answer": object{"anyOf": answers}, "said": words, "incomplete": words, "askOn": words,
			"leftOut": object{"type": "array", "items": object{"type": "object"}},
		},
	}, nil
}

// outlines returns the outline of each form that a kind of result has.
func outlines(kind string) ([]any, error) {
	data, err := schema.Files.ReadFile(kind + ".json")
	if err != nil {
		return nil, err
	}
	var published struct {
		Definitions map[string]object `json:"$defs"`
		Ref         string            `json:"$ref"`
		OneOf       []object          `json:"oneOf"`
	}
	if err := json.Unmarshal(data, &published); err != nil {
		return nil, err
	}
	if published.Ref != "" {
		published.OneOf = append(published.OneOf, object{"$ref": published.Ref})
	}
	var all []any
	for _, form := range published.OneOf {
		all = append(all, outline(form, published.Definitions, 1))
	}
	return all, nil
}

// mostValues is how many values of a text an outline names: verdicts, and not all reasons.
const mostValues = 4

// outline returns what a schema says down to some levels of fields: a weaker schema, without words.
func outline(schema object, definitions map[string]object, levels int) object {
	if ref, is := schema["$ref"].(string); is {
		return outline(definitions[strings.TrimPrefix(ref, "#/$defs/")], definitions, levels)
	}
	drawn := object{}
	for _, keyword := range []string{"type", "const"} {
		if value, has := schema[keyword]; has {
			drawn[keyword] = value
		}
	}
	if values, _ := schema["enum"].([]any); len(values) > 0 && len(values) <= mostValues {
		drawn["enum"] = values
	}
	if items, is := schema["items"].(object); is {
		drawn["items"] = outline(items, definitions, levels-1)
	}
	fields, _ := schema["properties"].(object)
	if levels <= 0 || len(fields) == 0 {
		return drawn
	}
	drawn["required"] = schema["required"]
	within := object{}
	for name, field := range fields {
		within[name] = outline(field.(object), definitions, levels-1)
	}
	drawn["properties"] = within
	return drawn
}
