package print

import (
	"slices"
	"strings"
)

// narrow reports whether the terminal has no room for all columns of a tree; the last one can be broken into lines.
func (d *drawing) narrow(headings []string, rows [][]string) bool {
	last := len(headings) - 1
	least := max(displayWidth(headings[last]), min(widest(rows, last), leastWidth))
	return d.style.Width > 0 && widths(headings, rows, last)+least > d.style.Width
}

// narrowTree draws a tree with its names in the last column, and beneath each object what takes room. How old it is, is
// left out.
func (w *writer) narrowTree(d *drawing, headings []string, rows [][]string) {
	beside := []string{"TERMINATING", "NAME"}
	narrow, details := make([][]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		cell := func(heading string) string {
			if at := slices.Index(headings, heading); at >= 0 {
				return row[at]
			}
			return ""
		}
		for _, heading := range beside {
			narrow[i] = append(narrow[i], cell(heading))
		}
		var below []string
		for column, heading := range headings {
			switch text := row[column]; {
			case text == "" || text == "<unknown>" || heading == "AGE" || slices.Contains(beside, heading):
			case heading == "HELD BY":
				below = append(below, "held by "+strings.ReplaceAll(text, ",", ", "))
			case heading == "READY":
				below = append(below, text+" ready")
			default:
				below = append(below, text)
			}
		}
		details[i] = strings.Join(below, "; ")
	}
	beside, narrow = withoutEmpty(beside, narrow, "NAME")
	indent := strings.Repeat(" ", widths(beside, narrow, len(beside)-1))
	for i, line := range w.drawn(beside, narrow, 0) {
		w.line(line)
		if i > 0 && details[i-1] != "" {
			w.paragraph(indent+d.lines[i-1].beneath(), details[i-1], nil)
		}
	}
}
