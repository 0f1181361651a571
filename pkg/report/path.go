package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// pathLines bounds the drawing of the path; -o wide and the JSON have everything.
const pathLines = 30

// path draws what waits for what, from the target down. Branches that look alike are drawn once and
// counted.
func (w *writer) path(diagnosis *Diagnosis) {
	if len(diagnosis.Graph.Nodes) < 2 {
		return
	}
	tree := newWaitTree(diagnosis)
	if len(tree.waits[0]) == 0 {
		return
	}
	lines := tree.draw()
	w.line()
	w.line(w.style.headingText("PATH"))
	for i, line := range lines {
		if i == pathLines && len(lines) > pathLines+1 && !w.style.Wide {
			w.line(fmt.Sprintf("  … and %d lines more; -o wide shows them all", len(lines)-pathLines))
			return
		}
		w.pathLine(line, min(tree.widest, w.style.width()*2/3))
	}
}

// pathLine writes one object with its note beside it, or below it where the note doesn't fit.
func (w *writer) pathLine(line pathLine, column int) {
	const indent = "  "
	paint := w.style.waitingText
	if line.isCause {
		paint = w.style.causeText
	}
	gap := strings.Repeat(" ", max(0, column-displayWidth(line.text))+2)
	switch {
	case line.note == "":
		w.line(indent, line.text)
	case displayWidth(indent+line.text+gap+line.note) <= w.style.width():
		w.line(indent, line.text, gap, paint(line.note))
	default:
		w.line(indent, line.text)
		w.paragraph(indent+line.below+"  ", line.note, paint)
	}
}

// pathLine is one line of the drawing: an object, and what holds it or what is wrong with it.
type pathLine struct {
	text, note string
	below      string // the branches that go on beneath it
	isCause    bool
}

// waitTree unfolds the blocking graph into a tree. A node that was drawn is not drawn again.
type waitTree struct {
	graph   Graph
	waits   [][]graph.Edge
	reasons map[finding.Ref][]string
	drawn   map[int]bool
	lines   []pathLine
	widest  int
}

func newWaitTree(diagnosis *Diagnosis) *waitTree {
	t := &waitTree{graph: diagnosis.Graph, waits: make([][]graph.Edge, len(diagnosis.Graph.Nodes)), reasons: map[finding.Ref][]string{}, drawn: map[int]bool{}}
	for _, edge := range diagnosis.Graph.Edges {
		if edge.Type == finding.WaitsFor {
			t.waits[edge.From] = append(t.waits[edge.From], edge)
		}
	}
	for _, cause := range diagnosis.RootCauses {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			t.reasons[ref] = append(t.reasons[ref], string(cause.Reason))
		}
	}
	return t
}

func (t *waitTree) draw() []pathLine {
	t.visit([]int{0}, "", "")
	for _, line := range t.lines {
		t.widest = max(t.widest, displayWidth(line.text))
	}
	return t.lines
}

// visit draws nodes that look alike as one line, and below it what the first of them waits for.
func (t *waitTree) visit(alike []int, branch, below string) {
	node := alike[0]
	name := t.graph.Nodes[node].String()
	if len(alike) > 1 {
		name = fmt.Sprintf("%d × %s", len(alike), t.graph.Nodes[node].Kind)
	}
	note, isCause := t.note(node)
	again := t.drawn[node] && len(t.waits[node]) > 0
	if again {
		note, isCause = "see above", false
	}
	t.lines = append(t.lines, pathLine{text: branch + name, note: note, below: below, isCause: isCause})
	if again {
		return
	}
	for _, same := range alike {
		t.drawn[same] = true
	}
	children := t.children(node)
	for i, group := range children {
		if i == len(children)-1 {
			t.visit(group, below+"└─ ", below+"   ")
		} else {
			t.visit(group, below+"├─ ", below+"│  ")
		}
	}
}

// note says what holds a node, or which root cause it is.
func (t *waitTree) note(node int) (note string, isCause bool) {
	var words []string
	for _, hold := range t.graph.Nodes[node].Holds {
		switch {
		case !t.graph.Nodes[node].Terminating:
		case hold.Type == finding.GracePeriod:
			words = append(words, "grace period")
		case hold.Type == finding.SpecFinalizer && hold.Name == "kubernetes":
			words = append(words, "its content")
		default:
			words = append(words, hold.Name)
		}
	}
	if described := t.graph.Nodes[node]; node != 0 && !described.Terminating && len(t.reasons[described.Ref]) == 0 {
		words = append(words, "not being deleted")
	}
	reasons := slices.Compact(slices.Sorted(slices.Values(t.reasons[t.graph.Nodes[node].Ref])))
	return strings.Join(append(words, reasons...), ", "), len(reasons) > 0
}

// children groups what a node waits for by how it would be drawn, in the graph's order.
func (t *waitTree) children(node int) [][]int {
	var groups [][]int
	number := map[string]int{}
	seen := map[int]bool{}
	for _, edge := range t.waits[node] {
		if seen[edge.To] {
			continue
		}
		seen[edge.To] = true
		looks := t.looks(edge.To)
		if at, known := number[looks]; known {
			groups[at] = append(groups[at], edge.To)
			continue
		}
		number[looks] = len(groups)
		groups = append(groups, []int{edge.To})
	}
	return groups
}

// looks is the same for nodes that need not be told apart: of one kind, held alike, waiting for the
// same.
func (t *waitTree) looks(node int) string {
	ref := t.graph.Nodes[node].Ref
	note, _ := t.note(node)
	var waits []string
	for _, edge := range t.waits[node] {
		waits = append(waits, fmt.Sprint(edge.To))
	}
	return strings.Join([]string{ref.APIVersion, ref.Kind, ref.Namespace, note, strings.Join(waits, " "), fmt.Sprint(t.drawn[node])}, "\x00")
}
