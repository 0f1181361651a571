package main

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The measures of the picture, in pixels: a monospaced font's characters are 0.6 of its size wide.
const (
	size   = 14
	wide   = 8.43
	high   = 19
	margin = 16
)

// style is what escape sequences have switched on.
type style struct {
	bold, faint bool
	color       string
}

// attributes returns the style as SVG has it.
func (s style) attributes() string {
	var out strings.Builder
	if s.bold {
		out.WriteString(` font-weight="bold"`)
	}
	if s.faint {
		out.WriteString(` opacity="0.65"`)
	}
	if s.color != "" {
		fmt.Fprintf(&out, ` fill="%s"`, s.color)
	}
	return out.String()
}

// apply changes the style as the parameters of one SGR sequence say (ECMA-48 8.3.117).
func (s *style) apply(parameters string) {
	colors := map[string]string{
		"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
		"90": "#8b949e",
		"91": "#ff7b72", "92": "#7ee787", "93": "#e3b341", "94": "#79c0ff", "95": "#d2a8ff", "96": "#76e3ea",
	}
	for _, parameter := range strings.Split(parameters, ";") {
		switch parameter {
		case "", "0":
			*s = style{}
		case "1":
			s.bold = true
		case "2":
			s.faint = true
		case "22":
			s.bold, s.faint = false, false
		case "39":
			s.color = ""
		default:
			if color := colors[parameter]; color != "" {
				s.color = color
			}
		}
	}
}

// svg draws what a terminal shows of a text with colours.
func svg(text string) []byte {
	sequence := regexp.MustCompile("\x1b\\[([0-9;]*)m")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	lengths := make([]int, 0, len(lines))
	for _, line := range lines {
		lengths = append(lengths, utf8.RuneCountInString(sequence.ReplaceAllString(line, "")))
	}
	width := float64(slices.Max(lengths))*wide + 2*margin
	height := len(lines)*high + 2*margin
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="6" fill="#0d1117"/>`+"\n")
	fmt.Fprintf(&out,
		`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="%d" fill="#e6edf3">`+"\n",
		size)
	var now style
	for i, line := range lines {
		fmt.Fprintf(&out, `<text x="%d" y="%d" xml:space="preserve">`, margin, margin+size+i*high)
		rest := line
		for rest != "" {
			found := sequence.FindStringSubmatchIndex(rest)
			if found == nil {
				found = []int{len(rest), len(rest), 0, 0}
			}
			if piece := rest[:found[0]]; piece != "" {
				fmt.Fprintf(&out, `<tspan%s>%s</tspan>`, now.attributes(), html.EscapeString(piece))
			}
			if found[1] > found[0] {
				now.apply(rest[found[2]:found[3]])
			}
			rest = rest[found[1]:]
		}
		out.WriteString("</text>\n")
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}
