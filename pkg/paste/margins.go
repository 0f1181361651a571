package paste

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// margin is what is in front of each line of an object, as editors and programs that show files put it there: the
// number of the line, or a bar.
type margin struct {
	number int    // of the last line; zero for a bar
	gap    string // between the number and the line
	bar    string
}

var (
	numbered = regexp.MustCompile(`^\s*(\d{1,6})([:|)│]?[ \t]{0,2}[│|]?[ \t]?)(.*)$`)
	barred   = regexp.MustCompile(`^(\s*[|│┃] ?)(.*)$`)
	// objectBegins is the first line of an object in YAML or JSON.
	objectBegins = regexp.MustCompile(`^(?:apiVersion:|kind:|metadata:|items:|- apiVersion:|[{\[]\s*$|\{")`)
)

// without removes the margin from a line: the one that the lines before have, or one that an object begins behind.
func (m *margin) without(text string) string {
	if text == "" {
		return text
	}
	if rest, continues := m.continues(text); continues {
		return rest
	}
	*m = margin{}
	first := strings.TrimLeft(text, " \t")
	switch { // expressions are slow, and texts may have millions of lines
	case first == "", first[0] > '9' && first[0] < utf8.RuneSelf && first[0] != '|', first[0] < '0':
		return text
	}
	if match := numbered.FindStringSubmatch(text); match != nil && objectBegins.MatchString(match[3]) && match[2] != "" {
		m.number, _ = strconv.Atoi(match[1])
		m.gap = match[2]
		return match[3]
	}
	if match := barred.FindStringSubmatch(text); match != nil && objectBegins.MatchString(match[2]) {
		m.bar = match[1]
		return match[2]
	}
	return text
}

// continues reports whether a line has the margin of the ones before it, and what is behind that.
func (m *margin) continues(text string) (rest string, is bool) {
	if m.bar != "" {
		if strings.TrimSpace(text) == strings.TrimSpace(m.bar) {
			return "", true
		}
		return strings.CutPrefix(text, m.bar)
	}
	if m.number == 0 {
		return "", false
	}
	rest, is = strings.CutPrefix(strings.TrimLeft(text, " \t"), strconv.Itoa(m.number+1))
	if !is || strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, m.gap) {
		return "", false
	}
	m.number++
	return strings.TrimPrefix(rest, m.gap), true
}

// typed undoes what web pages, word processors and editors have made of a line: entities of HTML, the quotation marks
// of a language, tabs, and the arrow that k9s has in the column by which it sorts. No line of JSON or YAML begins with
// these.
func typed(text string) string {
	begins := strings.TrimLeft(text, " \t{[,")
	switch {
	case strings.HasPrefix(text, "\t"):
		rest := strings.TrimLeft(text, "\t")
		return strings.Repeat("  ", len(text)-len(rest)) + rest
	case strings.HasPrefix(begins, "NAME"):
		return strings.NewReplacer("↑", " ", "↓", " ").Replace(text)
	case strings.HasPrefix(begins, "&quot;"), strings.HasPrefix(begins, "&#34;"), strings.HasPrefix(begins, "&#x22;"):
		return html.UnescapeString(text)
	case strings.HasPrefix(begins, "“"), strings.HasPrefix(begins, "”"), strings.HasPrefix(begins, "„"):
		return strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`).Replace(text)
	}
	return text
}
