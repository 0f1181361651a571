package paste

import (
	"regexp"
	"strings"
)

var (
	// elision stands where people have left out lines of an object.
	elision = regexp.MustCompile(`^#?\s*[<\[(*-]{0,2}\s*\.{0,3}\s*` +
		`(?:\.\.\.|…|(?i:snip|snipped|omitted|truncated|redacted))\s*\.{0,3}\s*[>\])*-]{0,2},?$`)
	// danglingComma is what an elision leaves behind in JSON, or a member of it that was taken out.
	danglingComma = regexp.MustCompile(`,(\s*[}\]])`)
)

// isElision reports whether a line says that something was left out. Expressions are slow, and texts may have millions
// of lines.
func isElision(text string) bool {
	return text != "" && len(text) < longestElision && !strings.Contains(text, ":") && elision.MatchString(text)
}

const longestElision = 32
