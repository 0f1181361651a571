package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// drawable is a result that is a graph.
type drawable interface {
	drawing() ([]box, []arrow)
}

// box is a node as pictures show it, and arrow an edge between the boxes of these numbers.
type (
	box struct {
		lines []string
		look  look
	}
	arrow struct {
		from, to int
		label    string
		look     look
	}
)

// look is what sets a box or an arrow apart from the others.
type look int

const (
	plainLook       look = iota
	causeLook            // a box: a root cause is told about it
	unknownLook          // a box: only references to it are known
	terminatingLook      // a box
	waitLook             // an arrow, from what waits
	flawedLook           // an arrow: an owner reference that isn't honoured
	containsLook         // an arrow
)

func (t *Tree) drawing() (boxes []box, arrows []arrow) {
	for _, node := range t.Nodes {
		one := box{lines: nodeLines(node)}
		switch {
		case len(node.Reasons) > 0:
			one.look = causeLook
		case !node.Known:
			one.look = unknownLook
		case node.Terminating:
			one.look = terminatingLook
		}
		boxes = append(boxes, one)
	}
	for _, edge := range t.Edges {
		one := arrow{from: edge.From, to: edge.To, label: edgeLabel(edge)}
		switch {
		case edge.Type == finding.WaitsFor:
			one.look = waitLook
		case edge.Reference != finding.Honoured:
			one.look = flawedLook
		case edge.Type == finding.Contains:
			one.look = containsLook
		}
		arrows = append(arrows, one)
	}
	return boxes, arrows
}

// nodeLines is what a box says.
func nodeLines(node TreeNode) []string {
	held := finalizersOf(node)
	if node.Terminating {
		held = "Terminating: " + held
	}
	lines := []string{node.String(), strings.TrimSpace(node.Ready + " " + node.Status), held}
	for _, reason := range node.Reasons {
		lines = append(lines, string(reason))
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// edgeLabel is what stands at an edge.
func edgeLabel(edge TreeEdge) string {
	switch edge.Type {
	case finding.WaitsFor:
		if edge.Hold == nil {
			return "waits for"
		}
		return "waits for: " + holdName(*edge.Hold)
	case finding.Contains:
		return "contains"
	}
	label := "owns"
	if edge.Blocks {
		label += ", blocked by it"
	}
	if edge.Reference != finding.Honoured {
		label += " (" + string(edge.Reference) + ")"
	}
	return label
}

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

// renderMermaid writes a graph as a Mermaid flowchart: thick edges for waits, dotted ones for owner references that
// aren't honoured.
func renderMermaid(result drawable, w *writer) {
	arrowOf := map[look]string{plainLook: "-->", waitLook: "==>", flawedLook: "-.->", containsLook: "-.->"}
	classOf := map[look]string{causeLook: ":::cause", unknownLook: ":::unknown", terminatingLook: ":::terminating"}
	boxes, arrows := result.drawing()
	w.line("flowchart TD")
	for number, one := range boxes {
		text := strings.Join(finding.Each(one.lines, mermaidText), "<br/>")
		w.line(fmt.Sprintf(`  n%d["%s"]%s`, number, text, classOf[one.look]))
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
