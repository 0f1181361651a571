package paste

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// line is one line of a text, without the marks of a quotation in front of it.
type line struct {
	text   string
	quotes int // how many marks were in front of it
	number int
}

// lines reads a text line by line.
type lines struct {
	in     *bufio.Reader
	number int
	margin margin
	unread []line // what was read and given back, the next one last
}

// longestLine is how much of a line is read: the rest of it is lost.
const longestLine = 16 << 20

// newLines reads lines that follow after some others.
func newLines(in io.Reader, before int) *lines {
	return &lines{in: bufio.NewReaderSize(in, 1<<16), number: before}
}

// next returns the next line, or io.EOF.
func (l *lines) next() (line, error) {
	if last := len(l.unread) - 1; last >= 0 {
		back := l.unread[last]
		l.unread = l.unread[:last]
		return back, nil
	}
	var text []byte
	for {
		piece, err := l.in.ReadSlice('\n')
		if len(text) < longestLine {
			text = append(text, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (len(text) == 0 || !errors.Is(err, io.EOF)) {
			return line{}, err
		}
		break
	}
	l.number++
	unquoted, quotes := unquote(plain(string(text)))
	return line{text: typed(l.margin.without(unquoted)), quotes: quotes, number: l.number}, nil
}

// back gives a line back, to be read again.
func (l *lines) back(unread line) { l.unread = append(l.unread, unread) }

var (
	colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
	quoted  = regexp.MustCompile(`^[ \t]*(?:>[ \t]?)*>(?: |$)`)
)

// plain removes the end of a line, the colours of a terminal, and what chats make of spaces.
func plain(text string) string {
	text = strings.TrimRight(text, "\r\n")
	if strings.Contains(text, "\x1b") {
		text = colours.ReplaceAllString(text, "")
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.TrimPrefix(strings.ReplaceAll(text, "\u00a0", " "), "\ufeff")
}

// unquote removes the marks of a quotation in front of a line, as mail and chats put them there.
func unquote(text string) (rest string, quotes int) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t"), ">") {
		return text, 0
	}
	mark := quoted.FindString(text)
	return text[len(mark):], strings.Count(mark, ">")
}

// isFence reports whether a line begins or ends a block of code in Markdown, or is what is left of one.
func isFence(text string) bool {
	return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
}

// indentation is how many spaces a text begins with; a tab is one.
func indentation(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// dedent removes up to some spaces in front of a text.
func dedent(text string, spaces int) string { return text[min(spaces, indentation(text)):] }
