package statuses

import "strings"

// SaysDeleted reports whether the reason of an event says that an object of this kind is deleted: ScaledObjectDeleted,
// of a ScaledObject. Some controllers send that as a warning, which is none.
func SaysDeleted(kind, reason string) bool {
	done, named := strings.CutPrefix(reason, kind)
	return named && kind != "" && deed(strings.ToLower(done))
}
