package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed banned.txt
var banned string

// rule is a banned word or phrase, and what to say instead.
type rule struct {
	found *regexp.Regexp
	say   string
}

// parseRules reads the format of banned.txt. It returns an error that names the line for one without " => ", and for
// one that is not a regular expression.
func parseRules(text string) ([]rule, error) {
	var rules []rule
	for number, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		expression, say, found := strings.Cut(line, " => ")
		if !found {
			return nil, fmt.Errorf("banned.txt:%d: no %q", number+1, " => ")
		}
		compiled, err := regexp.Compile("(?im)" + strings.ReplaceAll(expression, " ", `\s+`))
		if err != nil {
			return nil, fmt.Errorf("banned.txt:%d: %w", number+1, err)
		}
		rules = append(rules, rule{compiled, say})
	}
	return rules, nil
}

// passage is a piece of text that people read: a paragraph, a comment, a help text.
type passage struct {
	source string // what it is part of, usually a path
	line   int    // where it begins there, from 1
	text   string
}

// finding is a banned phrase in a passage.
type finding struct {
	source, phrase, say string
	line                int
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %q; say: %s", f.source, f.line, f.phrase, f.say)
}

// check returns the banned phrases of passages, in their order.
func check(passages []passage, rules []rule) []finding {
	var found []finding
	for _, p := range passages {
		for _, r := range rules {
			for _, at := range r.found.FindAllStringIndex(p.text, -1) {
				found = append(found, finding{
					source: p.source, phrase: strings.Join(strings.Fields(p.text[at[0]:at[1]]), " "), say: r.say,
					line: p.line + strings.Count(p.text[:at[0]], "\n"),
				})
			}
		}
	}
	return found
}
