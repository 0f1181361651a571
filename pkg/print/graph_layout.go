package print

import (
	"cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"slices"
)

// placed is where a layout puts a node: in which column, counted from where nothing comes before, and how far down its
// middle is.
type placed struct {
	column int
	middle float64
}

// layout places the nodes of a graph in columns so that most edges lead to a column further right, and lie short and
// apart. heights are the nodes', gap what is left between them. via are the points by which each edge passes columns in
// between; edges that close a circle have none.
func layout(heights []float64, edges [][2]int, gap float64) (nodes []placed, via [][]placed) {
	l := &layouter{heights: slices.Clone(heights), gap: gap}
	columns := layersOf(len(heights), edges)
	for _, column := range columns {
		l.add(column)
	}
	chains := make([][]int, len(edges))
	for i, edge := range edges {
		last := edge[0]
		for column := columns[edge[0]] + 1; column < columns[edge[1]]; column++ {
			l.heights = append(l.heights, 0) // an edge needs room where it passes
			next := l.add(column)
			l.join(last, next)
			chains[i], last = append(chains[i], next), next
		}
		if columns[edge[0]] != columns[edge[1]] {
			l.join(last, edge[1])
		}
	}
	l.arrange()
	via = make([][]placed, len(edges))
	for i, chain := range chains {
		via[i] = finding.Each(chain, func(node int) placed { return l.nodes[node] })
	}
	return l.nodes[:len(heights)], via
}

// layersOf is the length of the longest way to each node, without edges that close a circle.
func layersOf(nodes int, edges [][2]int) []int {
	const open, done = 1, 2
	next, state := make([][]int, nodes), make([]int, nodes)
	for _, edge := range edges {
		next[edge[0]] = append(next[edge[0]], edge[1])
	}
	var order []int // the last first
	forward := make([][]int, nodes)
	var visit func(node int)
	visit = func(node int) {
		state[node] = open
		for _, other := range next[node] {
			if state[other] != open {
				forward[node] = append(forward[node], other)
			}
			if state[other] == 0 {
				visit(other)
			}
		}
		state[node], order = done, append(order, node)
	}
	for node := range nodes {
		if state[node] == 0 {
			visit(node)
		}
	}
	columns := make([]int, nodes)
	for _, node := range slices.Backward(order) {
		for _, other := range forward[node] {
			columns[other] = max(columns[other], columns[node]+1)
		}
	}
	return columns
}

type layouter struct {
	heights []float64
	gap     float64
	nodes   []placed
	columns [][]int // the nodes in each, from the top
	joined  [][]int // with which nodes each is joined
}

func (l *layouter) add(column int) (node int) {
	node = len(l.nodes)
	l.nodes, l.joined = append(l.nodes, placed{column: column}), append(l.joined, nil)
	for len(l.columns) <= column {
		l.columns = append(l.columns, nil)
	}
	l.columns[column] = append(l.columns[column], node)
	return node
}

func (l *layouter) join(a, b int) {
	l.joined[a], l.joined[b] = append(l.joined[a], b), append(l.joined[b], a)
}

// arrange sorts each column by where its neighbours are, back and forth until that settles, and puts nodes beside them.
func (l *layouter) arrange() {
	const rounds = 8
	for _, column := range l.columns {
		l.stack(column, func(int) float64 { return 0 })
	}
	for round := range rounds {
		columns := slices.Clone(l.columns)
		if round%2 == 1 {
			slices.Reverse(columns)
		}
		for _, column := range columns {
			slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(l.wanted(a), l.wanted(b)) })
			l.stack(column, l.wanted)
		}
	}
	top := 0.0
	for node, at := range l.nodes {
		top = min(top, at.middle-l.heights[node]/2)
	}
	for node := range l.nodes {
		l.nodes[node].middle -= top
	}
}

// wanted is the middle of a node's neighbours.
func (l *layouter) wanted(node int) float64 {
	if len(l.joined[node]) == 0 {
		return l.nodes[node].middle
	}
	sum := 0.0
	for _, other := range l.joined[node] {
		sum += l.nodes[other].middle
	}
	return sum / float64(len(l.joined[node]))
}

// stack places the nodes of a column where they want to be, below each other, and moves all by what is left to want.
func (l *layouter) stack(column []int, wanted func(node int) float64) {
	want := finding.Each(column, wanted)
	below, off := 0.0, 0.0
	for i, node := range column {
		half := l.heights[node] / 2
		middle := want[i]
		if i > 0 {
			middle = max(middle, below+half)
		}
		l.nodes[node].middle = middle
		below, off = middle+half+l.gap, off+middle-want[i]
	}
	for _, node := range column {
		l.nodes[node].middle -= off / float64(len(column))
	}
}
