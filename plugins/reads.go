package plugins

import (
	"slices"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

// Reads are the fields that something of what is known reads of whole objects.
type Reads struct {
	Kinds    []string // of objects of these kinds, as Finalizer.Kinds has them; or
	Resource string   // of a resource, as Wait.Resource has it. Without either, of any custom resource
	Path     []string // the names of the fields on the way, through lists as well
}

// Reads returns what fields and expressions read. The first time it reads every file; an expression that is none reads
// nothing.
func (s *Set) Reads() []Reads {
	all := s.All()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reads == nil {
		s.reads = s.readBy(all)
	}
	return slices.Clone(s.reads)
}

// readBy returns what finalizers' fields and expressions read.
func (s *Set) readBy(finalizers []Finalizer) (all []Reads) {
	for _, known := range finalizers {
		expression := func(text, objects string) {
			if text == "" {
				return
			}
			found, err := s.compiler.Reads(text, "self", "object")
			if err != nil {
				return
			}
			for _, read := range found {
				if read.Variable == "self" {
					all = append(all, Reads{Kinds: known.Kinds, Path: read.Path})
				} else {
					all = append(all, Reads{Resource: objects, Path: read.Path})
				}
			}
		}
		for _, path := range known.ownPaths() {
			all = append(all, Reads{Kinds: known.Kinds, Path: path})
		}
		all = append(append(append(all, known.readAgent()...), known.readSwitches()...), known.readHooks()...)
		for _, wait := range known.Waits {
			expression(wait.Where, wait.Resource)
			for _, path := range PathsIn(wait.Resource) {
				all = append(all, Reads{Kinds: known.Kinds, Path: path})
			}
			if wait.Records != "" {
				for _, part := range []string{"apiVersion", "kind", "namespace", "name"} {
					all = append(all, Reads{Resource: wait.Resource, Path: append(strings.Split(wait.Records, "."), part)})
				}
			}
		}
		for _, act := range known.Acts {
			expression(act.Where, act.Resource)
		}
		all = append(append(all, known.readNeeds(expression)...), known.readElsewhere(expression)...)
		if drains := known.Drains; drains != nil {
			for _, path := range PathsIn(drains.Node) {
				all = append(all, Reads{Kinds: known.Kinds, Path: path})
			}
			limited := known.Kinds
			if drains.Of != "" {
				limited = []string{drains.Of}
			}
			for _, text := range append([]string{drains.Since}, drains.Within...) {
				for _, path := range PathsIn(text) {
					all = append(all, Reads{Kinds: limited, Path: path})
				}
			}
			for _, text := range []string{drains.Unless, drains.Skips, drains.Refuses} {
				expression(text, "pods")
			}
		}
	}
	return all
}

// readSwitches returns what is read of whole objects to find switches.
func (f Finalizer) readSwitches() (all []Reads) {
	for _, one := range f.Switches {
		kinds := f.Kinds
		if one.Of != "" {
			kinds = one.owners()
		}
		for _, path := range one.reads() {
			all = append(all, Reads{Kinds: kinds, Path: path})
		}
		if strings.HasPrefix(one.Named, "{") {
			for _, path := range PathsIn(one.Named) {
				all = append(all, Reads{Kinds: f.Kinds, Path: path})
			}
		}
	}
	return all
}

// ownPaths are the fields of the held object that are read: what it says, what it stands for, and the settings that
// keep these things.
func (f Finalizer) ownPaths() (paths [][]string) {
	for _, field := range slices.Concat(f.StatusFields, f.ResourceFields) {
		paths = append(paths, PathsIn(field.Path)...)
	}
	for _, setting := range f.settings() {
		paths = append(paths, PathsIn(setting.Has)...)
		paths = append(paths, setting.paths()...)
	}
	return paths
}

// PathsIn returns the fields that a JSONPath leads to and the fields that it selects by, each as the names of the
// fields on the way.
func PathsIn(path string) (paths [][]string) {
	parsed, err := jsonpath.Parse("", path)
	if err != nil {
		return nil
	}
	for _, node := range parsed.Root.Nodes {
		paths = append(paths, follow(node, [][]string{nil}, &paths)...)
	}
	return paths
}

// follow continues several ways through one node. What a filter selects by is noted as it is passed.
func follow(node jsonpath.Node, ways [][]string, noted *[][]string) [][]string {
	switch node := node.(type) {
	case *jsonpath.ListNode:
		for _, inner := range node.Nodes {
			ways = follow(inner, ways, noted)
		}
	case *jsonpath.FieldNode:
		longer := make([][]string, len(ways))
		for i, way := range ways {
			longer[i] = append(slices.Clone(way), node.Value)
		}
		if node.Value != "" {
			return longer
		}
	case *jsonpath.UnionNode:
		var all [][]string
		for _, inner := range node.Nodes {
			all = append(all, follow(inner, ways, noted)...)
		}
		return all
	case *jsonpath.FilterNode:
		*noted = append(*noted, follow(node.Left, ways, noted)...)
		*noted = append(*noted, follow(node.Right, ways, noted)...)
	}
	return ways
}
