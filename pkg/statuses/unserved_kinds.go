package statuses

import (
	"regexp"
	"slices"
	"strings"
)

// Unserved returns the names of objects that words name behind a word that looks like a kind, and is none that the
// cluster serves: Sprocket main-2, sprockets.acme.io "main". isKind reports whether a word, in lower case, is one for a
// kind that is served.
func Unserved(words string, isKind func(word string) bool) (names []string) {
	kind := regexp.MustCompile(`^([A-Z][a-z]+){1,4}$`)
	qualified := regexp.MustCompile(`^[a-z]+(\.[a-z0-9-]+)+$`)
	all, said := tokens(words), Statement{Words: words}
	for i := 0; i+1 < len(all); i++ {
		word, name := all[i], all[i+1]
		if !kind.MatchString(word) && !qualified.MatchString(word) || isKind(strings.ToLower(word)) ||
			trouble(word) || isFunctionWord(name) {
			continue
		}
		reference := Reference{Kinds: []string{word}, Name: name[strings.LastIndex(name, "/")+1:]}
		sure := said.SureOf(reference)
		if sure == IsName || sure == LooksLikeOne && kind.MatchString(word) {
			names = append(names, reference.Name)
		}
	}
	return names
}

// trouble reports whether a word with a capital says what went wrong, or numbers it: Error E-42, Code 503.
func trouble(word string) bool {
	return slices.Contains([]string{
		"error", "failed", "failure", "warning", "code", "status", "reason", "condition", "timeout", "attempt", "step",
		"phase", "version", "request", "response", "got", "error", "failing", "denied", "host", "server", "port",
	}, strings.ToLower(word))
}
