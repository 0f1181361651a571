package statuses

import (
	"slices"
	"strings"
)

// Awaited returns the part of a controller's words that names what it waits for, and whether the words say that it
// needs that. It is empty where they say no such thing, or that it waits for something to go or to end.
func Awaited(words string) (named string, needed bool) {
	text := strings.ToLower(words)
	if len(text) != len(words) || slices.ContainsFunc(Split(words), word.negative) {
		return "", false
	}
	for _, phrase := range []string{
		"waiting for ", "waits for ", "wait for ", "awaiting ", "waiting on ", "needs ", "need ", "requires ", "depends on ",
	} {
		at := strings.Index(text, phrase)
		if at < 0 || at > 0 && inWord(rune(text[at-1])) {
			continue
		}
		named = words[at+len(phrase):]
		if end := strings.IndexAny(named, ";\n"); end >= 0 {
			named = named[:end]
		}
		needed = strings.HasPrefix(phrase, "need") || strings.HasPrefix(phrase, "requires") || comes(named)
		if !needed && (SpeaksOfDeletion(prose(named)) || ends(prose(named))) {
			return "", false
		}
		return named, needed
	}
	return "", false
}

// comes reports whether words say of something that it must exist.
func comes(words string) bool {
	s := Split(words)
	return slices.ContainsFunc([]string{
		"become available", "be available", "appear", "exist", "be created", "be provided", "show up",
	}, s.has)
}

// ends reports whether words say of something that it has to go. What has to finish can't, if it doesn't exist.
func ends(words string) bool {
	s := Split(words)
	return slices.ContainsFunc([]string{"gone", "go away", "end", "stop", "disappear"}, s.has)
}

// AwaitedWork returns the part of a controller's words that names what it waits for to finish its work, or to be at
// work: what follows "waiting for" in "waiting for Job x to finish". It is empty where they say no such thing.
func AwaitedWork(words string) string {
	named, needed := Awaited(words)
	if named == "" || needed {
		return ""
	}
	works := []string{
		"finish", "complet", "succe", "ready", "readiness", "available", "healthy", "running", "start", "roll", "done",
	}
	less := Split(prose(named))
	if slices.ContainsFunc([]string{"down", "scale", "scaled", "zero", "stopped", "shutdown", "idle"}, less.has) {
		return "" // it has to do less
	}
	if len(less) > 0 && less[0].is("job", "jobs") { // it does nothing but to finish
		return named
	}
	for _, one := range less {
		if slices.ContainsFunc(works, func(stem string) bool { return strings.HasPrefix(one.Text, stem) }) {
			return named
		}
	}
	return ""
}

// prose is words without what looks like names: job-cleanup, shop/cleanup, "cleanup".
func prose(words string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(words), func(one string) bool {
		return strings.ContainsAny(strings.TrimRight(one, ".,:;!?)"), "-./_\"'`0123456789")
	}), " ")
}
