package statuses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Statement is a text of an object's status.
type Statement struct{ Where, Words string }

// Tells reports whether a field of a status has a name for what its controller says in words.
func Tells(field string) bool {
	words := wordsOf(field)
	return len(words) > 0 && slices.Contains([]string{
		"message", "messages", "reason", "reasons", "error", "errors", "failure", "failures", "warning", "warnings",
		"description", "detail", "details", "info", "summary", "cause", "status", "state", "phase", "waiting",
		"blocked", "blockers", "progress", "step", "steps", "condition", "stderr", "result", "outcome",
	}, words[len(words)-1])
}

// IsStatement reports whether a text is of more than one word.
func IsStatement(said string) bool { return strings.ContainsAny(strings.TrimSpace(said), " \t\n") }

// Statements returns the texts of a status of more than one word in fields that tell, and in all fields of errors, in
// which controllers say what they wait for.
func Statements(object *unstructured.Unstructured) []Statement {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	return statementsOf(status)
}

func statementsOf(status map[string]any) (found []Statement) {
	var walk func(path, field string, inError bool, value any)
	walk = func(path, field string, inError bool, value any) {
		inError = inError || slices.Contains(errorFields(), field)
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				walk(path+"."+key, key, inError, value[key])
			}
		case []any:
			for i, inside := range value {
				at := fmt.Sprintf("%s[%d]", path, i)
				if one, is := inside.(map[string]any); is && text(one, "type") != "" {
					at = fmt.Sprintf("%s[%s]", path, text(one, "type"))
				}
				walk(at, field, inError, inside)
			}
		case string:
			if (Tells(field) || inError) && IsStatement(value) {
				found = append(found, Statement{Where: path, Words: value})
			}
		}
	}
	walk("status", "", false, status)
	return found
}

// Named returns the objects that a text may name: by a word for a kind and a whole word for a name, which is behind it,
// before any other kind, or, where no kind was named yet, right before it: "waiting for Machines a, b", `the "logs"
// bucket`, "machine/md-0-x". A word of prose for a name does no harm: nothing is called so. isKind reports whether a
// word, in lower case, is one for a kind: its name, in the singular or the plural, with or without its group.
func (s Statement) Named(isKind func(word string) bool) (found []Reference) {
	kind, words, at := "", tokens(s.Words), -1
	add := func(reference Reference, near bool) {
		near = near && !isFunctionWord(reference.Name)
		reference.Path, reference.Explicit, reference.Near = s.Where, true, near
		found = append(found, reference)
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		lower := strings.ToLower(word)
		first, rest, slashed := strings.Cut(word, "/")
		switch {
		case lower == "namespace" && i > 0 && i+1 < len(words) && inside(words[i-1]):
			for j := range found {
				if found[j].Namespace == "" {
					found[j].Namespace = words[i+1]
				}
			}
			i++
		case slashed && isKind(strings.ToLower(first)):
			add(Slashed(word), true)
			if kind != "" && i == at+1 && !strings.Contains(rest, "/") { // Backup backups/a: a namespace may be named so
				add(inGroup(Reference{Namespace: first, Name: rest}, kind), true)
			}
		case slashed && kind != "" && !strings.Contains(rest, "/"):
			add(inGroup(Reference{Namespace: first, Name: rest}, kind), i == at+1)
		case isKind(lower):
			if kind != "" && i > 0 && words[i-1] == kind && !kindAgain(kind, words[i:]) {
				add(inGroup(Reference{Name: word}, kind), true) // it may be a name as well
			}
			kind, at = word, i
		case kind != "":
			add(inGroup(Reference{Name: word}, kind), i == at+1)
		case i+1 < len(words) && isKind(strings.ToLower(words[i+1])):
			add(inGroup(Reference{Name: word}, words[i+1]), false)
		}
	}
	return found
}

// kindAgain reports whether words begin with a word for the same kind as the one before them, and not with a name: with
// its group, or before a name, as in "secret: Secret "a" not found".
func kindAgain(kind string, words []string) bool {
	plain := func(word string) string {
		word, _, _ = strings.Cut(strings.ToLower(word), ".")
		return word
	}
	before, word := plain(kind), plain(words[0])
	if before != word && !slices.Contains(plurals(before), word) && !slices.Contains(plurals(word), before) {
		return false
	}
	return strings.Contains(words[0], ".") || len(words) > 1 && !isFunctionWord(words[1])
}

// plurals are what the plural of a kind may be.
func plurals(kind string) []string {
	return []string{kind + "s", kind + "es", strings.TrimSuffix(kind, "y") + "ies"}
}

// isFunctionWord reports whether a word holds a sentence together, as in "Secret is missing": behind the word for a
// kind it is no name.
func isFunctionWord(word string) bool {
	switch strings.ToLower(word) { // without what follows an apostrophe, where words are split
	case "a", "an", "the", "this", "that", "which", "it", "its", "no", "not", "and", "or", "but", "nor", "if", "as",
		"is", "are", "was", "were", "be", "been", "being", "isn", "aren", "wasn", "weren", "has", "have", "had", "hasn",
		"does", "doesn", "do", "don", "did", "didn", "can", "cannot", "could", "couldn", "will", "won", "would", "may",
		"might", "must", "should", "to", "of", "in", "on", "at", "by", "for", "from", "with", "still", "already", "yet",
		"exists", "exist", "missing", "found", "gone":
		return true
	}
	return false
}

func inside(word string) bool { return strings.EqualFold(word, "in") || strings.EqualFold(word, "of") }

func inGroup(reference Reference, word string) Reference {
	kind, group, _ := strings.Cut(word, ".")
	reference.Kinds, reference.Group = []string{kind}, group
	return reference
}

// tokens are the words of a text, without what stands around them.
func tokens(said string) []string {
	words := strings.FieldsFunc(said, func(r rune) bool {
		return strings.ContainsRune(" \t\r\n,;()[]{}<>\"'`=“”‘’…", r)
	})
	kept := words[:0]
	for _, word := range words {
		if word = strings.Trim(word, ".:!?*"); word != "" {
			kept = append(kept, word)
		}
	}
	return kept
}
