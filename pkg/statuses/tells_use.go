package statuses

import "slices"

// TellsUse reports whether the words of a controller say that something else uses, or has to go before, the object that
// they are about: "still referenced by Pipeline etl", "Topic orders must be deleted first". What is "no longer used by"
// another one isn't.
func TellsUse(words string) bool {
	said := Split(words)
	takenBack := said.has("no longer") || slices.ContainsFunc(said, word.negative)
	return !takenBack && slices.ContainsFunc(usePhrases(), said.has)
}

// usePhrases are phrases by which something says that an object is used.
func usePhrases() []string {
	return []string{
		"still used", "still uses", "still using", "still in use", "in use by", "is used by", "are used by", "used by",
		"still referenced", "still references", "referenced by", "still refers", "still depends", "depends on",
		"still needed", "still needs", "needed by", "still required", "still requires", "required by", "still mounts",
		"still bound", "must be deleted first", "must be removed first", "has to be deleted first", "delete it first",
		"must be deleted before", "must be removed before",
	}
}
