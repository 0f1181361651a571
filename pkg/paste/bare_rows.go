package paste

import (
	"regexp"
	"strings"
)

// bareRow is how a row of a table looks whose heading is not there, because grep or a person has left it out: what it
// lists shows by its cells alone.
type bareRow struct {
	columns string // the groups of the expression
	looks   *regexp.Regexp
	row     row
}

// age is how long something has been there, as kubectl prints it, and what may follow it.
const age = `\s+(?:\d+[smhdy][0-9smhdy]*|<invalid>|<unknown>)`

func bareRows() []bareRow {
	looks := func(expression string) *regexp.Regexp { return regexp.MustCompile(`^` + expression + `$`) }
	const perhapsIn = `(?:([a-z0-9-]+)\s+)?([a-z0-9./-]+)\s+`
	return []bareRow{
		{"NAMESPACE,NAME,STATUS,NODE", looks(perhapsIn + `\d+/\d+\s+([A-Z][A-Za-z:/0-9]+)\s+\d+(?:\s\([0-9smhdy]+ ago\))?` +
			age + `(?:\s+(?:[0-9a-f.:]+|<none>)\s+([a-z0-9.<>-]+)(?:\s+\S+){0,2})?`), podRow},
		{"NAME,STATUS,ROLES,VERSION", looks(`([a-z0-9.-]+)\s+((?:Not)?Ready(?:,SchedulingDisabled)?)\s+([a-z0-9,<>-]+)` +
			age + `\s+(v\d\S+)(?:\s.*)?`), nodeRow},
		{"NAME,SERVICE,AVAILABLE", looks(`(v\d[a-z0-9]*\.[a-z0-9.-]+)\s+(Local|[a-z0-9-]+/[a-z0-9-]+)\s+` +
			`((?:True|False|Unknown)(?: \([A-Za-z]+\))?)` + age), apiServiceRow},
		{"NAMESPACE,NAME,STATUS,VOLUME", looks(perhapsIn + `(Bound|Terminating)\s+([a-z0-9.-]+)\s+[0-9.]+[A-Za-z]*\s+` +
			`R[OW][OX]\S*\s.*`), claimRow},
		{"NAME,RECLAIM POLICY,STATUS,CLAIM", looks(`([a-z0-9.-]+)\s+[0-9.]+[A-Za-z]*\s+R[OW][OX]\S*\s+` +
			`(Retain|Delete|Recycle)\s+([A-Z][a-z]+)\s+([a-z0-9-]+/[a-z0-9.-]+)\s.*`), volumeRow},
	}
}

// bareNamespace is a row of a Namespace. Other tables have rows like it, so a command must show which it is.
var bareNamespace = regexp.MustCompile(`^([a-z0-9-]+)\s+(Active|Terminating)` + age + `$`)

// mayBeBare reports whether a line may be a row without a heading. Expressions are slow, and texts may have millions of
// lines: all such rows have a word in them that begins with a capital letter, and several gaps.
func mayBeBare(text string) bool {
	first := text[0]
	return (first >= 'a' && first <= 'z' || first >= '0' && first <= '9') && len(text) < longestRow &&
		strings.IndexFunc(text, func(c rune) bool { return c >= 'A' && c <= 'Z' }) > 0 &&
		(strings.Contains(text, "  ") || strings.Contains(text, "\t"))
}

// longestRow is how long a row without a heading may be.
const longestRow = 1000

// bare reads a row without its heading, if it is one.
func (r *reader) bare(first line) error {
	text := strings.TrimSpace(first.text)
	if match := bareNamespace.FindStringSubmatch(text); match != nil && asksNamespaces(r.asked.only()) {
		return namespaceRow(r, map[string]string{"NAME": match[1], "STATUS": match[2]}, first.number)
	}
	if r.bareRows == nil { // once: texts may have millions of lines
		r.bareRows = bareRows()
	}
	for _, known := range r.bareRows {
		match := known.looks.FindStringSubmatch(text)
		if match == nil {
			continue
		}
		cells := map[string]string{}
		for i, column := range strings.Split(known.columns, ",") {
			cells[column] = match[i+1]
		}
		return known.row(r, cells, first.number)
	}
	return nil
}
