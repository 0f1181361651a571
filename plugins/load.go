package plugins

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// What a folder of plugins may hold. The longest that come with the program have a few hundred lines.
const (
	mostPlugins   = 1000
	longestPlugin = 1 << 20 // bytes
)

// AddDir adds the files NAME.yaml and NAME.yml of a folder, in the order of their names. A file with
// problems is left out as a whole. The error is that the folder can't be read, or holds too many.
func (s *Set) AddDir(dir string) ([]Problem, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		return entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(entry.Name()))
	})
	if len(entries) > mostPlugins {
		return nil, fmt.Errorf("it holds more than %d plugins", mostPlugins)
	}
	var problems []Problem
	for _, entry := range entries {
		problems = append(problems, s.addFile(filepath.Join(dir, entry.Name()))...)
	}
	return problems, nil
}

// readPlugin reads a file, which may be a link, but no pipe and no device: these may never end, nor begin.
func readPlugin(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
	case info.Size() > longestPlugin:
		return nil, fmt.Errorf("it is longer than %d MiB", longestPlugin>>20)
	}
	file, err := os.Open(path) //nolint:gosec // the user names the folder
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, longestPlugin)) // what grows meanwhile is cut, and then no plugin
}

func (s *Set) addFile(path string) []Problem {
	data, err := readPlugin(path)
	if err != nil {
		return []Problem{{File: path, Reason: err.Error()}}
	}
	plugin, problems := Parse(path, data)
	if len(problems) > 0 {
		return problems
	}
	s.observers, s.reads = append(s.observers, plugin.Observers...), nil
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
