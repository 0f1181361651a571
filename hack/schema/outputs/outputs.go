// Package outputs holds what commands print with -o json against the published schemas, for tests.
package outputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// details is the schema that everything with a situation has to follow besides that of its kind.
const details = "Details"

// Schemas are the schemas of a folder, by kind. They allow no field that isn't described: programs must accept new
// fields, but a test has to find the fields that are missing in the schema.
type Schemas map[string]*jsonschema.Resolved

// Open reads and compiles the schemas of a folder.
func Open(folder string) (Schemas, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no schemas in %s", folder)
	}
	all := Schemas{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		schema := &jsonschema.Schema{}
		if err := json.Unmarshal(data, schema); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		exact(schema)
		if all[kindOf(file)], err = schema.Resolve(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return all, nil
}

func kindOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".json") }

// aTime is what times look like: the library doesn't check formats.
const aTime = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`

// exact has a schema allow no other fields of structures than the described ones, and no other texts as times.
func exact(schema *jsonschema.Schema) {
	for _, definition := range schema.Defs {
		if definition.Properties != nil && definition.Type == "object" {
			definition.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
		for _, property := range definition.Properties {
			for ; property != nil; property = property.Items {
				if property.Format == "date-time" {
					property.Pattern = aTime
				}
			}
		}
	}
}

// Check returns what is wrong with an output: one document, or several one after another, as --watch prints them.
func (s Schemas) Check(output []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(output))
	for documents := 0; ; documents++ {
		var document map[string]any
		err := decoder.Decode(&document)
		switch {
		case errors.Is(err, io.EOF) && documents > 0:
			return nil
		case err != nil:
			return fmt.Errorf("it is no JSON: %w", err)
		}
		kind, _ := document["kind"].(string)
		if s[kind] == nil || kind == details {
			return fmt.Errorf("there is no schema for the kind %q", kind)
		}
		if err := errors.Join(s[kind].Validate(document), s.checkDetails(document, kind)); err != nil {
			return err
		}
	}
}

// checkDetails holds everything with a situation against the details that it may have.
func (s Schemas) checkDetails(value any, path string) (err error) {
	switch value := value.(type) {
	case []any:
		for i, one := range value {
			err = errors.Join(err, s.checkDetails(one, fmt.Sprintf("%s/%d", path, i)))
		}
	case map[string]any:
		if value["situation"] != nil && value["details"] != nil {
			if wrong := s[details].Validate(value); wrong != nil {
				return fmt.Errorf("%s, %v: %w", path, value["situation"], wrong)
			}
		}
		for name, one := range value {
			err = errors.Join(err, s.checkDetails(one, path+"/"+name))
		}
	}
	return err
}
