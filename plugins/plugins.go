// Package plugins holds what is known of finalizers: one YAML file per project, and their loader.
package plugins

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"sigs.k8s.io/yaml"
)

//go:embed *.yaml
var files embed.FS

// Finalizer is what is known of one finalizer.
type Finalizer struct {
	Name string `json:"name"`
	// Kinds are the kinds that carry it, as KIND or KIND.GROUP. Empty means any.
	Kinds []string `json:"kinds,omitempty"`
	// RemovedBy is the component that takes it off again.
	RemovedBy string `json:"removedBy"`
	// WaitsFor completes the sentence "it is removed when …".
	WaitsFor string `json:"waitsFor"`
	// Loses says what is lost when it is removed by force.
	Loses string `json:"loses"`
	// Source is where these statements were read.
	Source string `json:"source"`
}

// Set is everything that is known.
type Set struct {
	finalizers []Finalizer
}

type file struct {
	Project    string      `json:"project"`
	Finalizers []Finalizer `json:"finalizers"`
}

// Embedded returns the knowledge that comes with this program.
func Embedded() (*Set, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	set := &Set{}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var parsed file
		if err := yaml.UnmarshalStrict(data, &parsed); err != nil {
			return nil, fmt.Errorf("plugins/%s: %w", name, err)
		}
		set.finalizers = append(set.finalizers, parsed.Finalizers...)
	}
	return set, nil
}

// Find returns what is known of a finalizer on a kind, given as KIND or KIND.GROUP.
func (s *Set) Find(finalizer, kind string) (Finalizer, bool) {
	for _, known := range s.finalizers {
		if known.Name == finalizer && (len(known.Kinds) == 0 || slices.Contains(known.Kinds, kind)) {
			return known, true
		}
	}
	return Finalizer{}, false
}
