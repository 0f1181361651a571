package report

import (
	"fmt"
	"strings"
)

// renderDOT writes a graph in the language of Graphviz: red for root causes, bold red edges for waits, dashed ones for
// owner references that aren't honoured.
func renderDOT(result drawable, w *writer) {
	styles := map[look]string{
		causeLook: `, color="red", penwidth=2`, waitLook: `, color="red", penwidth=2`, terminatingLook: `, color="orange"`,
		unknownLook: `, style="dashed"`, flawedLook: `, style="dashed"`, containsLook: `, style="dotted"`,
	}
	boxes, arrows := result.drawing()
	w.line("digraph finalizers {")
	w.line(`  graph [rankdir=TB];`)
	w.line(`  node [shape=box, fontname="sans-serif"];`)
	w.line(`  edge [fontname="sans-serif", fontsize=10];`)
	for number, one := range boxes {
		w.line(fmt.Sprintf(`  n%d [label=%s%s];`, number, dotString(strings.Join(one.lines, "\n")), styles[one.look]))
	}
	for _, one := range arrows {
		w.line(fmt.Sprintf(`  n%d -> n%d [label=%s%s];`, one.from, one.to, dotString(one.label), styles[one.look]))
	}
	w.line("}")
}

// dotString quotes text for DOT: inside quotes only the quote is special, and a backslash begins an
// escape in labels.
func dotString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
