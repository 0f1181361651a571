package main

import (
	"regexp"
	"strings"
)

// literal returns a text as Markdown that shows exactly this text: no HTML, no link, no emphasis.
func literal(text string) string {
	var escaped strings.Builder
	for _, char := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!$^=+-@", char) {
			escaped.WriteByte('\\')
		}
		escaped.WriteRune(char)
	}
	return escaped.String()
}

// code returns a text as a span of code.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + text + fence
}

// plain returns the first paragraph of a text in Markdown, without its marks.
func plain(markdown string) string {
	paragraph := ""
	for part := range strings.SplitSeq(markdown, "\n\n") {
		if part = strings.TrimSpace(part); part != "" && !strings.ContainsAny(part[:1], "#|!`-<>*") {
			paragraph = part
			break
		}
	}
	paragraph = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(paragraph, "$1")
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", "**", "").Replace(paragraph)), " ")
}

// mostDescribed is how long search engines show a description at most.
const mostDescribed = 300

// described cuts a text to the length of a description, between words.
func described(text string) string {
	if len(text) <= mostDescribed {
		return text
	}
	return text[:strings.LastIndex(text[:mostDescribed-len("…")], " ")] + "…"
}
