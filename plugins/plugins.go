// Package plugins holds what is known of finalizers: one YAML file per project, and their loader.
// docs/plugins.md says how to write one.
package plugins

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

//go:generate go run ./internal/generate

//go:embed *.yaml index.json
var files embed.FS

// Set is everything that is known.
type Set struct {
	index []Indexed
	added []Finalizer // the user's own, in the order in which they were read
	// observers are those of the user's own files; the index has the others.
	observers []string

	mu         sync.Mutex
	parsed     map[string][]Finalizer // files that come with the program, once they were needed
	compiler   *admission.Conditions
	conditions map[string]*admission.Condition
	reads      []Reads // of all files, once they were needed
}

// Indexed is one file as the index knows it. The index saves most diagnoses from parsing anything:
// a file is parsed when a name in it matches.
type Indexed struct {
	File    string   `json:"file"`
	Project string   `json:"project"`
	Names   []string `json:"names"` // each once
	// Observers are the file's: names of programs that manage none of the objects that they report about.
	Observers []string `json:"observers,omitempty"`
}

// Embedded returns the knowledge that comes with this program.
func Embedded() (*Set, error) {
	data, err := files.ReadFile("index.json")
	if err != nil {
		return nil, err
	}
	set := &Set{
		parsed: map[string][]Finalizer{}, compiler: waitConditions(), conditions: map[string]*admission.Condition{},
	}
	if err := json.Unmarshal(data, &set.index); err != nil {
		return nil, fmt.Errorf("plugins/index.json: %w", err)
	}
	return set, nil
}

// embedded returns the finalizers of one file that comes with the program. That these files have no
// problems is tested.
func (s *Set) embedded(file string) []Finalizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, done := s.parsed[file]; done {
		return known
	}
	var finalizers []Finalizer
	if data, err := files.ReadFile(file); err == nil {
		if plugin, _, problems := parse(file, data); len(problems) == 0 {
			finalizers = plugin.expanded("plugins/" + file)
		}
	}
	s.parsed[file] = finalizers
	return finalizers
}

// expanded returns the finalizers of a file with its defaults filled in.
func (p *Plugin) expanded(file string) []Finalizer {
	finalizers := slices.Clone(p.Finalizers)
	for i := range finalizers {
		if p.Defaults != nil {
			finalizers[i].fillIn(p.Defaults)
		}
		finalizers[i].Project, finalizers[i].File = p.Project, file
	}
	return finalizers
}

// waitConditions compiles the expressions of waits and drains.
func waitConditions() *admission.Conditions { return admission.NewConditions("self", "object") }

// MetadataFields are the fields that are known if only the metadata of an object was read.
func MetadataFields() []string { return []string{"apiVersion", "kind", "metadata"} }

// Condition returns the compiled form of an expression of a wait or a drain. The first one takes some milliseconds.
func (s *Set) Condition(expression string) (*admission.Condition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, done := s.conditions[expression]; done {
		return known, nil
	}
	condition, err := s.compiler.Compile(expression)
	if err != nil {
		return nil, err
	}
	s.conditions[expression] = condition
	return condition, nil
}
