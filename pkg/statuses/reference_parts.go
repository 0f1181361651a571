package statuses

import (
	"slices"
	"strings"
)

// ReferenceParts returns which fields of a map are read as references, or as parts of one, where the map is in a field:
// the same as References reads (TestReferenceParts). known reports whether a word is one for a kind.
func ReferenceParts(key string, fields map[string]any, known func(word string) bool) map[string]bool {
	parts := map[string]bool{}
	add := func(names ...string) {
		for _, name := range names {
			parts[name] = true
		}
	}
	kind := text(fields, "kind")
	if _, embedded := fields["metadata"].(map[string]any); embedded && kind != "" && text(fields, "name") == "" {
		add("kind", "apiVersion", "group", "apiGroup", "metadata")
		return parts
	}
	byKey := slices.ContainsFunc(kindsIn(key, "ref", "refs", "reference", "references"), known)
	if text(fields, "name") != "" && (kind != "" || text(fields, "resource") != "" || byKey) {
		add("name", "namespace", "kind", "resource", "apiVersion", "group", "apiGroup", "uid")
	}
	for name, value := range fields {
		switch said, isText := value.(string); {
		case isText && slices.ContainsFunc(kindsIn(name, "name"), known):
			add(name, strings.TrimSuffix(strings.TrimSuffix(name, "name"), "Name")+"Namespace", "namespace")
		case isText && refers(name, said, known):
			add(name)
		case !isText:
			texts, isList := value.([]any)
			if isList && slices.ContainsFunc(texts, func(one any) bool {
				said, isText := one.(string)
				return isText && refers(name, said, known)
			}) {
				add(name)
			}
		}
	}
	return parts
}

// refers reports whether a text is read as a reference where it is in a field.
func refers(key, said string, known func(word string) bool) bool {
	words := wordsOf(key)
	if said == "" || len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return last == "uid" || last == "id" && strings.Count(said, "_") >= 3 ||
		slices.Contains(listing(), last) && (strings.Contains(said, "/") || strings.Count(said, "_") >= 3) ||
		blocking(words) && strings.Contains(said, "/") ||
		slices.ContainsFunc(kindsIn(key, "ref", "refs", "reference", "references", "names"), known)
}

// listing are the last words of fields that list objects.
func listing() []string {
	return []string{"ref", "refs", "reference", "references", "resources", "objects", "inventory", "entries"}
}
