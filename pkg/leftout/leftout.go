// Package leftout knows what a recording does not hold of an object: whether a field that is not there may have been in
// the cluster.
//
// This package may change at any time.
package leftout

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// Mark stands for something that a recording doesn't hold: in place of a text, in what is left of one, and as the key
// of a map that lacks fields which the object had. Its value then has the fields that were looked for and weren't
// there.
const Mark = "(not recorded)"

// Lacks reports whether a map may have had a field that isn't in it: of live objects never.
func Lacks(fields map[string]any, field string) bool {
	if _, there := fields[field]; there {
		return false
	}
	absent, partial := fields[Mark]
	switch absent := absent.(type) {
	case []any:
		return partial && !slices.Contains(absent, any(field))
	case string: // among annotations
		return partial && !slices.Contains(strings.Fields(absent), field)
	}
	return partial
}

// In reports whether something was left out of a value, or of what is in it.
func In(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if key == Mark || In(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, In)
	case string:
		return strings.Contains(value, Mark) || strings.Contains(value, credential.Removed)
	}
	return false
}
