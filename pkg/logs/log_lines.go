// Package logs picks the lines of a log that are about an object. It reads nothing itself.
//
// This package may change at any time.
package logs

import (
	"cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// LogLine is what a program has written to its log, once or several times.
type LogLine struct {
	At      time.Time // when it last did
	Text    string
	Trouble bool
	Of      int // which of the objects that were looked for it names
	Times   int // how many lines are the same but for numbers and what was made up for them
}

// LogLines returns the lines of a log that name one of some objects, the oldest first, and how many lines it has in
// all.
func LogLines(log string, names []LoggedName) (lines []LogLine, all int) {
	return LinesOf(log, func(text string) int {
		return slices.IndexFunc(names, func(loggedName LoggedName) bool { return loggedName.In(text) })
	})
}

// LinesOf returns the lines of a log that are about something, by its number, the oldest first; -1 is none. Each begins
// with its time, as the API server gives it where it is asked for times; other lines are none.
func LinesOf(log string, about func(text string) int) (lines []LogLine, all int) {
	for line := range strings.Lines(log) {
		stamp, text, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		at, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			continue
		}
		all++
		text = readable(text)
		if of := about(text); of >= 0 {
			lines = append(lines, LogLine{At: at, Text: text, Trouble: tellsOfTrouble(text), Of: of, Times: 1})
		}
	}
	return lines, all
}

// logPatterns are what a line of a log is known by. A log may have thousands of lines, and they are compiled once.
type logPatterns struct {
	colour, trouble, information, made *regexp.Regexp
}

var patterns = sync.OnceValue(func() logPatterns {
	level := func(levels string) string {
		return `(?i:\b(?:level|lvl|severity)\\?["']?\s*[:=]\s*\\?["']?(?:` + levels + `)\b)`
	}
	return logPatterns{
		colour: regexp.MustCompile(`\x1b\[[0-9;]*m`),
		trouble: regexp.MustCompile(level("error|err|fatal|panic|dpanic|critical") +
			`|^[EF]\d{4} |(?:^|[\s\[])(?:ERROR|FATAL|PANIC|DPANIC)(?:[\s\]:]|$)|^panic: `),
		information: regexp.MustCompile(level("info|debug|trace") + `|(?:^|[\s\[])(?:INFO|DEBUG|TRACE)[\s\]:]`),
		made: regexp.MustCompile(`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]*\d[0-9a-f]{7,}` +
			`\b|\d+`),
	}
})

// readable is a line without colours, in one line.
func readable(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(patterns().colour.ReplaceAllString(text, ""), "\t", " "))
}

// tellsOfTrouble reports whether a line is logged as an error, in the form of a usual logger, or speaks of trouble
// where it says of itself neither that nor that it is information.
func tellsOfTrouble(line string) bool {
	switch known := patterns(); {
	case known.trouble.MatchString(line):
		return true
	case known.information.MatchString(line):
		return false
	}
	return statuses.Judge(line) == statuses.Trouble
}

// LastLines returns at most so many of some lines: errors first, and the newest of each sort first. Lines of one object
// that differ only in numbers, times and identifiers are one.
func LastLines(lines []LogLine, most int) []LogLine {
	newest := slices.Clone(lines)
	slices.SortStableFunc(newest, func(a, b LogLine) int { return b.At.Compare(a.At) })
	var joined []LogLine
	known := map[LogLine]int{}
	for _, line := range newest {
		form := LogLine{Of: line.Of, Text: formOf(line.Text)}
		if at, again := known[form]; again {
			joined[at].Times += line.Times
			continue
		}
		known[form] = len(joined)
		joined = append(joined, line)
	}
	slices.SortStableFunc(joined, func(a, b LogLine) int { return cmp.Compare(rank(a), rank(b)) })
	return joined[:min(len(joined), most)]
}

func rank(line LogLine) int {
	if line.Trouble {
		return 0
	}
	return 1
}

// formOf is a line without what differs each time that it is written: numbers, identifiers.
func formOf(line string) string { return patterns().made.ReplaceAllString(line, "#") }
