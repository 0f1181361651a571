// Package switches finds the fields and annotations by which a person tells a controller not to act on an object, or
// not to delete it. It reads nothing.
//
// This package may change at any time.
package switches

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Switch is one that is on.
type Switch struct {
	Path     []string // of the field, from the object's root
	Value    string
	Protects bool // against deletion; else it pauses the controller
	Inherits bool // it is known by its name alone, and concerns what the object owns, too
	Known    bool // the catalogue says what it does; else its name does
	Loses    string
	off      any // what turns it off; nil removes the field
}

// On returns the switches that are on of an object of a kind, as KIND.GROUP: those of the catalogue that this object
// may bear, except of those who are found by their names.
func On(object map[string]any, kind string, known []plugins.Switch) (found []Switch) {
	for _, one := range known {
		if one.Of != "" && one.Of != kind || one.Named != "" {
			continue
		}
		if value, on := onBy(object, one); on {
			found = append(found, value)
		}
	}
	return found
}

func onBy(object map[string]any, known plugins.Switch) (Switch, bool) {
	for _, path := range plugins.PathsIn(known.Path) {
		value, there := at(object, path)
		text := fmt.Sprint(value)
		if !there || !known.On(text) {
			continue
		}
		found := Switch{
			Path: path, Value: text, Protects: known.Protects, Known: true, Loses: known.Loses, off: contrary(value),
		}
		if known.Off != "" {
			found.off = known.Off
		}
		return found, true
	}
	return Switch{}, false
}

// contrary is what turns a value off: a truth value is negated, and anything else is removed.
func contrary(value any) any {
	if truth, is := value.(bool); is {
		return !truth
	}
	return nil
}

// InMetadata reports whether a switch of the catalogue is an annotation or a label.
func InMetadata(known plugins.Switch) bool {
	for _, path := range plugins.PathsIn(known.Path) {
		if len(path) == 0 || path[0] != "metadata" {
			return false
		}
	}
	return true
}

// Here reports whether who bears a switch is known without reading more than an object's metadata.
func Here(known plugins.Switch) bool {
	return !strings.HasPrefix(known.Named, "{") || InMetadata(plugins.Switch{Path: known.Named})
}

// Bearer is the name of the object that bears a switch, where the held object tells it: in a field, or for all alike.
// It is empty where that one doesn't, or where an owner bears it.
func Bearer(object map[string]any, known plugins.Switch) string {
	if !strings.HasPrefix(known.Named, "{") {
		return known.Named
	}
	for _, path := range plugins.PathsIn(known.Named) {
		if name, _ := at(object, path); name != nil {
			return fmt.Sprint(name)
		}
	}
	return ""
}

func at(object map[string]any, path []string) (value any, there bool) {
	value = object
	for _, name := range path {
		fields, is := value.(map[string]any)
		if !is {
			return nil, false
		}
		if value, there = fields[name]; !there {
			return nil, false
		}
	}
	return value, there
}

// Patch is the JSON merge patch that turns a switch off.
func (s Switch) Patch() string {
	patch := s.off
	for _, name := range slices.Backward(s.Path) {
		patch = map[string]any{name: patch}
	}
	text, err := json.Marshal(patch)
	if err != nil {
		panic(err) // strings and truth values always encode
	}
	return string(text)
}

// Field names where the switch is, as a person says it: annotation example.com/paused, spec.paused.
func (s Switch) Field() string { return Field(s.Path) }

// Field names a field by its path from the object's root, as Switch.Field does.
func Field(path []string) string {
	if len(path) == 3 && path[0] == "metadata" {
		return strings.TrimSuffix(path[1], "s") + " " + path[2]
	}
	return strings.Join(path, ".")
}
