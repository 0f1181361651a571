package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

//go:embed banned.txt
var banned string

// rule is a banned word or phrase, and what to say instead.
type rule struct {
	found *regexp.Regexp
	needs []string // one of these is in each text that has it, in lower case; none: not known
	say   string
	below string // where it holds: in sources whose path begins so
}

// parseRules reads the format of banned.txt. It returns an error that names the line for one without " => ", and for
// one that is not a regular expression.
func parseRules(text string) ([]rule, error) {
	var rules []rule
	below := ""
	for number, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if prefix, is := strings.CutPrefix(line, "["); is && strings.HasSuffix(prefix, "]") {
			below = strings.TrimSuffix(prefix, "]")
			continue
		}
		expression, say, found := strings.Cut(line, " => ")
		if !found {
			return nil, fmt.Errorf("banned.txt:%d: no %q", number+1, " => ")
		}
		expression = "(?im)" + strings.ReplaceAll(expression, " ", `\s+`)
		parsed, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("banned.txt:%d: %w", number+1, err)
		}
		rules = append(rules, rule{regexp.MustCompile(expression), needs(parsed), say, below})
	}
	return rules, nil
}

// needs returns texts in lower case. Each match of the expression has one of them: to look for them is much faster than
// to match. It returns nothing if it knows none.
func needs(expression *syntax.Regexp) (best []string) {
	switch expression.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(expression.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(expression.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range expression.Sub {
			some := needs(sub)
			if len(some) == 0 {
				return nil
			}
			best = append(best, some...)
		}
	case syntax.OpConcat:
		for _, sub := range expression.Sub {
			if some := needs(sub); len(some) > 0 && (len(best) == 0 || shortest(some) > shortest(best)) {
				best = some
			}
		}
	}
	return best
}

func shortest(texts []string) int {
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
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
		lower := strings.ToLower(p.text)
		has := func(text string) bool { return strings.Contains(lower, text) }
		for _, r := range rules {
			if !strings.HasPrefix(p.source, r.below) || len(r.needs) > 0 && !slices.ContainsFunc(r.needs, has) {
				continue
			}
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
