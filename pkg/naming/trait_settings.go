package naming

import (
	"regexp"
	"slices"
	"strings"
)

// TraitOf is the word by which a setting may tell one instance of a program from another: engine of --engine=mysql,
// flavor of DB_FLAVOR=galera, scope of --scope=billing. That it does is only seen beside another instance with another
// value.
func TraitOf(name, value string) (word string, is bool) {
	words := traitWords(name)
	if len(words) == 0 || len(words) > 3 || !slices.Contains(traits(), words[len(words)-1]) || unlike(words) ||
		switchWord(value) || !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`).MatchString(value) {
		return "", false
	}
	return words[len(words)-1], true
}

// traits are words for what whole instances of programs are made for.
func traits() []string {
	return []string{
		"engine", "flavor", "flavour", "dialect", "provider", "backend", "vendor", "platform", "cloud", "product", "edition",
		"region", "zone", "site", "cell", "location", "realm", "scope", "environment", "env", "stage", "tier", "ring",
		"channel", "partition", "segment", "pool", "stack", "team", "project", "fleet",
	}
}

// NamesTrait reports whether a field, or the key of a label or an annotation, may say a trait.
func NamesTrait(key string) bool {
	return slices.ContainsFunc(traits(), func(word string) bool { return SaysTrait(key, word) })
}

// SaysTrait reports whether a field, or the key of a label or an annotation, says a trait: engine, dbEngine,
// acme.io/engine, engine-name.
func SaysTrait(key, word string) bool {
	words := traitWords(key[strings.LastIndex(key, "/")+1:])
	return len(words) > 0 && words[len(words)-1] == word
}

// traitWords are the words of a name without what may follow the word for a trait.
func traitWords(name string) []string {
	words := settingWords(name)
	if n := len(words); n > 1 && slices.Contains([]string{"name", "type", "kind"}, words[n-1]) {
		words = words[:n-1]
	}
	return words
}
