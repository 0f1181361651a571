// Package table draws tables with tablewriter, in kubectl's look.
//
// This package may change at any time.
package table

import (
	"bytes"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
)

// Draw returns the lines of a table, one for the headings and one for each row. With room for the last column, it is
// broken into lines of that width. It is a print.Drawer.
func Draw(headings []string, rows [][]string, room int) (lines []string, err error) {
	var out bytes.Buffer
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: print.Gap, Overwrite: true}},
	}
	config := tablewriter.Config{Header: cells, Row: cells, Behavior: tw.Behavior{TrimSpace: tw.Off, TrimLine: tw.Off}}
	if room > 0 {
		config.Row.Formatting.AutoWrap = tw.WrapNormal
		config.Row.ColMaxWidths = tw.CellWidth{PerColumn: tw.Mapper[int, int]{len(headings) - 1: room + len(print.Gap)}}
	}
	bare := tw.Rendition{
		Borders: tw.BorderNone, Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
	}
	drawn := tablewriter.NewTable(&out, tablewriter.WithConfig(config), tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRenderer(renderer.NewBlueprint(bare)))
	drawn.Header(headings)
	if err := drawn.Bulk(rows); err != nil {
		return nil, err
	}
	if err := drawn.Render(); err != nil {
		return nil, err
	}
	for line := range strings.Lines(out.String()) {
		lines = append(lines, line)
	}
	return lines, nil
}
