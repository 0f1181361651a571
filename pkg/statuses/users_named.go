package statuses

import (
	"slices"
	"strings"
)

// UsersNamed returns the part of a controller's words that names who still uses the object that they are about, or has
// to go before it: what follows "still referenced by" or "still attached to", and what "must be deleted first". It is
// empty where they say no such thing. Who uses whom is certain in these forms alone: "still needs ConfigMap x" may be
// said of the object.
func UsersNamed(words string) string {
	said, text := Split(words), strings.ToLower(words)
	if said.has("no longer") || slices.ContainsFunc(said, word.negative) || len(text) != len(words) {
		return ""
	}
	for _, phrase := range []string{
		"in use by ", "used by ", "referenced by ", "needed by ", "required by ", "mounted by ", "consumed by ",
		"still attached to ", "still bound to ", "still mounted on ", "still mounted in ", "still connected to ",
	} {
		if at := strings.Index(text, phrase); at >= 0 {
			return words[at+len(phrase):]
		}
	}
	for _, phrase := range []string{"must be deleted first", "must be removed first", "has to be deleted first"} {
		if at := strings.Index(text, phrase); at >= 0 {
			return words[:at]
		}
	}
	return ""
}
