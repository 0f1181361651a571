package statuses

import (
	"slices"
	"strings"
	"unicode"
)

// kindsIn returns the kinds that a field's name may name before one of some endings: for primaryDatabaseRef,
// primarydatabase and database.
func kindsIn(key string, endings ...string) (kinds []string) {
	words := wordsOf(key)
	if len(words) < 2 || !slices.Contains(endings, words[len(words)-1]) {
		return nil
	}
	words = words[:len(words)-1]
	for i := range words {
		kinds = append(kinds, strings.Join(words[i:], ""))
	}
	return kinds
}

// upward reports whether a field's name speaks of what an object belongs to, runs on or makes use of: that stays when
// the object goes, or even waits for it. A claim, as of volumes, is who asked for the object. A node that is named by
// reference may be the object's own; the one that something runs on is a mere name.
func upward(words []string) bool {
	above := []string{
		"owner", "parent", "controller", "class", "template", "account", "provider", "source", "target", "namespace",
	}
	whole := strings.Join(words, "")
	return whole == "claimref" || strings.HasSuffix(whole, "nodename") ||
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(above, word) })
}

// wordsOf takes a field's name apart: providerConfigRef is provider, config and ref; dnsZoneIDs is dns, zone and ids.
func wordsOf(key string) (words []string) {
	letters, start := []rune(key), 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(letters[start:end])))
		}
		start = end
	}
	for i, letter := range letters {
		switch {
		case !unicode.IsLetter(letter) && !unicode.IsDigit(letter):
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(letter) && !unicode.IsUpper(letters[i-1]):
			cut(i)
		case i > 0 && i+1 < len(letters) && unicode.IsUpper(letter) && unicode.IsLower(letters[i+1]) &&
			!plural(letters[i:]):
			cut(i)
		}
	}
	cut(len(letters))
	return words
}

// plural reports whether an acronym ends here, in the plural: the Ds of IDs.
func plural(rest []rune) bool { return len(rest) == 2 && rest[1] == 's' }

// BearsUID reports whether an annotation has a name for one that binds its object to another by that one's uid.
func BearsUID(annotation string) bool {
	return strings.HasSuffix(strings.ToLower(annotation), "uid")
}

// KindOf returns the word for a kind that a field's name may stand for without capital letters: database, databases,
// databaseref.
func KindOf(field string) []string {
	name := strings.TrimSuffix(strings.ToLower(field), "s")
	words := []string{name}
	for _, ending := range []string{"reference", "ref", "name"} {
		if kind, is := strings.CutSuffix(name, ending); is {
			words = append(words, kind)
		}
	}
	return words
}

// ReferenceKeys are fields in which what is used is named, beside its kind.
func ReferenceKeys() []string { return []string{"resourceRef", "ref", "objectRef"} }

// SelectorKeys are fields in which what is used is selected by its labels, beside its kind.
func SelectorKeys() []string { return []string{"resourceSelector", "selector", "labelSelector"} }

// Belongings are fields of a spec or a status in which people name what is behind an object.
func Belongings() []string {
	return []string{
		"endpoint", "url", "address", "host", "arn", "id", "bucket", "bucketName", "volumeId", "volumeHandle",
		"instanceId", "externalId", "providerID",
	}
}

// ConditionFields are the fields of a condition that are read.
func ConditionFields() []string {
	return []string{"type", "status", "reason", "message", "lastTransitionTime", "observedGeneration"}
}

// ListsNames returns the words for the kind of what a field lists by name: pod for podNames or podRefs; none for
// others.
func ListsNames(field string) []string {
	return kindsIn(field, "ref", "refs", "reference", "references", "names")
}
