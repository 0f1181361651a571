package cluster

import (
	"maps"
	"slices"
	"strings"
)

// ByWord returns the kinds that the cluster serves by the words that may mean them in texts: their names, singular and
// plural, and short names that are no words of a language; also with the API group behind.
func (s *ServedKinds) ByWord() map[string][]Resource {
	const short = 3
	words := map[string][]Resource{}
	for _, resource := range s.Resources {
		if len(resource.Verbs) > 0 && !resource.can("get") {
			continue // what is only created, as a Binding, is nowhere to be found
		}
		names := []string{resource.Kind, resource.Resource, resource.Singular}
		for _, name := range resource.ShortNames {
			if len(name) >= short {
				names = append(names, name)
			}
		}
		for i, name := range names {
			names[i] = strings.ToLower(name)
		}
		slices.Sort(names)
		for _, word := range slices.Compact(names) {
			if word != "" {
				words[word] = append(words[word], resource)
				words[word+"."+resource.Group] = append(words[word+"."+resource.Group], resource)
			}
		}
	}
	maps.DeleteFunc(words, func(word string, _ []Resource) bool { return strings.HasSuffix(word, ".") })
	return words
}

// Closest returns the kinds, of several that a word means, that an object of an API group may use: the one of its own
// group, the one of the core group, or all of them.
func Closest(kinds []Resource, group string) []Resource {
	for _, own := range []string{group, ""} {
		at := slices.IndexFunc(kinds, func(resource Resource) bool { return resource.Group == own })
		if at >= 0 {
			return kinds[at : at+1]
		}
	}
	var closest []Resource
	for _, kind := range kinds {
		same := func(resource Resource) bool { return resource.GroupKind() == kind.GroupKind() }
		if !slices.ContainsFunc(closest, same) {
			closest = append(closest, kind)
		}
	}
	return closest
}
