package report

import (
	"strings"

	"golang.org/x/text/width"
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

// wrapCommand breaks a command into lines that a shell takes as one: it breaks at blanks outside
// quotes and ends each line but the last with a backslash.
func wrapCommand(command string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range withValues(shellWords(command)) {
		switch {
		case line == "":
			line = word
		case displayWidth(line)+1+displayWidth(word)+2 > columns: // room for the backslash
			lines = append(lines, line+" \\")
			line = "  " + word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// withValues keeps a flag and its value on one line: --context prod.
func withValues(words []string) []string {
	var joined []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		takesValue := strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-")
		if takesValue {
			i++
			word += " " + words[i]
		}
		joined = append(joined, word)
	}
	return joined
}

// shellWords takes a command apart at blanks outside single quotes, which stay.
func shellWords(command string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for _, r := range command {
		if r == '\'' {
			quoted = !quoted
		}
		if r == ' ' && !quoted {
			words = append(words, word.String())
			word.Reset()
			continue
		}
		word.WriteRune(r)
	}
	return append(words, word.String())
}
