package statuses

import (
	"slices"
	"strings"
	"unicode"
)

// nameless stands for what something is called, which says nothing about how it fares.
const nameless = "name"

// withoutNames replaces what names something in a message: the given names, addresses and paths, quoted words, and
// words that are put together with hyphens, underlines or dots. `Deleting ConfigMap error-pages` is about no error.
func withoutNames(message string, names ...string) string {
	words := strings.Fields(strings.ReplaceAll(message, `\"`, `"`))
	for i, name := range words {
		bare := strings.Trim(name, ".,;:()[]{}<>!?*=")
		inner := strings.Trim(bare, "\"'`“”‘’«»„")
		before, verb := "", word{}
		if i > 0 {
			before = strings.ToLower(strings.Trim(words[i-1], ".,;()[]{}!?"))
		}
		if i > 1 {
			verb.Text = strings.ToLower(words[i-2])
		}
		switch {
		case inner == "":
		case slices.Contains(names, inner), isAddress(inner), isQuoted(bare, inner, before), isCompound(inner, before),
			naming(before) && verb.in(releases) && verb.acts() && bare == name: // deleting topic errors
			words[i] = strings.Replace(name, inner, nameless, 1)
		}
	}
	return strings.Join(words, " ")
}

// isAddress reports whether a word is an address or a path: s3://errors/x, arn:aws:…, shop/failed.
func isAddress(word string) bool {
	at := strings.Index(word, "/")
	switch {
	case strings.Contains(word, "://"), strings.HasPrefix(word, "arn:"):
		return true
	case at < 0, strings.ContainsAny(word, `"'{}=`):
		return false
	}
	return strings.Trim(word, "0123456789/") != "" && word != "and/or" && word != "n/a" && word != "N/A" &&
		word != "i/o" &&
		word != "I/O"
}

// isQuoted reports whether a word is quoted as a name: not as a state, a code, or a part of JSON.
func isQuoted(bare, inner, before string) bool {
	if bare == inner || !strings.ContainsAny(bare[:1], "\"'`“‘«„") || strings.ContainsAny(inner, "\"':{},") {
		return false
	}
	first := []rune(inner)[0]
	return unicode.IsLower(first) && !slices.Contains([]string{
		"state", "status", "phase", "code", "reason", "error", "err", "returned", "returns", "return", "with", "is", "was",
		"says", "said", "answered", "answers", "got", "message", "result", "condition", "desc", "as", "to", "reported",
		"reports",
	}, strings.TrimRight(before, ":=")) && !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "=")
}

// isCompound reports whether a word is put together as names are, and not as an adjective: failed-uploads, and not
// access-denied, unless that is behind a word by which something is named.
func isCompound(word, before string) bool {
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	joined := len(parts) > 1 && strings.ToLower(word) == word && strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLower(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}) < 0
	if !joined || slices.Contains([]string{
		"in-progress", "in-use", "clean-up", "shut-down", "tear-down", "fail-over", "fail-safe", "read-only", "re-queued",
		"non-empty", "crash-loop", "crash-looping", "back-off", "time-out", "self-test", "pre-delete", "post-delete",
	}, word) {
		return false
	}
	last := word[strings.LastIndexAny(word, "-_.")+1:]
	adjective := attribute(last) || slices.Contains([]string{"found", "allowed", "permitted", "out", "killed", "exceeded",
		"authorized", "supported", "existent", "retryable", "available", "ready", "empty", "locked", "protected"}, last)
	return !adjective || naming(before) || slices.Contains([]string{"of", "from", "in"}, before)
}

// naming reports whether a word is one behind which something is named.
func naming(word string) bool {
	return slices.Contains([]string{
		"named", "called", "bucket", "topic", "queue", "table", "database", "volume", "configmap", "pod", "job", "node",
		"namespace", "service", "host", "stream", "index", "cluster", "secret", "release", "branch", "group", "policy",
		"webhook", "schema", "container", "image", "file", "instance", "snapshot", "replica", "user", "shard", "deployment",
	}, word)
}
