package plugins

import (
	"os"
	"path/filepath"
	"slices"
)

// AddDir adds the files NAME.yaml and NAME.yml of a folder, in the order of their names. A file with
// problems is left out as a whole. The error is that the folder can't be read.
func (s *Set) AddDir(dir string) ([]Problem, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, entry := range entries {
		if entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(entry.Name())) {
			continue
		}
		problems = append(problems, s.addFile(filepath.Join(dir, entry.Name()))...)
	}
	return problems, nil
}

func (s *Set) addFile(path string) []Problem {
	data, err := os.ReadFile(path)
	if err != nil {
		return []Problem{{File: path, Reason: err.Error()}}
	}
	plugin, problems := Parse(path, data)
	if len(problems) > 0 {
		return problems
	}
	s.observers = append(s.observers, plugin.Observers...)
	for _, known := range plugin.expanded(path) {
		known.Dir = filepath.Dir(path)
		s.added = append(s.added, known)
	}
	return nil
}

// Parse reads and checks one file.
func Parse(file string, data []byte) (*Plugin, []Problem) {
	plugin, lines, problems := parse(file, data)
	if len(problems) > 0 {
		return nil, problems
	}
	if problems := validate(file, plugin, lines); len(problems) > 0 {
		return nil, problems
	}
	return plugin, nil
}
