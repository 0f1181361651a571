package follow

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
)

// lines splits text into the rows that it takes on a terminal.
func lines(text string, columns int) (rows []string) {
	for line := range strings.Lines(text) {
		rows = append(rows, split(strings.TrimSuffix(line, "\n"), columns)...)
	}
	return rows
}

// split breaks a line into rows of at most some columns. Colours continue in the next row.
func split(line string, columns int) (rows []string) {
	var row strings.Builder
	width, within, colour := 0, false, ""
	for _, r := range line {
		switch {
		case r == '\x1b':
			within, colour = true, ""
		case within:
		case width+print.Columns(r) > columns:
			rows = append(rows, row.String())
			row.Reset()
			row.WriteString(colour)
			width = 0
		}
		row.WriteRune(r)
		if within {
			colour += string(r)
			within = r == '\x1b' || r == '[' || r < '@' // a final byte ends the sequence
		} else {
			width += print.Columns(r)
		}
	}
	return append(rows, row.String())
}

// draw writes rows over whatever was there.
func draw(rows []string, columns int) string {
	var out strings.Builder
	for i, row := range rows {
		if i > 0 {
			out.WriteString("\r\n")
		}
		out.WriteString(row)
		if strings.Contains(row, "\x1b") {
			out.WriteString(plain)
		}
		if width(row) < columns { // at the end of a full row, terminals would erase its last column
			out.WriteString(restOfRow)
		}
	}
	return out.String()
}

func width(row string) (columns int) {
	within := false
	for _, r := range row {
		switch {
		case r == '\x1b':
			within = true
		case within:
			within = r == '[' || r < '@'
		default:
			columns += print.Columns(r)
		}
	}
	return columns
}
