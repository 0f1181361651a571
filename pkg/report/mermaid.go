package report

import (
	"fmt"
	"strings"
)

// renderMermaid writes a graph as a Mermaid flowchart: thick edges for waits, dotted ones for owner references that
// aren't honoured.
func renderMermaid(result drawable, w *writer) {
	arrowOf := map[look]string{plainLook: "-->", waitLook: "==>", flawedLook: "-.->", containsLook: "-.->"}
	classOf := map[look]string{causeLook: ":::cause", unknownLook: ":::unknown", terminatingLook: ":::terminating"}
	boxes, arrows := result.drawing()
	w.line("flowchart TD")
	for number, one := range boxes {
		var lines []string
		for _, line := range one.lines {
			lines = append(lines, mermaidText(line))
		}
		w.line(fmt.Sprintf(`  n%d["%s"]%s`, number, strings.Join(lines, "<br/>"), classOf[one.look]))
	}
	for _, one := range arrows {
		w.line(fmt.Sprintf(`  n%d %s|"%s"| n%d`, one.from, arrowOf[one.look], mermaidText(one.label), one.to))
	}
	w.line("  classDef cause stroke:#d00,stroke-width:3px")
	w.line("  classDef terminating stroke:#e80,stroke-width:2px")
	w.line("  classDef unknown stroke-dasharray:4 4")
}

// mermaidText writes everything but plain characters as Mermaid's entities: names come from the
// cluster, and its quoted strings know HTML and Markdown.
func mermaidText(text string) string {
	var safe strings.Builder
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" -_./:,()", r), r > 0x7f:
			safe.WriteRune(r)
		default:
			fmt.Fprintf(&safe, "#%d;", r)
		}
	}
	return safe.String()
}
