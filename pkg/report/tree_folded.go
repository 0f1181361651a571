package report

import (
	"slices"
	"strings"
)

// narrow tells whether a tree has no room for all of its columns on the terminal. The last one can be broken into lines.
func (d *drawing) narrow(headings []string, rows [][]string) bool {
	last := len(headings) - 1
	least := max(displayWidth(headings[last]), min(widest(rows, last), leastWidth))
	return d.style.Width > 0 && widths(headings, rows, last)+least > d.style.Width
}

// folded draws a tree with what is long, finalizers and notes, in lines beneath each object.
func (w *writer) folded(d *drawing, headings []string, rows [][]string) {
	kept, first := slices.Clone(headings), 0
	details := make([][]string, len(rows))
	short := make([][]string, len(rows))
	for i, row := range rows {
		short[i] = slices.Clone(row)
	}
	for column := len(kept) - 1; column >= 0; column-- {
		heading := kept[column]
		if heading != "FINALIZERS" && heading != "NOTES" {
			continue
		}
		kept = slices.Delete(kept, column, column+1)
		for i := range short {
			if text := short[i][column]; text != "" {
				if heading == "FINALIZERS" {
					text = "held by " + strings.ReplaceAll(text, ",", ", ")
				}
				details[i] = append([]string{text}, details[i]...)
			}
			short[i] = slices.Delete(short[i], column, column+1)
		}
	}
	if name := slices.Index(kept, "NAME"); name > 0 {
		first = widths(kept, short, name)
	}
	for i, line := range w.drawn(kept, short, 0) {
		w.line(line)
		if i == 0 {
			continue
		}
		for _, text := range details[i-1] {
			w.paragraph(strings.Repeat(" ", first)+d.lines[i-1].beneath(), text, nil)
		}
	}
}
