package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/kubectl-finalizers/kubectl-finalizers/docs/schema"
)

// withoutWords drops what is said of each field: that is for people who write programs, and long.
func withoutWords(schema any) {
	switch schema := schema.(type) {
	case []any:
		for _, one := range schema {
			withoutWords(one)
		}
	case map[string]any:
		if _, says := schema["description"].(string); says {
			delete(schema, "description")
		}
		for _, one := range schema {
			withoutWords(one)
		}
	}
}

// outputSchema returns the schema of an Answer with a result of one of some kinds. It refers to no address and no
// draft, so that clients that know another one understand it, too.
func outputSchema(kinds []string) (map[string]any, error) {
	definitions, answers := map[string]any{}, []any{}
	for _, kind := range kinds {
		data, err := schema.Files.ReadFile(kind + ".json")
		if err != nil {
			return nil, err
		}
		var published struct {
			Definitions map[string]any `json:"$defs"`
			Ref         string         `json:"$ref"`
			OneOf       []any          `json:"oneOf"`
		}
		if err := json.Unmarshal(data, &published); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		withoutWords(published.Definitions)
		maps.Copy(definitions, published.Definitions)
		answers = append(answers, published.OneOf...)
		if published.Ref != "" {
			answers = append(answers, map[string]any{"$ref": published.Ref})
		}
	}
	described := func(kind, says string) map[string]any { return map[string]any{"type": kind, "description": says} }
	cut := described("object", "A list that was cut.")
	cut["properties"] = map[string]any{
		"list": described("string", "Where it stands in the answer."),
		"kept": described("integer", "How many entries are in the answer."),
		"of":   described("integer", "How many there are."),
	}
	leftOut := described("array", "The lists of the answer that are longer than what is here.")
	leftOut["items"] = cut
	return map[string]any{
		"type": "object", "required": []any{"notice", "answer"}, "$defs": definitions,
		"properties": map[string]any{
			"notice":     described("string", "How to take text that comes from the cluster."),
			"answer":     map[string]any{"anyOf": answers, "description": "What kubectl finalizers prints with -o json."},
			"said":       described("string", "Warnings, and errors about single objects."),
			"incomplete": described("string", "Why the answer is not all there would have been."),
			"leftOut":    leftOut,
			"askOn":      described("string", "How to see what was left out."),
		},
	}, nil
}
