package print

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// pathLines bounds the drawing of the path; -o wide and the JSON have everything.
const pathLines = 30

// drawPath draws what waits for what, from the target down. Branches that look alike are drawn once and counted.
func drawPath(diagnosis *result.Diagnosis, w *writer) {
	p := newPath(diagnosis, w.over)
	if len(p.children) < 2 || len(p.children[0]) == 0 {
		return
	}
	p.draw([]child{{node: 0}})
	if p.told(diagnosis) && !w.style.Wide {
		return
	}
	widest := 0
	for _, line := range p.lines {
		widest = max(widest, displayWidth(p.text(line)))
	}
	w.section("PATH")
	for i, line := range p.lines {
		if i == pathLines && len(p.lines) > pathLines+1 && !w.style.Wide {
			w.line(fmt.Sprintf("  … and %d lines more; -o wide shows them all", len(p.lines)-pathLines))
			return
		}
		p.write(w, line, min(widest, w.style.width()*2/3))
	}
}

// told reports whether a path says no more than the causes themselves: the target waits for their objects, which the
// sentence that sums up names, and for nothing else.
func (p *path) told(diagnosis *result.Diagnosis) bool {
	if p.ownerWaits(diagnosis) {
		return false
	}
	if len(diagnosis.RootCauses) == 1 && len(diagnosis.RootCauses[0].Path) <= 2 && len(p.lines) < 3 {
		return true
	}
	further := func(below child) bool {
		return len(p.children[below.node]) > 0 || len(p.reasons[p.graph.Nodes[below.node].Ref]) == 0
	}
	return diagnosis.Sums.More == 0 && !slices.ContainsFunc(p.children[0], further)
}

// ownerWaits reports whether the target was deleted with foreground deletion and waits for a dependent that a finalizer
// holds: the sentence that sums up doesn't say that one owns the other.
func (p *path) ownerWaits(diagnosis *result.Diagnosis) bool {
	foreground := func(edge graph.Edge) bool {
		return edge.From == 0 && edge.Hold != nil && edge.Hold.Name == metav1.FinalizerDeleteDependents
	}
	return slices.ContainsFunc(p.graph.Edges, foreground) && slices.ContainsFunc(diagnosis.RootCauses,
		func(cause result.RootCause) bool { return cause.Finalizer != "" && cause.Object != diagnosis.Target })
}

// write writes a node, and in a column what is said of it.
func (p *path) write(w *writer, line treeLine, column int) {
	const indent = "  "
	text := p.text(line)
	note, isCause := p.note(line.alike[0].node)
	if line.again {
		note, isCause = "see above", false
	}
	paint := w.style.waitingText
	if isCause {
		paint = w.style.causeText
	}
	gap := strings.Repeat(" ", max(0, column-displayWidth(text))+2)
	switch {
	case note == "":
		w.line(indent, text)
	case w.page != nil || displayWidth(indent+text+gap+note) <= w.style.width():
		w.line(indent, text, gap, paint(note))
	default:
		writeNote(w, indent+text, gap, indent+line.below+"  ", note, paint)
	}
}

// writeNote writes a long note in the column of the others, or, where that leaves no room for its words, right beside
// its node, or below.
func writeNote(w *writer, node, gap, below, note string, paint func(string) string) {
	lead := node + gap
	fits := func() bool {
		room := w.style.width() - displayWidth(lead)
		return !slices.ContainsFunc(strings.Fields(note), func(word string) bool { return displayWidth(word) > room })
	}
	if !fits() {
		lead = node + "  "
	}
	if !fits() {
		w.line(node)
		w.paragraph(below, note, paint)
		return
	}
	room := w.style.width() - displayWidth(lead)
	for _, line := range wrap(note, room) {
		w.line(lead, paint(line))
		lead = below + strings.Repeat(" ", displayWidth(lead)-displayWidth(below))
	}
}

type path struct {
	unfolding
	graph   result.Graph
	reasons map[finding.Ref][]string
	moving  map[finding.Ref]bool // what is in progress there is not written elsewhere
	going   map[finding.Ref]bool // something is in progress there
}

func newPath(diagnosis *result.Diagnosis, over func() bool) *path {
	p := &path{graph: diagnosis.Graph, reasons: map[finding.Ref][]string{}, moving: map[finding.Ref]bool{},
		going: map[finding.Ref]bool{}}
	p.unfolding = newUnfolding(len(p.graph.Nodes), 1, p.looks, over)
	known := map[[2]int]bool{}
	for _, edge := range p.graph.Edges {
		if ends := [2]int{edge.From, edge.To}; edge.Type == finding.WaitsFor && !known[ends] {
			known[ends] = true
			p.children[edge.From] = append(p.children[edge.From], child{node: edge.To})
		}
	}
	for _, cause := range diagnosis.RootCauses {
		for _, ref := range causeObjects(cause) {
			p.reasons[ref] = append(p.reasons[ref], string(cause.Reason))
		}
	}
	for _, observation := range diagnosis.Observations {
		if awaited, is := observation.Details.(finding.AwaitedCauseDetails); is {
			p.reasons[awaited.Cause.Object] = append(p.reasons[awaited.Cause.Object], string(awaited.Reason))
		}
		p.going[observation.Object] = p.going[observation.Object] || observation.Verdict == result.Progressing
		if movesElsewhere(diagnosis, observation) {
			p.moving[observation.Object] = true
		}
	}
	return p
}

const stopping = "being stopped"

// stop is what holds a pod whose containers may still run: in its grace period, and after it.
func (p *path) stop(pod finding.Ref) string {
	if p.going[pod] {
		return stopping
	}
	return "stop not confirmed"
}

func (p *path) text(line treeLine) string {
	node := p.graph.Nodes[line.alike[0].node]
	if count := len(line.alike); count > 1 {
		return fmt.Sprintf("%s%d × %s", line.branch, count, node.Kind) + p.abroad(node.Ref)
	}
	return line.branch + node.String() + p.abroad(node.Ref)
}

// abroad says in which cluster an object is, if that isn't the target's.
func (p *path) abroad(ref finding.Ref) string {
	if len(p.graph.Nodes) == 0 {
		return ""
	}
	return abroad(ref, p.graph.Nodes[0].Ref)
}

// abroad says in which cluster an object is, if another one is in another cluster.
func abroad(ref, from finding.Ref) string {
	if ref.Cluster == "" || ref.Cluster == from.Cluster {
		return ""
	}
	return ", in cluster " + ref.Cluster
}

// note says what holds a node, that this is in progress, or which root cause it is.
func (p *path) note(number int) (note string, isCause bool) {
	var words []string
	node := p.graph.Nodes[number]
	for _, hold := range node.Holds {
		switch {
		case !node.Terminating:
		case hold.Type == finding.GracePeriod:
			words = append(words, p.stop(node.Ref))
		default:
			words = append(words, holdName(hold))
		}
	}
	if number != 0 && !node.Terminating && len(p.reasons[node.Ref]) == 0 {
		words = append(words, "not being deleted")
	}
	if p.moving[node.Ref] && node.Terminating && len(p.children[number]) == 0 && !slices.Contains(words, stopping) {
		words = append(words, "in progress")
	}
	note, reason := strings.Join(words, ", "), p.reason(number)
	if note != "" && reason != "" {
		return fmt.Sprintf("%s (%s)", note, reason), true
	}
	return note + reason, reason != ""
}

// reason says which root causes a node is, if any.
func (p *path) reason(number int) string {
	reasons := p.reasons[p.graph.Nodes[number].Ref]
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(reasons))), ", ")
}

// looks is the same for nodes that need not be told apart: of one kind, held alike, waiting for the same.
func (p *path) looks(one child) string {
	node := p.graph.Nodes[one.node]
	note, _ := p.note(one.node)
	waits := finding.Each(p.children[one.node], func(below child) string { return fmt.Sprint(below.node) })
	return fmt.Sprintf("%q %q %q %q %q %s %t", node.Cluster, node.APIVersion,
		node.Kind, node.Namespace, note, waits, p.drawn[one.node])
}
