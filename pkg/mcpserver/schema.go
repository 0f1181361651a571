package mcpserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/kubectl-finalizers/kubectl-finalizers/docs/schema"
)

// inputSchema returns the schema of a tool's input, with what parameters says of each of them.
func inputSchema[In input](tool string) (*jsonschema.Schema, error) {
	takes, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	words := parameters()
	for name, parameter := range takes.Properties {
		parameter.Description = cmp.Or(words[tool+"."+name], words[name])
		if parameter.Description == "" {
			return nil, fmt.Errorf("nothing says what %s is", name)
		}
	}
	if cascade := takes.Properties["cascade"]; cascade != nil {
		cascade.Enum = []any{"background", "foreground", "orphan"}
	}
	if targets := takes.Properties["targets"]; targets != nil {
		targets.Type, targets.Types = "array", nil // and never null
	}
	return takes, nil
}

// parameters says what each parameter is, of one tool where a tool is named.
func parameters() map[string]string {
	return map[string]string{
		"namespace": "The namespace, as kubectl's -n. Default: that of the kubeconfig's context.",
		"allNamespaces": "All namespaces, and what is in none, as kubectl's -A. " +
			"With targets it needs a type alone, or a selector.",
		"limit": "How many entries of each list to return at most, the worst first: 1 to 500. Default: 50.",
		"why.targets": "The objects, as TYPE/NAME: ns/payments, pvc/data, databases.shop.example.com/orders. " +
			"Or one TYPE, or TYPE,TYPE: whatever of that is Terminating; " +
			"with selector: every object of it that has the labels.",
		"preview.targets": "The objects that would be deleted together, as TYPE/NAME; with selector: a TYPE.",
		"selector":        "Take all objects of a type with these labels, for example app=web.",
		"list.selector":   "Only objects with these labels, for example app=web.",
		"deep": "Read every kind of object where nothing narrower decides: all that is in a namespace, " +
			"and dependents in all namespaces. Slow on large clusters.",
		"olderThan": "Only what was deleted longer ago than this, for example 30m, 4h or 2d.",
		"target": "The object, as TYPE/NAME. " +
			"Without it: everything Terminating in the namespace, or with allNamespaces in the cluster.",
		"depth":   "How many steps to go up and down from the object. Default: all of them.",
		"cascade": "How dependents are deleted, as kubectl delete has it. Default: background.",
		"finalizer": "The finalizer, for example foregroundDeletion or shop.example.com/cleanup. " +
			"Without it and without kind: the projects of which finalizers are known.",
		"kind": "The kind that has it, as KIND or KIND.GROUP, or by another name that kubectl takes; " +
			"without a finalizer: everything that is known to hold this kind.",
	}
}

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
