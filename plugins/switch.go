package plugins

import (
	"slices"
	"strings"
)

// Switch is a field or annotation by which a person tells a controller not to act, or not to delete.
type Switch struct {
	// Path is a JSONPath of it, through fields alone: {.metadata.annotations.example\.com/paused}.
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
