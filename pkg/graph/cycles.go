package graph

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Cycles returns the deadlocks: the sets of nodes in which each waits for every other, directly or not, and the nodes
// that wait for themselves. No member of these sets is ever removed without help. A wait for something that another
// object does is not one of these, because it can do that before it is removed. Neither is a pod's grace period, which
// its kubelet ends. Sets and members are sorted by number.
func (g *Graph) Cycles() [][]int {
	count := len(g.nodes)
	t := tarjan{graph: g, index: make([]int, count), low: make([]int, count), onStack: make([]bool, count)}
	for node := range g.nodes {
		if t.index[node] == 0 {
			t.visit(node)
		}
	}
	slices.SortFunc(t.found, func(a, b []int) int { return a[0] - b[0] })
	return t.found
}

// tarjan finds strongly connected components in one depth-first walk. An index of 0 is a node that was not visited yet.
type tarjan struct {
	graph      *Graph
	next       int
	index, low []int
	stack      []int
	onStack    []bool
	found      [][]int
}

func (t *tarjan) visit(node int) {
	t.next++
	t.index[node], t.low[node] = t.next, t.next
	t.stack = append(t.stack, node)
	t.onStack[node] = true
	waitsForItself := false
	for _, edge := range t.graph.WaitsOf(node) {
		if edge.ForAnswer || edge.Hold != nil && edge.Hold.Type == finding.GracePeriod {
			continue
		}
		waitsForItself = waitsForItself || edge.To == node
		if t.index[edge.To] == 0 {
			t.visit(edge.To)
			t.low[node] = min(t.low[node], t.low[edge.To])
		} else if t.onStack[edge.To] {
			t.low[node] = min(t.low[node], t.index[edge.To])
		}
	}
	if t.low[node] < t.index[node] {
		return // it belongs to a node that was visited before
	}
	start := slices.Index(t.stack, node)
	component := slices.Clone(t.stack[start:])
	t.stack = t.stack[:start]
	for _, member := range component {
		t.onStack[member] = false
	}
	if len(component) > 1 || waitsForItself {
		slices.Sort(component)
		t.found = append(t.found, component)
	}
}
