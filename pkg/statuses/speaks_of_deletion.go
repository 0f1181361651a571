package statuses

import (
	"regexp"
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

// SpeaksOfEnd reports whether a clause of words that has a name is about a deletion, or about a wait for something.
func SpeaksOfEnd(words, name string) bool {
	return slices.ContainsFunc(regexp.MustCompile(`: |; |, `).Split(words, -1), func(clause string) bool {
		return Mentions(clause, name) && (SpeaksOfDeletion(clause, name) || slices.ContainsFunc([]string{
			"wait", "waits", "waiting", "awaiting", "still", "in use", "used by", "block", "blocks", "blocked",
		}, Split(clause).has))
	})
}
