package naming

import "strings"

// NamesHook reports whether an annotation has a name for a hook of a deletion:
// pre-drain.delete.hook.machine.example.com/backup.
func NamesHook(annotation string) bool {
	domain, _, _ := strings.Cut(annotation, "/")
	return strings.Contains(domain, ".hook.")
}
