// Package derived makes the files that follow from others: the index of the plugins, and their
// JSON Schema.
package derived

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Index returns index.json for the plugins of a folder.
func Index(dir string) ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	index := []plugins.Indexed{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		plugin, problems := plugins.Parse(filepath.Base(path), data)
		if len(problems) > 0 {
			return nil, problems[0]
		}
		indexed := plugins.Indexed{
			File: filepath.Base(path), Project: plugin.Project, Names: []string{}, Observers: plugin.Observers,
		}
		for _, finalizer := range plugin.Finalizers {
			for _, name := range finalizer.Names {
				if !slices.Contains(indexed.Names, name) { // others are the same on other kinds
					indexed.Names = append(indexed.Names, name)
				}
			}
		}
		index = append(index, indexed)
	}
	return indented(index)
}

func indented(value any) ([]byte, error) {
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return append(data, '\n'), nil
}
