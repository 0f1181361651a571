package print

import (
	"io"
	"strings"

	"github.com/fatih/color"
	"golang.org/x/text/width"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Style says how human output looks on one stream. Colour is decoration: taking the escapes away leaves the plain text.
type Style struct {
	Color bool
	Width int  // in columns
	Wide  bool // more of what is known
	// Tables have no line of headings, and a column of labels.
	NoHeadings, Labels bool
	// Table draws tables. Without one, they are drawn as wide as they are.
	Table Drawer
}

// Columns of a terminal on which nothing is known, and the most that running text fills.
const (
	defaultWidth = 80
	mostWidth    = 100
)

// Unwrapped is the width of output whose lines are not broken, for readers that are programs.
const Unwrapped = 1 << 20

func (s Style) width() int {
	switch {
	case s.Width <= 0:
		return defaultWidth
	case s.Width == Unwrapped:
		return Unwrapped
	}
	return min(max(s.Width, 40), mostWidth)
}

func (s Style) paint(text string, attributes ...color.Attribute) string {
	if !s.Color || text == "" {
		return text
	}
	painter := color.New(attributes...)
	painter.EnableColor()
	return painter.Sprint(text)
}

// The colors can be read on light and on dark terminals. Red is what is lost, and nothing else.

func (s Style) causeText(text string) string   { return s.paint(text, color.FgMagenta, color.Bold) }
func (s Style) waitingText(text string) string { return s.paint(text, color.FgMagenta) }
func (s Style) safeText(text string) string    { return s.paint(text, color.FgGreen) }
func (s Style) lossText(text string) string    { return s.paint(text, color.FgRed) }
func (s Style) commandText(text string) string { return s.paint(text, color.FgBlue, color.Bold) }
func (s Style) headingText(text string) string { return s.paint(text, color.Bold) }

// writer writes the parts that answers consist of, and remembers the first error.
type writer struct {
	out   io.Writer
	style Style
	// argument is what is behind the = of the format that is rendered.
	argument string
	page     *page // collects the answer as blocks, in place of out
	err      error
	without  spared
	over     func() bool // reports whether the command was interrupted; nil for what is short
}

// Paragraph writes text broken into lines that fit where it is written.
func Paragraph(out io.Writer, text string, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", escape.Text(credential.Clean(text)), nil)
	return w.err
}

// displayWidth is the number of terminal columns that text takes: East Asian wide characters take two.
func displayWidth(text string) int {
	columns := 0
	for _, r := range text {
		columns += Columns(r)
	}
	return columns
}

// Columns is the number of terminal columns that a character takes.
func Columns(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// wrap breaks text at blanks into lines of at most the given columns. Longer words stay whole, to be copied.
func wrap(text string, columns int) []string {
	if words := strings.Fields(text); len(words) > 0 {
		return fill(words, columns, "", "")
	}
	return []string{""}
}

// fill joins words to lines of columns at most: all but the last end with more, all but the first begin with indent.
func fill(words []string, columns int, indent, more string) (lines []string) {
	for i, word := range words {
		last, behind := len(lines)-1, len(more)
		if i == len(words)-1 {
			behind = 0
		}
		switch {
		case last < 0:
			lines = append(lines, word)
		case displayWidth(lines[last])+1+displayWidth(word)+behind > columns:
			lines[last] += more
			lines = append(lines, indent+word)
		default:
			lines[last] += " " + word
		}
	}
	return lines
}

// groupBy puts together what has the same key, in the order in which it first appears.
func groupBy[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, one := range all {
		is := key(one)
		if _, known := at[is]; !known {
			at[is] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[is]] = append(groups[at[is]], one)
	}
	return groups
}

// unique drops what is before already.
func unique[T comparable](all []T) []T {
	return finding.Each(groupBy(all, func(one T) T { return one }), func(same []T) T { return same[0] })
}

// wrapCommand breaks a command into lines that a shell takes as one: it breaks between arguments, but not between a
// flag and its value, and ends each line but the last with a backslash.
func wrapCommand(command finding.Command, columns int) []string {
	var words []string
	for len(command) > 0 {
		count := 1
		if len(command) > 1 && strings.HasPrefix(command[0], "-") && !strings.Contains(command[0], "=") &&
			!strings.HasPrefix(command[1], "-") {
			count = 2
		}
		words = append(words, command[:count].String())
		command = command[count:]
	}
	return fill(words, columns, "  ", ` \`)
}
