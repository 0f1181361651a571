package plugins

import (
	"slices"
	"strings"
)

// Names returns the finalizers that something is known of, sorted, each once. Patterns are left out:
// nobody can type one.
func (s *Set) Names() []string {
	var names []string
	for _, known := range s.finalizers {
		if !strings.Contains(known.Name, "*") {
			names = append(names, known.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
