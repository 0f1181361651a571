package report

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/yaml"
)

// renderJSON writes a result as indented JSON.
func renderJSON(result any, w *writer) {
	encoder := json.NewEncoder(w.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	w.err = encoder.Encode(result)
}

// renderYAML writes a result as YAML, with the fields of the JSON.
func renderYAML(result any, w *writer) {
	var buffer bytes.Buffer
	inner := &writer{out: &buffer}
	renderJSON(result, inner)
	if w.err = inner.err; w.err != nil {
		return
	}
	converted, err := yaml.JSONToYAML(buffer.Bytes())
	if w.err = err; err == nil {
		_, w.err = w.out.Write(converted)
	}
}
