package naming

import "regexp"

// Words of a hook's command that say what it is about; recordings keep them.
const (
	FinalizersField = "finalizers" // in metadata
	Sleep           = "sleep"
)

// HasName reports whether a name is in a text, and not as part of a longer one.
func HasName(text, name string) bool {
	return regexp.MustCompile(`(?:^|[^A-Za-z0-9.-])` + regexp.QuoteMeta(name) + `(?:$|[^A-Za-z0-9.-])`).MatchString(text)
}
