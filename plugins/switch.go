package plugins

import (
	"slices"
	"strings"
)

// Switch is a field or annotation by which a person tells a controller not to act, or not to delete.
type Switch struct {
	// Path is a JSONPath of it, through fields alone: {.metadata.annotations.example\.com/paused}. [*] stands for each
	// item of a list.
	Path string `json:"path"`
	// Of is the kind, as KIND.GROUP, of the owner that has it. Without one, the held object has it.
	Of string `json:"of,omitempty"`
	// Named is the name of the object of that kind which has it, if that is no owner: a JSONPath in the held object, as
	// {.spec.className}, or {.metadata.namespace} for its Namespace; or a name that is always the same.
	Named string `json:"named,omitempty"`
	// Values are those by which it is on. Without any, each is but false.
	Values []string `json:"values,omitempty"`
	// Off is what turns it off. Without one, a truth value is negated, and anything else is removed.
	Off string `json:"off,omitempty"`
	// Protects says that the controller refuses the deletion as long as it is on. Else it does nothing at all.
	Protects bool `json:"protects,omitempty"`
	// Confirmation is a JSONPath of an annotation with which a person confirms the deletion: the switch is off while that
	// has a time which is not before the deletion.
	Confirmation string `json:"confirmation,omitempty"`
	// Loses says what is lost when it is turned off, if that is more than the object: a noun phrase.
	Loses string `json:"loses,omitempty"`
}

// On reports whether a value of the field turns it on.
func (s Switch) On(value string) bool {
	if len(s.Values) == 0 {
		return value != "false"
	}
	return slices.Contains(s.Values, value)
}

// reads are the fields of its bearer that are read for it: in the item of a list also what that names.
func (s Switch) reads() [][]string {
	paths := slices.Concat(PathsIn(s.Path), PathsIn(s.Confirmation))
	if list, _, in := strings.Cut(s.Path, "[*]"); in {
		for _, name := range []string{"kind", "namespace", "name"} {
			paths = append(paths, PathsIn(list+"."+name+"}")...)
		}
	}
	return paths
}

// walkable reports whether a JSONPath leads through fields and lists alone.
func walkable(path string) bool {
	return len(PathsIn(path)) == 1 && !strings.Contains(strings.ReplaceAll(path, "[*]", ""), "[")
}

// confirms reports whether a JSONPath is one of an annotation.
func confirms(path string) bool {
	paths := PathsIn(path)
	return walkable(path) && len(paths[0]) == 3 && paths[0][0] == "metadata" && paths[0][1] == "annotations"
}

// findable reports whether Named is a name, or a JSONPath through fields alone.
func (s Switch) findable() bool {
	if strings.HasPrefix(s.Named, "{") {
		return len(PathsIn(s.Named)) == 1 && !strings.Contains(s.Named, "[")
	}
	return s.Named != "" && !strings.ContainsAny(s.Named, "/ {}")
}

// owners are the kinds of owners that may have it.
func (s Switch) owners() []string {
	if s.Of == "" {
		return nil
	}
	return []string{s.Of}
}
