package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// A look sets a node or an edge apart from the others in pictures.
type look int

const (
	plainLook       look = iota
	causeLook            // a node: a root cause is told about it
	unknownLook          // a node: only references to it are known
	terminatingLook      // a node
	waitLook             // an edge, from what waits
	flawedLook           // an edge: an owner reference that isn't honoured
	containsLook         // an edge
)

func nodeLook(n result.TreeNode) look {
	switch {
	case len(n.Reasons) > 0:
		return causeLook
	case !n.Known:
		return unknownLook
	case n.Terminating:
		return terminatingLook
	}
	return plainLook
}

func edgeLook(e result.TreeEdge) look {
	switch {
	case e.Type == finding.WaitsFor:
		return waitLook
	case e.Reference != finding.Honoured:
		return flawedLook
	case e.Type == finding.Contains:
		return containsLook
	}
	return plainLook
}

func nodeLines(n result.TreeNode) []string {
	held := finalizersOf(n)
	switch {
	case n.Terminating && n.Foreseen && held != "":
		held = "would be held by: " + held
	case n.Terminating && !n.Foreseen:
		held = strings.TrimSuffix("Terminating: "+held, ": ")
	}
	lines := []string{n.String(), whichCluster(n.Ref), strings.TrimSpace(n.Ready + " " + n.Status), held}
	for _, reason := range n.Reasons {
		lines = append(lines, string(reason))
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// whichCluster says in which cluster an object is, where several were asked.
func whichCluster(ref finding.Ref) string {
	if ref.Cluster == "" {
		return ""
	}
	return "in cluster " + ref.Cluster
}

func edgeLabel(e result.TreeEdge) string {
	switch e.Type {
	case finding.WaitsFor:
		if e.Hold == nil {
			return "waits for"
		}
		return "waits for: " + holdName(*e.Hold)
	case finding.Contains:
		return "contains"
	}
	label := "owns"
	if e.Blocks {
		label += ", blocked by it"
	}
	if e.Reference != finding.Honoured {
		label += " (" + string(e.Reference) + ")"
	}
	return label
}

// graphOf returns what is drawn of a result as a picture, if anything is.
func graphOf(answer result.Result) (*result.Tree, bool) {
	switch one := answer.(type) {
	case *result.Tree:
		return one, true
	case *result.Preview:
		return previewTree(&one.Target, *one), true
	case *result.PreviewList:
		return previewTree(nil, one.Items...), true
	}
	return nil, false
}

// renderDOT writes a graph for Graphviz: root causes and waits are red, owner references without effect dashed.
func renderDOT(tree *result.Tree, w *writer) {
	styles := map[look]string{
		causeLook: `, color="red", penwidth=2`, waitLook: `, color="red", penwidth=2`,
		terminatingLook: `, color="orange"`,
		unknownLook:     `, style="dashed"`, flawedLook: `, style="dashed"`, containsLook: `, style="dotted"`,
	}
	w.line("digraph finalizers {")
	w.line(`  graph [rankdir=TB];`)
	w.line(`  node [shape=box, fontname="sans-serif"];`)
	w.line(`  edge [fontname="sans-serif", fontsize=10];`)
	for number, node := range tree.Nodes {
		w.line(fmt.Sprintf(`  n%d [label=%s%s];`, number, dotString(strings.Join(nodeLines(node), "\n")),
			styles[nodeLook(node)]))
	}
	for _, edge := range tree.Edges {
		w.line(fmt.Sprintf(`  n%d -> n%d [label=%s%s];`, edge.From, edge.To, dotString(edgeLabel(edge)),
			styles[edgeLook(edge)]))
	}
	w.line("}")
}

// dotString quotes text for DOT: inside quotes only the quote is special, and a backslash begins an escape in labels.
func dotString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// renderMermaid writes a Mermaid flowchart: waits are thick, owner references without effect dotted.
func renderMermaid(tree *result.Tree, w *writer) {
	arrowOf := map[look]string{plainLook: "-->", waitLook: "==>", flawedLook: "-.->", containsLook: "-.->"}
	classOf := map[look]string{causeLook: ":::cause", unknownLook: ":::unknown", terminatingLook: ":::terminating"}
	w.line("flowchart TD")
	for number, node := range tree.Nodes {
		text := strings.Join(finding.Each(nodeLines(node), mermaidText), "<br/>")
		w.line(fmt.Sprintf(`  n%d["%s"]%s`, number, text, classOf[nodeLook(node)]))
	}
	for _, edge := range tree.Edges {
		w.line(fmt.Sprintf(`  n%d %s|"%s"| n%d`, edge.From, arrowOf[edgeLook(edge)], mermaidText(edgeLabel(edge)), edge.To))
	}
	w.line("  classDef cause stroke:#d00,stroke-width:3px")
	w.line("  classDef terminating stroke:#e80,stroke-width:2px")
	w.line("  classDef unknown stroke-dasharray:4 4")
}

// mermaidText writes all but plain characters as entities: Mermaid's quoted strings know HTML and Markdown.
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
