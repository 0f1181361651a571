package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// JSON writes a result as indented JSON.
func JSON(out io.Writer, result any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// YAML writes a result as YAML, with the fields of the JSON.
func YAML(out io.Writer, result any) error {
	var buffer bytes.Buffer
	if err := JSON(&buffer, result); err != nil {
		return err
	}
	converted, err := yaml.JSONToYAML(buffer.Bytes())
	if err != nil {
		return err
	}
	_, err = out.Write(converted)
	return err
}

// Names writes the objects of the root causes as kubectl's -o name does: kind.group/name, one per
// line, each once.
func Names(out io.Writer, diagnosis *Diagnosis) error {
	var refs []finding.Ref
	for _, cause := range diagnosis.RootCauses {
		refs = append(append(refs, cause.Object), cause.Others...)
	}
	return names(out, refs)
}

func names(out io.Writer, refs []finding.Ref) error {
	known := map[finding.Ref]bool{}
	for _, ref := range refs {
		if known[ref] {
			continue
		}
		known[ref] = true
		if _, err := fmt.Fprintln(out, qualifiedName(ref)); err != nil {
			return err
		}
	}
	return nil
}

func qualifiedName(ref finding.Ref) string {
	kind := strings.ToLower(ref.Kind)
	if group := ref.Group(); group != "" {
		kind += "." + group
	}
	return kind + "/" + ref.Name
}
