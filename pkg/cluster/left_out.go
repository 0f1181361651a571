package cluster

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// LeftOut marks something that a recording doesn't hold: in place of a text, in what is left of one, and as the key of
// a map that lacks fields which the object had. Its value then has the fields that were looked for and weren't there.
const LeftOut = "(not recorded)"

// Lacks reports whether a map may have had a field that isn't in it: of live objects never.
func Lacks(fields map[string]any, field string) bool {
	if _, there := fields[field]; there {
		return false
	}
	absent, partial := fields[LeftOut]
	switch absent := absent.(type) {
	case []any:
		return partial && !slices.Contains(absent, any(field))
	case string: // among annotations
		return partial && !slices.Contains(strings.Fields(absent), field)
	}
	return partial
}

// Partial reports whether something was left out of a value, or of what is in it.
func Partial(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if key == LeftOut || Partial(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, Partial)
	case string:
		return strings.Contains(value, LeftOut) || strings.Contains(value, credential.Removed)
	}
	return false
}
