// Package escape writes what a terminal would act on, or doesn't show, as text that can be seen.
//
// This package may change at any time.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text with everything that isn't printable, line breaks and broken UTF-8 included, as its Go
// escape.
func Text(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 && utf8.ValidString(text) {
		return text
	}
	var escaped strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1: // a byte for itself, which may begin a command of a terminal, too
			fmt.Fprintf(&escaped, `\x%02x`, text[0])
		case unprintable(r):
			quoted := strconv.QuoteRuneToASCII(r)
			escaped.WriteString(quoted[1 : len(quoted)-1])
		default:
			escaped.WriteRune(r)
		}
		text = text[size:]
	}
	return escaped.String()
}

// NoCommand returns text in which no line begins with ::, whatever blanks are before: the runners of CI jobs take it
// for a command. The first colon becomes its Go escape (actions/runner
// src/Runner.Common/ActionCommand.cs:TryParseV2).
func NoCommand(text string) string {
	if !strings.Contains(text, "::") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if start := strings.TrimSpace(line); strings.HasPrefix(start, "::") {
			lines[i] = line[:strings.Index(line, "::")] + `\x3a` + start[1:]
		}
	}
	return strings.Join(lines, "\n")
}

// unprintable also covers characters that turn the direction of what follows, and invisible ones: they can hide text
// from people that programs read. U+FE0F is in many emoji.
func unprintable(r rune) bool {
	return !unicode.IsPrint(r) || r >= utf8.RuneSelf && r != '\ufe0f' &&
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
