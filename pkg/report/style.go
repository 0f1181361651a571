package report

import (
	"io"
	"strings"

	"github.com/fatih/color"
)

// Style says how human output looks on one stream. Colour is decoration: taking the escapes away
// leaves the plain text.
type Style struct {
	Color bool
	Width int  // in columns
	Wide  bool // more of what is known
}

// Columns of a terminal on which nothing is known, and the most that running text fills.
const (
	defaultWidth = 80
	mostWidth    = 100
)

func (s Style) width() int {
	if s.Width <= 0 {
		return defaultWidth
	}
	return min(max(s.Width, 40), mostWidth)
}

func (s Style) paint(text string, attributes ...color.Attribute) string {
	if !s.Color {
		return text
	}
	painter := color.New(attributes...)
	painter.EnableColor()
	return painter.Sprint(text)
}

func (s Style) causeText(text string) string   { return s.paint(text, color.FgRed, color.Bold) }
func (s Style) waitingText(text string) string { return s.paint(text, color.FgYellow) }
func (s Style) safeText(text string) string    { return s.paint(text, color.FgGreen) }
func (s Style) headingText(text string) string { return s.paint(text, color.Bold) }

// writer collects text and remembers the first error.
type writer struct {
	out   io.Writer
	style Style
	// argument is what stands behind the = of the format.
	argument string
	err      error
}

func (w *writer) line(parts ...string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, strings.TrimRight(strings.Join(parts, ""), " ")+"\n")
	}
}

// section begins a part of human output.
func (w *writer) section(heading string, rest ...string) {
	w.line()
	w.line(append([]string{w.style.headingText(heading)}, rest...)...)
}

// Paragraph writes text broken into lines that fit where it is written.
func Paragraph(out io.Writer, text string, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", EscapeText(text), nil)
	return w.err
}

// paragraph writes text broken into lines, the first after lead and the others after as many blanks
// (or after lead again, where lead is branches of a tree).
func (w *writer) paragraph(lead, text string, paint func(string) string) {
	indent := lead
	if !strings.Contains(lead, "│") {
		indent = strings.Repeat(" ", displayWidth(lead))
	}
	for i, line := range wrap(text, w.style.width()-displayWidth(lead)) {
		if paint != nil {
			line = paint(line)
		}
		if i == 0 {
			w.line(lead, line)
		} else {
			w.line(indent, line)
		}
	}
}
