package statuses

import (
	"slices"
	"strings"
)

// SpeaksOfDeletion reports whether words are about something that is deleted, cleaned up or released. Some names may be
// in them, as for JudgeAbout.
func SpeaksOfDeletion(words string, names ...string) bool {
	return slices.ContainsFunc(Split(withoutNames(words, names...)), func(w word) bool {
		return slices.ContainsFunc([]string{
			"delet", "remov", "clean", "finali", "terminat", "releas", "destroy", "purg", "drain", "detach", "evict", "prun",
			"teardown", "uninstall", "deprovision", "deregister", "unregister", "revok", "drop", "wip", "eras", "empt",
			"decommission", "orphan", "garbage",
		}, func(stem string) bool { return strings.HasPrefix(w.Text, stem) })
	})
}
