// Package k9s reads plugin files of k9s and expands their commands as k9s does, for tests of docs/k9s.
package k9s

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Plugin is a plugin, as far as k9s needs it to run one (k9s v0.51 internal/config/plugin.go:Plugin).
type Plugin struct {
	ShortCut    string   `json:"shortCut"`
	Description string   `json:"description"`
	Scopes      []string `json:"scopes"`
	Command     string   `json:"command"`
	Args        []string `json:"args"`
}

// Read reads the plugins of a file, by name. A field that Plugin doesn't have is an error.
func Read(path string) (map[string]Plugin, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Plugins map[string]Plugin `json:"plugins"`
	}
	return file.Plugins, yaml.UnmarshalStrict(data, &file)
}

// Row is what is selected in k9s: the object's kind, as it is in the address of its API, and the object.
type Row struct {
	Group, Version, Resource string
	Namespace, Name          string
	Context, Kubeconfig      string
}

// values are what k9s knows about a row (k9s v0.51 internal/view/table.go:defaultEnv, internal/view/helpers.go:k8sEnv).
func (r Row) values() map[string]string {
	namespace := r.Namespace
	if namespace == "" {
		namespace = "-" // k9s v0.51 internal/client/helpers.go:MetaFQN
	}
	return map[string]string{
		"RESOURCE_GROUP": r.Group, "RESOURCE_VERSION": r.Version, "RESOURCE_NAME": r.Resource,
		"NAMESPACE": namespace, "NAME": r.Name, "CONTEXT": r.Context, "KUBECONFIG": r.Kubeconfig,
	}
}

// Expand returns the arguments with which k9s runs a plugin for a row. Names that k9s doesn't know stay, and longer
// ones are replaced first (k9s v0.51 internal/view/env.go:Substitute, without what negates and the names of columns).
func (p Plugin) Expand(row Row) []string {
	values, variable := row.values(), regexp.MustCompile(`\$([\w-]+)|\$\{([\w-]+)\}`)
	expanded := slices.Clone(p.Args)
	for i := range expanded {
		found := variable.FindAllString(expanded[i], -1)
		slices.SortStableFunc(found, func(a, b string) int { return len(b) - len(a) })
		for _, text := range found {
			if value, known := values[strings.ToUpper(strings.Trim(text, "${}"))]; known {
				expanded[i] = strings.ReplaceAll(expanded[i], text, value)
			}
		}
	}
	return expanded
}
