// Package switches finds the fields and annotations by which a person tells a controller not to act on an object, or
// not to delete it. It reads nothing.
//
// This package may change at any time.
package switches

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Switch is one that is on.
type Switch struct {
	Path     []string // of the field, from the object's root
	Value    string
	Protects bool // against deletion; else it pauses the controller
	Inherits bool // it is known by its name alone, and concerns what the object owns, too
	Known    bool // the catalogue says what it does; else its name does
	Vague    bool // its name may mean something else, too
	Loses    string
	// Item is whose switch it is, where that is in a list: KIND NAME, or KIND NAMESPACE/NAME.
	Item string
	// Confirmation is the path of an annotation that has to be set to a time after the deletion; empty for a switch that
	// is turned off where it is.
	Confirmation []string
	off          any // what turns it off; nil removes the field
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
		for _, place := range places(object, path) {
			text := fmt.Sprint(place.value)
			if !known.On(text) {
				continue
			}
			found := Switch{
				Path: path, Value: text, Protects: known.Protects, Known: true, Loses: known.Loses, Item: place.item,
				off: contrary(place.value),
			}
			if known.Off != "" {
				found.off = known.Off
			}
			return found, !confirmed(object, known, &found)
		}
	}
	return Switch{}, false
}

// confirmed reports whether a person has confirmed the deletion of an object since it was requested, and notes how that
// is done: with the time of the deletion, if it is known.
func confirmed(object map[string]any, known plugins.Switch, found *Switch) bool {
	if known.Confirmation == "" {
		return false
	}
	found.Confirmation = plugins.PathsIn(known.Confirmation)[0]
	requested, _ := at(object, []string{"metadata", "deletionTimestamp"})
	found.off = requested
	since, unread := time.Parse(time.RFC3339, fmt.Sprint(requested))
	said, _ := at(object, found.Confirmation)
	when, err := time.Parse(time.RFC3339, fmt.Sprint(said))
	return err == nil && unread == nil && !when.Before(since)
}

// place is a value that a path leads to, and whose it is in the last list on its way.
type place struct {
	value any
	item  string
}

// places are all values that a path leads to, through each item of lists.
func places(value any, path []string) (found []place) {
	if items, is := value.([]any); is {
		for _, each := range items {
			for _, inner := range places(each, path) {
				inner.item = cmp.Or(inner.item, nameOf(each))
				found = append(found, inner)
			}
		}
		return found
	}
	if len(path) == 0 {
		return []place{{value: value}}
	}
	if fields, is := value.(map[string]any); is {
		if below, there := fields[path[0]]; there {
			return places(below, path[1:])
		}
	}
	return nil
}

// nameOf is what the item of a list names by its fields kind, namespace and name; empty if it names nothing.
func nameOf(item any) string {
	fields, _ := item.(map[string]any)
	text := func(name string) string { value, _ := fields[name].(string); return value }
	if text("kind") == "" || text("name") == "" {
		return ""
	}
	return finding.Ref{Kind: text("kind"), Namespace: text("namespace"), Name: text("name")}.String()
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

// Turnable reports whether it is known how to turn a switch off: a deletion is confirmed when it was requested.
func (s Switch) Turnable() bool { return s.Confirmation == nil || s.off != nil }

// Patch is the JSON merge patch that turns a switch off.
func (s Switch) Patch() string {
	patch, path := s.off, s.Path
	if s.Confirmation != nil {
		path = s.Confirmation
	}
	for _, name := range slices.Backward(path) {
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
