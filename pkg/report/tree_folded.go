package report

import (
	"slices"
	"strings"
)

// narrow tells whether a tree has no room for all of its columns on the terminal. The last one can be broken into
// lines.
func (d *drawing) narrow(headings []string, rows [][]string) bool {
	last := len(headings) - 1
	least := max(displayWidth(headings[last]), min(widest(rows, last), leastWidth))
	return d.style.Width > 0 && widths(headings, rows, last)+least > d.style.Width
}

// folded draws a tree with what is long, finalizers and notes, in lines beneath each object.
func (w *writer) folded(d *drawing, headings []string, rows [][]string) {
	details := make([][]string, len(rows))
	for i, row := range rows {
		for column, heading := range headings {
			text := row[column]
			switch {
			case text == "" || heading != "FINALIZERS" && heading != "NOTES":
				continue
			case heading == "FINALIZERS":
				text = "held by " + strings.ReplaceAll(text, ",", ", ")
			}
			details[i] = append(details[i], text)
			row[column] = ""
		}
	}
	headings, rows = withoutEmpty(headings, rows, "NAME")
	indent := strings.Repeat(" ", widths(headings, rows, slices.Index(headings, "NAME")))
	for i, line := range w.drawn(headings, rows, 0) {
		w.line(line)
		if i == 0 {
			continue
		}
		for _, text := range details[i-1] {
			w.paragraph(indent+d.lines[i-1].beneath(), text, nil)
		}
	}
}
