package graph

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Cycles returns the deadlocks: the sets of nodes in which each waits for every other, directly or not, and the nodes
// that wait for themselves. No member of these sets is ever removed without help. A wait for something that another
// object does is not one of these, because it can do that before it is removed. Neither is a pod's grace period, which
// its kubelet ends. Sets and members are sorted by number. If ctx ends meanwhile, there are only the ones that were
// found by then.
func (g *Graph) Cycles(ctx context.Context) [][]int {
	cycles, _ := g.components(ctx, func(edge Edge) bool {
		return !edge.ForAnswer && (edge.Hold == nil || edge.Hold.Type != finding.GracePeriod)
	}, func(members []int, waitsForItself bool) bool { return len(members) > 1 || waitsForItself })
	slices.SortFunc(cycles, func(a, b []int) int { return a[0] - b[0] })
	return cycles
}

// Parts returns for each node the number of its part: the nodes that wait for one another along some waits have one
// part, and so each of them reaches the same nodes. A part has a higher number than all parts that it waits for. If ctx
// ends meanwhile, there are none.
func (g *Graph) Parts(ctx context.Context, along func(Edge) bool) []int {
	all, complete := g.components(ctx, along, func([]int, bool) bool { return true })
	if !complete {
		return nil
	}
	parts := make([]int, len(g.nodes))
	for number, members := range all {
		for _, member := range members {
			parts[member] = number
		}
	}
	return parts
}

// components returns the strongly connected components along some waits that are wanted, with sorted members, and
// whether these are all of them.
func (g *Graph) components(
	ctx context.Context, along func(Edge) bool, wanted func(members []int, waitsForItself bool) bool,
) (found [][]int, complete bool) {
	count := len(g.nodes)
	t := tarjan{
		ctx: ctx, graph: g, along: along, wanted: wanted,
		index: make([]int, count), low: make([]int, count), onStack: make([]bool, count),
	}
	for node := range g.nodes {
		if t.index[node] == 0 {
			t.visit(node)
		}
	}
	return t.found, ctx.Err() == nil
}

// tarjan finds strongly connected components in one depth-first walk. An index of 0 is a node that was not visited yet.
type tarjan struct {
	ctx        context.Context
	graph      *Graph
	along      func(Edge) bool
	wanted     func(members []int, waitsForItself bool) bool
	next       int
	index, low []int
	stack      []int
	onStack    []bool
	found      [][]int
}

func (t *tarjan) visit(node int) {
	if t.ctx.Err() != nil {
		return
	}
	t.next++
	t.index[node], t.low[node] = t.next, t.next
	t.stack = append(t.stack, node)
	t.onStack[node] = true
	waitsForItself := false
	for _, number := range t.graph.waits[node] {
		edge := t.graph.edges[number]
		if !t.along(edge) {
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
	if t.low[node] < t.index[node] || t.ctx.Err() != nil {
		return // it belongs to a node that was visited before
	}
	start := len(t.stack) - 1
	for t.stack[start] != node { // it is above all that belongs to others
		start--
	}
	component := slices.Clone(t.stack[start:])
	t.stack = t.stack[:start]
	for _, member := range component {
		t.onStack[member] = false
	}
	slices.Sort(component)
	if t.wanted(component, waitsForItself) {
		t.found = append(t.found, component)
	}
}
