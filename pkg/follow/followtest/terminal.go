// Package followtest is a terminal in memory, for tests of what is drawn on one.
//
// This package may change at any time.
package followtest

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Terminal shows what is written to it as xterm does, as far as this program draws: rows, colours, which it forgets,
// and the other screen. What it doesn't know it notes in Unknown.
type Terminal struct {
	mu      sync.Mutex
	columns int
	rest    []byte // of a character or a sequence that isn't complete
	unknown []string
	frames  int // that were drawn at once

	main, other page
	onOther     bool
	hidden      bool // the cursor
}

type page struct {
	rows        [][]rune
	row, column int
	height      int  // rows that are seen; those above have scrolled away
	top         int  // the first row that is seen
	full        bool // the cursor is behind the last column
}

// NewTerminal returns a Terminal of some size.
func NewTerminal(columns, rows int) *Terminal {
	t := &Terminal{columns: columns}
	t.main.height, t.other.height = rows, rows
	return t
}

// Resize changes the size. Nothing is laid out anew: what stands beyond is cut off.
func (t *Terminal) Resize(columns, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.columns, t.main.height, t.other.height = columns, rows, rows
	for i, row := range t.other.rows {
		t.other.rows[i] = row[:min(len(row), columns)]
	}
}

// Size returns the size.
func (t *Terminal) Size() (columns, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.columns, t.main.height
}

// Screen returns the rows of the screen that is seen, without what is blank at their ends.
func (t *Terminal) Screen() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.page().seen()
}

// Text returns everything on the screen that is seen, with what has scrolled away.
func (t *Terminal) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	page := t.page()
	return strings.Join(trimmed(page.rows), "\n")
}

// State reports whether the other screen is seen, whether the cursor is hidden, how many frames were drawn at once, and
// what was written that this terminal doesn't know.
func (t *Terminal) State() (other, hidden bool, frames int, unknown []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.onOther, t.hidden, t.frames, t.unknown
}

// Write implements io.Writer.
func (t *Terminal) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = append(t.rest, data...)
	for len(t.rest) > 0 {
		if t.rest[0] == '\x1b' {
			end := strings.IndexFunc(string(t.rest[1:]), func(r rune) bool { return r >= '@' && r != '[' })
			if end < 0 {
				return len(data), nil
			}
			t.sequence(string(t.rest[1 : end+2]))
			t.rest = t.rest[end+2:]
			continue
		}
		if !utf8.FullRune(t.rest) {
			return len(data), nil
		}
		r, size := utf8.DecodeRune(t.rest)
		t.put(r)
		t.rest = t.rest[size:]
	}
	return len(data), nil
}

// covered is the second column of a wide character.
const covered = 0

func (t *Terminal) page() *page {
	if t.onOther {
		return &t.other
	}
	return &t.main
}

func (t *Terminal) sequence(sequence string) {
	page := t.page()
	switch sequence {
	case "[?1049h":
		t.onOther = true
		t.other.rows, t.other.row, t.other.column, t.other.top, t.other.full = nil, 0, 0, 0, false
	case "[?1049l":
		t.onOther = false
	case "[?25h", "[?25l":
		t.hidden = sequence == "[?25l"
	case "[?2026h":
	case "[?2026l":
		t.frames++
	case "[H":
		page.row, page.column, page.full = page.top, 0, false
	case "[K":
		row := page.at()
		*row = (*row)[:min(len(*row), page.column)]
		if page.full && len(*row) > 0 { // as terminals do: the cursor is on the last column
			*row = (*row)[:len(*row)-1]
		}
	default:
		if body, colours := strings.CutSuffix(sequence, "m"); colours && numbers(body[1:]) {
			return
		}
		t.unknown = append(t.unknown, sequence)
	}
}

func numbers(text string) bool {
	for _, name := range strings.Split(text, ";") {
		if _, err := strconv.Atoi(name); err != nil && name != "" {
			return false
		}
	}
	return true
}

func (t *Terminal) put(r rune) {
	page := t.page()
	switch r {
	case '\r':
		page.column, page.full = 0, false
	case '\n': // the system's part of a terminal makes \r\n of it
		page.column = 0
		page.feed()
	default:
		if page.full || page.column+print.Columns(r) > t.columns {
			page.column = 0
			page.feed()
		}
		row := page.at()
		for len(*row) < page.column+print.Columns(r) {
			*row = append(*row, ' ')
		}
		(*row)[page.column] = r
		for i := 1; i < print.Columns(r); i++ {
			(*row)[page.column+i] = covered
		}
		page.column += print.Columns(r)
		page.full = page.column >= t.columns
	}
}

func (p *page) feed() {
	p.row, p.full = p.row+1, false
	p.top = max(p.top, p.row-p.height+1)
}

func (p *page) at() *[]rune {
	for len(p.rows) <= p.row {
		p.rows = append(p.rows, nil)
	}
	return &p.rows[p.row]
}

func (p *page) seen() []string {
	from := min(p.top, len(p.rows))
	return trimmed(p.rows[from:min(len(p.rows), from+p.height)])
}

func trimmed(rows [][]rune) (texts []string) {
	for _, row := range rows {
		text := strings.ReplaceAll(string(row), string(rune(covered)), "")
		texts = append(texts, strings.TrimRight(text, " "))
	}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	return texts
}
