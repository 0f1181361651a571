package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// drawing unfolds a tree's graph into lines.
type drawing struct {
	tree     *Tree
	style    Style
	children [][]child
	drawn    map[int]bool
	lines    []treeLine
}

// child is a node below another.
type child struct {
	node int
	edge TreeEdge
	hold string // which waits for it, where it isn't owned
	// blocked says that the node above waits for it.
	blocked bool
}

type treeLine struct {
	branch string
	nodes  []int // the first, and those that are drawn with it
	child  child
	again  bool // it was drawn above
}

func newDrawing(tree *Tree, style Style) *drawing {
	d := &drawing{tree: tree, style: style, children: make([][]child, len(tree.Nodes)), drawn: map[int]bool{}}
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
	for node := range d.children {
		slices.SortStableFunc(d.children[node], func(a, b child) int { return finding.Compare(tree.Nodes[a.node].Ref, tree.Nodes[b.node].Ref) })
	}
	return d
}

// wait marks the branch to what a node waits for, or adds one.
func (d *drawing) wait(edge TreeEdge) {
	for i := range d.children[edge.From] {
		if d.children[edge.From][i].node == edge.To {
			d.children[edge.From][i].blocked = true
			return
		}
	}
	hold := ""
	if edge.Hold != nil {
		hold = holdName(*edge.Hold)
	}
	d.children[edge.From] = append(d.children[edge.From], child{node: edge.To, edge: edge, hold: hold, blocked: true})
}

// draw starts at what nothing is above of, and then at what is left: circles.
func (d *drawing) draw() {
	below := map[int]bool{}
	for from, children := range d.children {
		for _, one := range children {
			below[one.node] = below[one.node] || one.node != from
		}
	}
	var tops, rest []int
	for node := range d.tree.Nodes {
		if below[node] {
			rest = append(rest, node)
		} else {
			tops = append(tops, node)
		}
	}
	byName := func(a, b int) int { return finding.Compare(d.tree.Nodes[a].Ref, d.tree.Nodes[b].Ref) }
	slices.SortFunc(tops, byName)
	slices.SortFunc(rest, byName)
	var roots []child
	for _, node := range tops {
		roots = append(roots, child{node: node})
	}
	for _, group := range d.groups(roots) {
		d.visit(nodesOf(group), group[0], "", "")
	}
	for _, node := range rest {
		if !d.drawn[node] {
			d.visit([]int{node}, child{node: node}, "", "")
		}
	}
}

func nodesOf(children []child) []int {
	nodes := make([]int, len(children))
	for i, one := range children {
		nodes[i] = one.node
	}
	return nodes
}

func (d *drawing) visit(alike []int, from child, branch, below string) {
	node := alike[0]
	again := d.drawn[node] && len(d.children[node]) > 0
	d.lines = append(d.lines, treeLine{branch: branch, nodes: alike, child: from, again: again})
	if again {
		return
	}
	for _, same := range alike {
		d.drawn[same] = true
	}
	groups := d.groups(d.children[node])
	for i, group := range groups {
		branch, next := "├─ ", "│  "
		if i == len(groups)-1 {
			branch, next = "└─ ", "   "
		}
		if group[0].blocked {
			branch = strings.NewReplacer("├─", "╞═", "└─", "╘═").Replace(branch)
		}
		d.visit(nodesOf(group), group[0], below+branch, below+next)
	}
}

// fewAlike is how many objects that look alike are still drawn one by one.
const fewAlike = 3

// groups joins what stands side by side, looks alike and has nothing below it. The object that was asked about
// stands alone.
func (d *drawing) groups(children []child) [][]child {
	var groups [][]child
	at := map[string]int{}
	for _, one := range children {
		looks := fmt.Sprintf("%d", one.node)
		node := d.tree.Nodes[one.node]
		if isTarget := d.tree.Target != nil && node.Ref == *d.tree.Target; !isTarget && !d.style.Wide && d.isLeaf(one.node) {
			looks = strings.Join([]string{node.APIVersion, node.Kind, node.Namespace, node.Ready, node.Status, finalizersOf(node), fmt.Sprint(node.Reasons, node.Labels, one.blocked, one.edge.Reference, one.hold, node.Terminating)}, "\x00")
		}
		if number, known := at[looks]; known {
			groups[number] = append(groups[number], one)
			continue
		}
		at[looks] = len(groups)
		groups = append(groups, []child{one})
	}
	var drawn [][]child
	for _, group := range groups {
		if len(group) > fewAlike {
			drawn = append(drawn, group)
			continue
		}
		for _, one := range group {
			drawn = append(drawn, []child{one})
		}
	}
	return drawn
}

// isLeaf tells whether nothing, or only what is drawn already, is below a node.
func (d *drawing) isLeaf(node int) bool {
	return !slices.ContainsFunc(d.children[node], func(one child) bool { return !d.drawn[one.node] })
}
