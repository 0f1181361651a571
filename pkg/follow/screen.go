package follow

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Screen is the View on a terminal. It draws on the terminal's other screen, the one that editors use, so that lines
// that people have before them stay as they are, and a size that changes does no harm. At the end, what was to be seen
// last stands where the command was given.
type Screen struct {
	Out    io.Writer
	Print  func(out io.Writer, answer result.Result, style print.Style) error
	Brief  func(out io.Writer, answer result.Result, style print.Style) error // of what doesn't fit; nil for none
	Style  print.Style
	Size   func() (columns, rows int)
	Header string // what is watched

	begun   time.Time
	entered bool
	drawn   string // the last frame
	done    []result.Change
	earlier int

	body      []string // the answer's lines for a width
	brief     []string // those of the answer in short
	bodyOf    *Answer
	bodyWidth int
}

// Sequences of ECMA-48 and xterm that the terminals in use know; who doesn't know to draw at once ignores that.
const (
	enter     = "\x1b[?1049h\x1b[?25l" // the other screen, without a cursor
	leave     = "\x1b[?25h\x1b[?1049l"
	beginDraw = "\x1b[?2026h\x1b[H" // what follows is shown at once
	endDraw   = "\x1b[?2026l"
	restOfRow = "\x1b[K"
	plain     = "\x1b[0m"
)

// What a screen shows beneath the answer, and what is kept of what was done.
const (
	fewDone  = 5
	mostDone = 50
	fewRows  = 10 // on fewer, what was done isn't shown
)

// Beat implements View.
func (*Screen) Beat() time.Duration { return 250 * time.Millisecond }

// Show implements View. Each frame is one write, and a frame that would change nothing is none.
func (s *Screen) Show(moment Moment) error {
	s.remember(moment)
	columns, rows := s.size()
	frame, err := s.frame(moment, columns, rows)
	if err != nil {
		return err
	}
	frame = append(frame, make([]string, max(0, rows-len(frame)))...) // over what was there
	drawing := beginDraw + draw(frame, columns) + endDraw
	if drawing == s.drawn {
		return nil
	}
	s.drawn = drawing
	if !s.entered {
		drawing = enter + drawing
		s.entered = true
	}
	_, err = io.WriteString(s.Out, drawing)
	return err
}

// Close implements View.
func (s *Screen) Close(end End, moment Moment) error {
	s.remember(moment)
	var out bytes.Buffer
	if s.entered {
		out.WriteString(leave)
	}
	style := s.Style
	style.Width, _ = s.size()
	if end != Gone && moment.Answer.Result != nil {
		if err := s.Print(&out, moment.Answer.Result, style); err != nil {
			return err
		}
		if len(s.done) > 0 {
			out.WriteByte('\n')
		}
	}
	err := print.Done(&out, s.done, s.earlier, style)
	if end == Gone && len(s.done) == 0 {
		for _, item := range moment.Answer.Items { // that there was nothing from the beginning
			fmt.Fprintln(&out, item.Text)
		}
	}
	if _, written := s.Out.Write(out.Bytes()); err == nil {
		err = written
	}
	return err
}

func (s *Screen) size() (columns, rows int) {
	columns, rows = s.Size()
	if columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// remember keeps what was done. More of what is alike is one line still.
func (s *Screen) remember(moment Moment) {
	if s.begun.IsZero() {
		s.begun = moment.At
	}
	for _, change := range moment.Changes {
		if !change.Done() {
			continue
		}
		lately := max(0, len(s.done)-fewDone)
		if i := slices.IndexFunc(s.done[lately:], change.Alike); i >= 0 && change.Since.IsZero() {
			change.Objects = append(s.done[lately+i].Objects, change.Objects...)
			s.done = slices.Delete(s.done, lately+i, lately+i+1)
		}
		s.done = append(s.done, change)
	}
	if more := len(s.done) - mostDone; more > 0 {
		s.done, s.earlier = slices.Delete(s.done, 0, more), s.earlier+more
	}
}

// frame returns the rows to be seen: the answer, or if it doesn't fit, the answer in short, and always what is beneath
// it. Where that is too long as well, it is the beginning.
func (s *Screen) frame(moment Moment, columns, rows int) ([]string, error) {
	if err := s.layOut(moment.Answer, columns); err != nil {
		return nil, err
	}
	below, err := s.below(moment, columns, rows)
	if err != nil {
		return nil, err
	}
	space := max(0, rows-len(below))
	body := s.body
	if len(body) > space {
		body = s.shortened(columns, space)
	}
	return append(slices.Clone(body), below[max(0, len(below)-rows):]...), nil
}

// shortened is an answer that is longer than the space for it: in short if there is that, or else its beginning.
func (s *Screen) shortened(columns, space int) []string {
	if space == 0 {
		return nil
	}
	body, more := s.brief, fmt.Sprintf("… in short; the whole answer has %d lines, printed at the end", len(s.body))
	if len(s.brief) == 0 {
		body, more = s.body, fmt.Sprintf("… and %d more lines, printed at the end", len(s.body)-space+1)
	}
	return append(slices.Clone(body[:min(len(body), space-1)]), split(more, columns)[0])
}

// layOut lays out an answer for a width, once.
func (s *Screen) layOut(answer *Answer, columns int) (err error) {
	if s.bodyOf == answer && s.bodyWidth == columns {
		return nil
	}
	if s.body, err = s.printed(s.Print, answer, columns); err != nil {
		return err
	}
	s.bodyOf, s.bodyWidth, s.brief = answer, columns, nil
	if s.Brief != nil {
		s.brief, err = s.printed(s.Brief, answer, columns)
	}
	return err
}

// printed returns the lines of an answer for a width.
func (s *Screen) printed(
	write func(io.Writer, result.Result, print.Style) error, answer *Answer, columns int,
) ([]string, error) {
	var text bytes.Buffer
	style := s.Style
	style.Width = columns
	if answer.Result != nil {
		if err := write(&text, answer.Result, style); err != nil {
			return nil, err
		}
	}
	return lines(text.String(), columns), nil
}

// below returns the rows beneath the answer: what was done, what is left, and how it stands with the watch itself.
func (s *Screen) below(moment Moment, columns, rows int) ([]string, error) {
	var text bytes.Buffer
	style := s.Style
	style.Width = columns
	if few := min(len(s.done), fewDone, (rows-fewRows)/2); few > 0 {
		text.WriteByte('\n')
		hidden := len(s.done) - few
		if err := print.Done(&text, s.done[hidden:], s.earlier+hidden, style); err != nil {
			return nil, err
		}
	}
	if rows >= fewRows {
		text.WriteByte('\n')
	}
	if left := print.Progress(moment.Progress); left != "" {
		fmt.Fprintln(&text, left)
	}
	if moment.Trouble != nil {
		const before = "The cluster can't be reached; trying again: "
		if err := print.Paragraph(&text, before+moment.Trouble.Error(), style); err != nil {
			return nil, err
		}
	}
	clock := func(at time.Time) string { return at.Local().Format(time.TimeOnly) }
	status := fmt.Sprintf("Watching %s since %s. Last update: %s. To stop, press Ctrl-C.",
		s.Header, clock(s.begun), clock(moment.Looked))
	err := print.Paragraph(&text, status, style)
	return lines(text.String(), columns), err
}
