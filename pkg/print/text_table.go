package print

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Gap is what kubectl leaves between columns.
const Gap = "   "

// Drawer draws a table: a line for its headings, and one for each row. If room is not 0, its last column is broken into
// lines of at most that width.
type Drawer func(headings []string, rows [][]string, room int) (lines []string, err error)

// leastWidth is the narrowest that a last column is made. On a terminal that has no room even for that, nothing is
// gained by breaking it: lines are longer than the terminal, and whole.
const leastWidth = 20

// table writes rows beneath headings in kubectl's look. A width to keep to breaks the last column into lines.
func (w *writer) table(indent string, headings []string, rows [][]string, width int) {
	if w.page != nil {
		w.page.add(&block{Kind: tableBlock, Headings: headings, Rows: rows})
		return
	}
	if w.style.NoHeadings {
		headings = make([]string, len(headings))
	}
	lines := w.drawn(headings, rows, width-len(indent))
	if w.style.NoHeadings && len(lines) > 0 {
		lines = lines[1:]
	}
	for _, line := range lines {
		w.line(indent, line)
	}
}

// rows writes a table of the first few rows, as many as there is room for, or all in wide output and pages.
func (w *writer) rows(indent string, headings []string, rows [][]string, few int) {
	most := len(rows)
	if !w.style.Wide && w.page == nil {
		most = mostOf(len(rows), w.room(few))
	}
	w.table(indent, headings, rows[:most], w.style.width())
	if left := len(rows) - most; left > 0 {
		w.paragraph(indent, fmt.Sprintf("and %d more; -o wide lists them all", left), nil)
	}
}

// drawn returns the lines of a table. Where no column is broken there is one for the headings and one for each row.
func (w *writer) drawn(headings []string, rows [][]string, width int) (lines []string) {
	if w.err != nil || len(rows) == 0 {
		return nil
	}
	room := 0
	if last := len(headings) - 1; width > 0 {
		if left := width - widths(headings, rows, last); left >= leastWidth && left < widest(rows, last) {
			room = left
		}
	}
	draw := w.style.Table
	if draw == nil {
		draw = inFullWidth
	}
	lines, w.err = draw(headings, rows, room)
	return finding.Each(lines, trimLine)
}

// inFullWidth draws columns that are as wide as what is in them: none is broken.
func inFullWidth(headings []string, rows [][]string, _ int) (lines []string, err error) {
	wide := make([]int, len(headings))
	for column := range headings {
		wide[column] = max(displayWidth(headings[column]), widest(rows, column))
	}
	for _, row := range append([][]string{headings}, rows...) {
		line := ""
		for column, cell := range row {
			line += cell + strings.Repeat(" ", wide[column]-displayWidth(plain(cell))) + Gap
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// withoutEmpty leaves out the columns that say nothing in any row, but for the ones that are always shown.
func withoutEmpty(headings []string, rows [][]string, always ...string) ([]string, [][]string) {
	for column := len(headings) - 1; column >= 0; column-- {
		says := func(row []string) bool { return row[column] != "" && row[column] != "<unknown>" }
		if slices.Contains(always, headings[column]) || slices.ContainsFunc(rows, says) {
			continue
		}
		headings = slices.Delete(headings, column, column+1)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], column, column+1)
		}
	}
	return headings, rows
}

// trimLine removes what fills the last column, and what ends colours in between.
func trimLine(line string) string {
	const reset = "\x1b[0m"
	trimmed := strings.TrimRight(line, " \n")
	for strings.HasSuffix(trimmed, reset) {
		trimmed = strings.TrimRight(strings.TrimSuffix(trimmed, reset), " ")
	}
	if strings.Contains(trimmed, "\x1b[") {
		trimmed += reset
	}
	return trimmed
}

// widths is what the columns before one take, with the gaps behind them.
func widths(headings []string, rows [][]string, before int) int {
	total := 0
	for column := range before {
		total += max(displayWidth(headings[column]), widest(rows, column)) + len(Gap)
	}
	return total
}

func widest(rows [][]string, column int) int {
	most := 0
	for _, row := range rows {
		most = max(most, displayWidth(plain(row[column])))
	}
	return most
}

func plain(text string) string {
	if !strings.Contains(text, "\x1b[") {
		return text
	}
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(text, "")
}
