package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TreeDOT writes a tree in the language of Graphviz: red for root causes, bold red edges for waits,
// dashed ones for owner references that aren't honoured.
func TreeDOT(out io.Writer, tree *Tree) error {
	w := &writer{out: out}
	w.line("digraph finalizers {")
	w.line(`  graph [rankdir=TB];`)
	w.line(`  node [shape=box, fontname="sans-serif"];`)
	w.line(`  edge [fontname="sans-serif", fontsize=10];`)
	for number, node := range tree.Nodes {
		style := ""
		switch {
		case len(node.Reasons) > 0:
			style = `, color="red", penwidth=2`
		case !node.Known:
			style = `, style="dashed"`
		case node.Terminating:
			style = `, color="orange"`
		}
		w.line(fmt.Sprintf(`  n%d [label=%s%s];`, number, dotString(strings.Join(nodeLines(node), "\n")), style))
	}
	for _, edge := range tree.Edges {
		label, style := edgeLabel(edge), ""
		switch {
		case edge.Type == finding.WaitsFor:
			style = `, color="red", penwidth=2`
		case edge.Reference != finding.Honoured:
			style = `, style="dashed"`
		case edge.Type == finding.Contains:
			style = `, style="dotted"`
		}
		w.line(fmt.Sprintf(`  n%d -> n%d [label=%s%s];`, edge.From, edge.To, dotString(label), style))
	}
	w.line("}")
	return w.err
}

// dotString quotes text for DOT: inside quotes only the quote is special, and a backslash begins an
// escape in labels.
func dotString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// nodeLines is what a box says.
func nodeLines(node TreeNode) []string {
	lines := []string{node.Kind + " " + node.Path()}
	if state := strings.TrimSpace(node.Ready + " " + node.Status); state != "" {
		lines = append(lines, state)
	}
	if node.Terminating {
		lines = append(lines, "Terminating: "+finalizersOf(node))
	} else if finalizers := finalizersOf(node); finalizers != "" {
		lines = append(lines, finalizers)
	}
	for _, reason := range node.Reasons {
		lines = append(lines, string(reason))
	}
	return lines
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

// TreeMermaid writes a tree as a Mermaid flowchart: thick edges for waits, dotted ones for owner
// references that aren't honoured.
func TreeMermaid(out io.Writer, tree *Tree) error {
	w := &writer{out: out}
	w.line("flowchart TD")
	for number, node := range tree.Nodes {
		lines := nodeLines(node)
		for i := range lines {
			lines[i] = mermaidText(lines[i])
		}
		w.line(fmt.Sprintf(`  n%d["%s"]%s`, number, strings.Join(lines, "<br/>"), mermaidClass(node)))
	}
	for _, edge := range tree.Edges {
		arrow := "-->"
		switch {
		case edge.Type == finding.WaitsFor:
			arrow = "==>"
		case edge.Reference != finding.Honoured, edge.Type == finding.Contains:
			arrow = "-.->"
		}
		w.line(fmt.Sprintf(`  n%d %s|"%s"| n%d`, edge.From, arrow, mermaidText(edgeLabel(edge)), edge.To))
	}
	w.line("  classDef cause stroke:#d00,stroke-width:3px")
	w.line("  classDef terminating stroke:#e80,stroke-width:2px")
	w.line("  classDef unknown stroke-dasharray:4 4")
	return w.err
}

func mermaidClass(node TreeNode) string {
	switch {
	case len(node.Reasons) > 0:
		return ":::cause"
	case !node.Known:
		return ":::unknown"
	case node.Terminating:
		return ":::terminating"
	}
	return ""
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
