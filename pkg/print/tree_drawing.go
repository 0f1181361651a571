package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

type drawing struct {
	unfolding
	tree  *result.Tree
	style Style
	folds bool // it draws lines beneath each object
}

// mostIndented is how many levels of a drawing are indented. Below these, each line has the number of its level
// instead: a chain of thousands would be wider than long.
const mostIndented = 16

// fewAlike is how many objects that look alike are still drawn one by one.
const fewAlike = 3

func newDrawing(tree *result.Tree, style Style, over func() bool) *drawing {
	d := &drawing{tree: tree, style: style}
	d.unfolding = newUnfolding(len(tree.Nodes), fewAlike, d.looks, over)
	for _, edge := range tree.Edges {
		if edge.Type == finding.Owns {
			d.children[edge.From] = append(d.children[edge.From], child{node: edge.To, edge: edge})
		}
	}
	for _, edge := range tree.Edges {
		if edge.Type == finding.WaitsFor {
			d.wait(edge)
		}
	}
	for _, children := range d.children {
		slices.SortStableFunc(children, d.byName)
	}
	d.drawAll()
	return d
}

func (d *drawing) wait(edge result.TreeEdge) {
	children := d.children[edge.From]
	if at := slices.IndexFunc(children, func(one child) bool { return one.node == edge.To }); at >= 0 {
		children[at].blocked = true
		return
	}
	blocks := ""
	switch {
	case edge.Hold == nil:
	case edge.Hold.Type == finding.GracePeriod:
		blocks = "must confirm the stop"
	case edge.Hold.OfContent():
		blocks = "blocks the namespace"
	default:
		blocks = "blocks " + holdName(*edge.Hold)
	}
	d.children[edge.From] = append(children, child{node: edge.To, edge: edge, blocks: blocks, blocked: true})
}

func (d *drawing) byName(a, b child) int {
	return finding.Compare(d.tree.Nodes[a.node].Ref, d.tree.Nodes[b.node].Ref)
}

// drawAll starts at what nothing is above of, the target first, and then at what is left: circles.
func (d *drawing) drawAll() {
	below := map[int]bool{}
	for from, children := range d.children {
		for _, one := range children {
			below[one.node] = below[one.node] || one.node != from
		}
	}
	var all []child
	for node := range d.tree.Nodes {
		all = append(all, child{node: node})
	}
	other := func(one child) int {
		if d.tree.Target != nil && d.tree.Nodes[one.node].Ref == *d.tree.Target {
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b child) int { return cmp.Or(other(a)-other(b), d.byName(a, b)) })
	d.draw(slices.DeleteFunc(slices.Clone(all), func(one child) bool { return below[one.node] }))
	for _, one := range all {
		if !d.drawn[one.node] {
			d.draw([]child{one})
		}
	}
}

// looks is equal for what looks alike and has the same objects below it, or none: pods on one Node. The object that was
// asked about is alone.
func (d *drawing) looks(one child) string {
	node := d.tree.Nodes[one.node]
	if d.style.Wide || d.tree.Target != nil && node.Ref == *d.tree.Target {
		return fmt.Sprint(one.node)
	}
	var below []string
	for _, under := range d.children[one.node] {
		if !d.drawn[under.node] {
			below = append(below, fmt.Sprint(under.node, under.blocks, under.blocked))
		}
	}
	return fmt.Sprintf("%#v", []any{
		node.APIVersion, node.Kind, node.Namespace, node.Ready, node.Status, finalizersOf(node), node.Reasons, node.Labels,
		node.Misses,
		one.blocked, one.edge.Reference, one.blocks, node.Terminating, below,
	})
}

// unfolding unfolds a graph into the lines of a drawn tree. A node that was drawn is not drawn again, but named.
type unfolding struct {
	children [][]child // of each node
	// looks is equal for children that need not be told apart; more than few of them are drawn as one line.
	looks func(child) string
	few   int

	drawn map[int]bool
	lines []treeLine
	over  func() bool // reports whether nothing more can be written
	deep  bool        // it has levels that are not indented
}

func newUnfolding(nodes, few int, looks func(child) string, over func() bool) unfolding {
	return unfolding{children: make([][]child, nodes), few: few, looks: looks, drawn: map[int]bool{}, over: over}
}

type child struct {
	node   int
	edge   result.TreeEdge
	blocks string // what it does to what waits for it, where that does not own it
	// blocked says that the node above waits for it: its branch is doubled.
	blocked bool
}

// treeLine is one line of a drawing.
type treeLine struct {
	alike  []child // that the line is for; the first speaks for all
	branch string  // what leads to it
	below  string  // the branches that continue beneath it
	parent bool    // more is drawn below it
	again  bool    // it was drawn above, with what is below it
}

func (l treeLine) beneath() string {
	if l.parent {
		return l.below + "│   "
	}
	return l.below + "    "
}

// pendingLine is a line that is still to be drawn.
type pendingLine struct {
	alike []child
	level int
	lead  string // what joins it to the line of what is above
	above string // the branches that continue beneath that
	next  string // how they continue beneath this one
}

// draw draws roots, and all that is below them, from top to bottom.
func (u *unfolding) draw(roots []child) {
	var stack []pendingLine
	push := func(lines []pendingLine) {
		slices.Reverse(lines)
		stack = append(stack, lines...)
	}
	push(finding.Each(u.groups(roots), func(group []child) pendingLine { return pendingLine{alike: group} }))
	for len(stack) > 0 && (u.over == nil || !u.over()) {
		line := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		push(u.drawOne(line))
	}
}

// drawOne draws a line, and returns the ones below it.
func (u *unfolding) drawOne(one pendingLine) (below []pendingLine) {
	node := one.alike[0].node
	line := treeLine{alike: one.alike, again: u.drawn[node] && len(u.children[node]) > 0}
	line.branch, line.below = one.above+one.lead, one.above+one.next
	if one.level > mostIndented {
		level := fmt.Sprintf("[%d] ", one.level)
		u.deep, line.branch, line.below = true, level+one.lead, strings.Repeat(" ", len(level))+one.next
	}
	var groups [][]child
	if !line.again {
		for _, same := range one.alike {
			u.drawn[same.node] = true
		}
		groups = u.groups(u.children[node])
	}
	line.parent = len(groups) > 0
	u.lines = append(u.lines, line)
	for i, group := range groups {
		next := pendingLine{alike: group, level: one.level + 1, above: line.below, lead: "├─ ", next: "│  "}
		switch last, blocked := i == len(groups)-1, group[0].blocked; {
		case last && blocked:
			next.lead, next.next = "╘═ ", "   "
		case last:
			next.lead, next.next = "└─ ", "   "
		case blocked:
			next.lead = "╞═ "
		}
		below = append(below, next)
	}
	return below
}

// groups joins children that look alike, where they are more than a few.
func (u *unfolding) groups(children []child) (groups [][]child) {
	for _, group := range groupBy(children, u.looks) {
		if len(group) > u.few {
			groups = append(groups, group)
		} else {
			groups = slices.AppendSeq(groups, slices.Chunk(group, 1))
		}
	}
	return groups
}
