package paste

import (
	"errors"
	"io"
	"regexp"
	"strings"
)

// heading is a line of names of columns, as kubectl get prints them.
var (
	heading = regexp.MustCompile(`^(?:NAMESPACE|NAME|LAST SEEN)\s+[A-Z]`)
	wide    = regexp.MustCompile(`\s{2,}|\t`)
	lower   = regexp.MustCompile(`[a-z]`)
)

func isHeading(text string) bool {
	return (text[0] == 'N' || text[0] == 'L') && heading.MatchString(text) && !lower.MatchString(text)
}

// column is one of a table, and where it begins in its lines.
type column struct {
	name   string
	begins int
}

// table reads the rows below a heading, to the first line that can't be one.
func (r *reader) table(first line) error {
	columns, rows := columnsOf(first.text), 0
	names := map[string]bool{}
	for _, column := range columns {
		names[column.name] = true
	}
	reads := rowReader(names)
	for {
		next, err := r.lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := strings.TrimSpace(next.text)
		if err != nil || text == "" || isFence(text) || next.quotes != first.quotes || startsAnother(text) {
			if err == nil {
				r.lines.back(next)
			}
			break
		}
		cells := cellsOf(next.text, columns)
		if len(cells) < 2 && len(columns) > 1 {
			r.lines.back(next)
			return nil // prose; the table may have been cut off
		}
		if rows++; reads == nil {
			continue
		}
		if err := reads(r, cells, next.number); err != nil {
			return err
		}
	}
	if reads == nil && rows > 0 {
		r.problem(first.number, "a table of kubectl get, which does not show of which type its objects are; "+
			"use -o yaml")
	}
	return nil
}

// startsAnother reports whether a line begins something else than a row.
func startsAnother(text string) bool {
	return isHeading(text) || isCommand(text) || isFailure(text) || beginsJSON(text) || beginsYAML(text)
}

// columnsOf returns the columns of a heading. Their names may have a space in them.
func columnsOf(text string) (columns []column) {
	for at := 0; at < len(text); {
		at += indentation(text[at:])
		end := len(text)
		if gap := wide.FindStringIndex(text[at:]); gap != nil {
			end = at + gap[0]
		}
		if at < end {
			columns = append(columns, column{text[at:end], at})
		}
		at = end
	}
	return columns
}

// cellsOf returns what a row has below each column: by its place, or, where that doesn't fit, by the gaps between.
func cellsOf(text string, columns []column) map[string]string {
	cells := map[string]string{}
	for i, column := range columns {
		if column.begins > 0 && column.begins < len(text) && text[column.begins-1] != ' ' {
			return cellsByGaps(text, columns)
		}
		end := len(text)
		if i+1 < len(columns) {
			end = min(end, columns[i+1].begins)
		}
		if column.begins < end {
			cell := strings.TrimSpace(text[column.begins:end])
			if i+1 < len(columns) && wide.MatchString(cell) {
				return cellsByGaps(text, columns)
			}
			if cell != "" {
				cells[column.name] = cell
			}
		}
	}
	return cells
}

func cellsByGaps(text string, columns []column) map[string]string {
	parts := wide.Split(strings.TrimSpace(text), len(columns))
	if len(parts) != len(columns) {
		if parts = strings.Fields(text); len(parts) != len(columns) {
			return nil
		}
	}
	cells := map[string]string{}
	for i, column := range columns {
		cells[column.name] = parts[i]
	}
	return cells
}
