package report

import (
	"fmt"
	"strings"

	"golang.org/x/text/width"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// displayWidth is the number of terminal columns that text takes: East Asian wide characters take
// two.
func displayWidth(text string) int {
	columns := 0
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			columns += 2
		default:
			columns++
		}
	}
	return columns
}

// wrap breaks text into lines of at most the given columns, at blanks. A word that is longer keeps
// a line of its own: names must stay whole to be copied.
func wrap(text string, columns int) []string {
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		length := displayWidth(word)
		if used > 0 && used+1+length > columns {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += length
	}
	return append(lines, line)
}

// groupBy puts together what has the same key, in the order in which it first appears.
func groupBy[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, one := range all {
		is := key(one)
		number, known := at[is]
		if !known {
			number = len(groups)
			at[is] = number
			groups = append(groups, nil)
		}
		groups[number] = append(groups[number], one)
	}
	return groups
}

// unique drops what stands before already.
func unique[T comparable](all []T) (kept []T) {
	for _, same := range groupBy(all, func(one T) T { return one }) {
		kept = append(kept, same[0])
	}
	return kept
}

// some names things: all of them, or, where that are many, a few and how many are left.
func some[T any](things []T, name func(T) string, few int, all bool, left string) string {
	var names []string
	for i, one := range things {
		if i == few && len(things) > few+1 && !all {
			return fmt.Sprintf("%s and %d %s", strings.Join(names, ", "), len(things)-few, left)
		}
		names = append(names, name(one))
	}
	return strings.Join(names, ", ")
}

// wrapCommand breaks a command into lines that a shell takes as one: it breaks between arguments, but not between a
// flag and its value, and ends each line but the last with a backslash.
func wrapCommand(command finding.Command, columns int) []string {
	var lines []string
	for len(command) > 0 {
		count := 1
		if len(command) > 1 && strings.HasPrefix(command[0], "-") && !strings.Contains(command[0], "=") &&
			!strings.HasPrefix(command[1], "-") {
			count = 2
		}
		words := command[:count].String()
		command = command[count:]
		last := len(lines) - 1
		switch {
		case last < 0:
			lines = append(lines, words)
		case displayWidth(lines[last])+1+displayWidth(words)+2 > columns: // room for the backslash
			lines[last] += " \\"
			lines = append(lines, "  "+words)
		default:
			lines[last] += " " + words
		}
	}
	return lines
}
