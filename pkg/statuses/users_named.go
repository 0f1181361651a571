package statuses

import (
	"slices"
	"strings"
)

// UsersNamed returns the part of a controller's words that names who still uses the object that they are about, or has
// to go before it: what follows "still referenced by" or "still attached to", what "must be deleted first", what they
// wait for to leave, and what a field for that lists: "blockedBy: Lock a". It is empty where they say no such thing.
// Who uses whom is certain in these forms alone: "still needs ConfigMap x" may be said of the object.
func UsersNamed(words string) string {
	text := strings.ToLower(words)
	if len(text) != len(words) {
		return ""
	}
	if field, listed, is := strings.Cut(words, ": "); is && !IsStatement(field) && blocking(wordsOf(field)) {
		return listed
	}
	for _, phrase := range []string{
		"in use by ", "used by ", "referenced by ", "needed by ", "required by ", "mounted by ", "consumed by ",
		"still attached to ", "still bound to ", "still mounted on ", "still mounted in ", "still connected to ",
	} {
		if at := strings.Index(text, phrase); at >= 0 && !denied(words[:at]) {
			return words[at+len(phrase):]
		}
	}
	for _, phrase := range []string{"must be deleted first", "must be removed first", "has to be deleted first"} {
		if at := strings.Index(text, phrase); at >= 0 && !denied(words[:at]) {
			return words[:at]
		}
	}
	return awaitedToLeave(words, text)
}

// awaitedToLeave is the part of words that names what they wait for to leave by itself: Vessel shop/aurora of "waiting
// for Vessel shop/aurora to leave". What is to be deleted is no such thing: who waits may be who deletes it.
func awaitedToLeave(words, text string) string {
	for _, phrase := range []string{"waiting for ", "waits for ", "wait for ", "awaiting ", "waiting on "} {
		at := strings.Index(text, phrase)
		if at < 0 || at > 0 && inWord(rune(text[at-1])) || denied(words[:at]) {
			continue
		}
		named, _, _ := strings.Cut(words[at+len(phrase):], ";")
		for _, leaves := range []string{
			"leave", "go away", "depart", "vacate", "let go", "let it go", "detach", "disconnect",
		} {
			if end := strings.Index(strings.ToLower(named), " to "+leaves); end > 0 {
				return named[:end]
			}
		}
	}
	return ""
}

// denied reports whether the clause that a text ends in denies what follows: "it isn't", "no longer". What an earlier
// clause denies is something else: "not deleted: still".
func denied(before string) bool {
	said := Split(before)
	for i := len(said) - 1; i >= 0; i-- {
		if said[i].ends() || said[i].is(",") {
			said = said[i+1:]
			break
		}
	}
	return said.has("no longer") || said.has("whether") || slices.ContainsFunc(said, word.negative)
}
