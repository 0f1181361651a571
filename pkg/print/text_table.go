package print

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// gap is what kubectl leaves between columns.
const gap = "   "

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

// drawn returns the lines of a table. Where no column is broken there is one for the headings and one for each row.
func (w *writer) drawn(headings []string, rows [][]string, width int) (lines []string) {
	if w.err != nil || len(rows) == 0 {
		return nil
	}
	var out bytes.Buffer
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: gap, Overwrite: true}},
	}
	config := tablewriter.Config{Header: cells, Row: cells, Behavior: tw.Behavior{TrimSpace: tw.Off, TrimLine: tw.Off}}
	if last := len(headings) - 1; width > 0 {
		if room := width - widths(headings, rows, last); room >= leastWidth && room < widest(rows, last) {
			config.Row.Formatting.AutoWrap = tw.WrapNormal
			config.Row.ColMaxWidths = tw.CellWidth{PerColumn: tw.Mapper[int, int]{last: room + len(gap)}}
		}
	}
	bare := tw.Rendition{
		Borders: tw.BorderNone, Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
	}
	drawn := tablewriter.NewTable(&out, tablewriter.WithConfig(config), tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRenderer(renderer.NewBlueprint(bare)))
	drawn.Header(headings)
	if w.err = drawn.Bulk(rows); w.err == nil {
		w.err = drawn.Render()
	}
	for line := range strings.Lines(out.String()) {
		lines = append(lines, trimLine(line))
	}
	return lines
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
		total += max(displayWidth(headings[column]), widest(rows, column)) + len(gap)
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
