package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// box is an object, or several that look alike, with what is known about it.
type box struct {
	ID                  string
	X, Y, Width, Height int
	Class               string
	Lines               []boxLine
	Name                string // in full
	Says                string // what the lines say, in full
	Blocks              []*block
	First               bool // whose details are shown at first
}

type boxLine struct {
	Y           int
	Class, Text string
}

func (s *scene) box(id string, group []int, style Style) box {
	node := s.Nodes[group[0]]
	one := box{ID: id, Width: boxWidth, Class: lookNames[nodeLook(node)], Name: node.String()}
	first, second := node.Kind, node.Name
	if node.Namespace != "" {
		first += " in " + node.Namespace
	}
	if len(group) > 1 {
		one.Name = fmt.Sprintf("%d × %s: %s, …", len(group), node.Kind, node.Path())
		second = fmt.Sprintf("%d × %s, …", len(group), node.Name)
	}
	one.line("kind", first)
	one.line("name", second)
	for _, text := range nodeLines(node)[1:] {
		class := "state"
		if slices.Contains(node.Reasons, finding.Reason(text)) {
			class = "reason"
		}
		one.line(class, text)
	}
	one.Height = len(one.Lines)*lineHeight + 2*boxMargin - 2
	one.Says = strings.Join(append([]string{one.Name}, nodeLines(node)[1:]...), "; ")
	one.Blocks = blocksOf(style, func(w *writer) { s.about(w, group) })
	return one
}

func (b *box) line(class, text string) {
	if letters := []rune(text); len(letters) > boxLetters { // both ends tell
		half := (boxLetters - 1) / 2
		text = string(letters[:half]) + "…" + string(letters[len(letters)-half:])
	}
	b.Lines = append(b.Lines, boxLine{Y: boxMargin + 12 + len(b.Lines)*lineHeight, Class: class, Text: text})
}

// about tells all about some nodes that are alike: how they stand, the causes and what is open, with evidence and
// commands, and with what they are joined.
func (s *scene) about(w *writer, group []int) {
	const few = 50
	r := newRenderer(w)
	node := s.Nodes[group[0]]
	for _, text := range nodeLines(node)[1 : len(nodeLines(node))-len(node.Reasons)] {
		w.item(text, nil)
	}
	w.items("", s.neighbours(group[0]))
	if len(group) > 1 {
		names := finding.Each(group, func(i int) string { return s.Nodes[i].Path() })
		w.item(finding.Listed(few, names), nil)
	}
	for _, cause := range s.RootCauses {
		if slices.Contains(causeObjects(cause), node.Ref) {
			r.said.causeHeading("", 1, cause, "")
			r.said.evidence(cause.Evidence, mostEvidence)
			r.advice.steps(cause.Remedies, cause)
		}
	}
	for _, observation := range s.observations {
		if observation.Object == node.Ref {
			r.said.message(observation.Message, observation.InShort)
			r.said.evidence(observation.Evidence, mostEvidence)
			r.advice.steps(observation.Remedies, result.RootCause{})
		}
	}
	for _, edge := range s.Edges {
		if edge.From == group[0] {
			r.said.evidence(edge.Evidence, mostEvidence)
		}
	}
	if ask := s.asks[node.Ref]; len(ask) > 0 {
		w.labelledCommands(labelBlock, "  More: ", ask)
	} else if len(s.Ask) > 0 && s.Target != nil && node.Ref == *s.Target {
		w.labelledCommands(labelBlock, "  More: ", s.Ask)
	}
}

// neighbours says with what a node is joined.
func (s *scene) neighbours(node int) (all []string) {
	waits := s.waits(func(node int) int { return node })
	for _, edge := range s.Edges {
		if edgeLook(edge) == containsLook && waits[[2]int{edge.From, edge.To}] {
			continue
		}
		if edge.From == node {
			all = append(all, "→ "+s.Nodes[edge.To].String()+" ("+edgeLabel(edge)+")")
		}
		if edge.To == node {
			all = append(all, "← "+s.Nodes[edge.From].String()+" ("+edgeLabel(edge)+")")
		}
	}
	return all
}

// targetNode is the target, or else the first.
func (s *scene) targetNode() int {
	return max(0,
		slices.IndexFunc(s.Nodes, func(node result.TreeNode) bool { return s.Target != nil && node.Ref == *s.Target }))
}
