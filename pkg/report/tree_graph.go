package report

import (
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
