// Package graph holds the blocking graph: objects, what holds them, and which waits for which. It knows no cluster.
//
// This package may change at any time.
package graph

import (
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Node is one object of the graph.
type Node struct {
	finding.Ref
	Terminating bool           `json:"terminating"`
	Holds       []finding.Hold `json:"holds,omitempty"`
}

// Edge joins two nodes, given by their numbers.
type Edge struct {
	From int              `json:"from"`
	To   int              `json:"to"`
	Type finding.EdgeType `json:"type"`
	Hold *finding.Hold    `json:"hold,omitempty"` // of From, for WaitsFor
	// ForAnswer says that From waits for something that To does, and not until To is removed.
	ForAnswer bool `json:"-"`
	// Certainty is Likely where what binds the two tells that From waits for To, and empty where Kubernetes' own rules
	// do.
	Certainty finding.Certainty  `json:"certainty,omitempty"`
	Evidence  []finding.Evidence `json:"evidence,omitempty"` // of what binds the two
}

// Sure reports whether an edge is certain, and not only likely.
func (e Edge) Sure() bool { return e.Certainty == "" || e.Certainty == finding.Proven }

// Graph is the blocking graph. The zero value is empty and ready for use.
type Graph struct {
	nodes   []Node
	edges   []Edge
	waits   [][]int // per node, the edges of type WaitsFor that leave it
	waiting [][]int // per node, the nodes that these come from
	byUID   map[identity]int
	places  map[finding.Ref]int
	known   map[edgeKey]int
}

// identity is a uid in a cluster: one that was restored from another may have the same uids.
type identity struct{ uid, cluster string }

type edgeKey struct {
	from, to int
	kind     finding.EdgeType
	hold     finding.Hold
}

// Add returns the number of the node for ref, which it adds if it isn't there. A node without a uid takes the uid of a
// reference to the same place; two different uids are two objects, even under one name.
func (g *Graph) Add(ref finding.Ref) int {
	if number, known := g.find(ref); known {
		if g.nodes[number].UID == "" && ref.UID != "" {
			g.nodes[number].UID = ref.UID
			g.byUID[identity{ref.UID, ref.Cluster}] = number
		}
		return number
	}
	if g.byUID == nil {
		g.byUID, g.places = map[identity]int{}, map[finding.Ref]int{}
	}
	number := len(g.nodes)
	g.nodes = append(g.nodes, Node{Ref: ref})
	g.waits, g.waiting = append(g.waits, nil), append(g.waiting, nil)
	g.places[ref.Place()] = number
	if ref.UID != "" {
		g.byUID[identity{ref.UID, ref.Cluster}] = number
	}
	return number
}

func (g *Graph) find(ref finding.Ref) (int, bool) {
	if ref.UID != "" {
		if number, known := g.byUID[identity{ref.UID, ref.Cluster}]; known {
			return number, true
		}
	}
	number, known := g.places[ref.Place()]
	if known && ref.UID != "" && g.nodes[number].UID != "" {
		return 0, false
	}
	return number, known
}

// Describe records what was read of a node.
func (g *Graph) Describe(node int, terminating bool, holds []finding.Hold) {
	g.nodes[node].Terminating, g.nodes[node].Holds = terminating, holds
}

// Link adds an edge unless the same one is there already. A wait for something to go outweighs one for its answer, and
// one that is sure one that is likely.
func (g *Graph) Link(edge Edge) {
	key := edgeKey{from: edge.From, to: edge.To, kind: edge.Type}
	if edge.Hold != nil {
		key.hold = *edge.Hold
	}
	if number, known := g.known[key]; known {
		known := &g.edges[number]
		known.ForAnswer = known.ForAnswer && edge.ForAnswer
		if edge.Sure() {
			known.Certainty, known.Evidence = edge.Certainty, nil
		}
		return
	}
	if g.known == nil {
		g.known = map[edgeKey]int{}
	}
	g.known[key] = len(g.edges)
	if edge.Type == finding.WaitsFor {
		g.waits[edge.From] = append(g.waits[edge.From], len(g.edges))
		g.waiting[edge.To] = append(g.waiting[edge.To], edge.From)
	}
	g.edges = append(g.edges, edge)
}

// Clone returns a graph that can be changed without changing this one.
func (g *Graph) Clone() Graph {
	copied := func(of [][]int) [][]int { return finding.Each(of, slices.Clone[[]int]) }
	return Graph{
		nodes: slices.Clone(g.nodes), edges: slices.Clone(g.edges), waits: copied(g.waits), waiting: copied(g.waiting),
		byUID: maps.Clone(g.byUID), places: maps.Clone(g.places), known: maps.Clone(g.known),
	}
}

// Nodes returns the nodes; a node's number is its index.
func (g *Graph) Nodes() []Node { return g.nodes }

// Numbers returns the numbers of all nodes.
func (g *Graph) Numbers() []int {
	numbers := make([]int, len(g.nodes))
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// Edges returns the edges in the order in which they were added.
func (g *Graph) Edges() []Edge { return g.edges }

// WaitsOf returns the edges of type WaitsFor that leave a node.
func (g *Graph) WaitsOf(node int) []Edge {
	edges := make([]Edge, 0, len(g.waits[node]))
	for _, number := range g.waits[node] {
		edges = append(edges, g.edges[number])
	}
	return edges
}

// Path returns the shortest chain of waits from one node to another, both included; nil if there is none.
func (g *Graph) Path(from, to int) []int {
	before := make([]int, len(g.nodes)) // the node that leads to each, and 1, so that 0 is none
	before[from] = from + 1
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			path := []int{to}
			for at := to; at != from; at = before[at] - 1 {
				path = append(path, before[at]-1)
			}
			slices.Reverse(path)
			return path
		}
		for _, number := range g.waits[queue[0]] {
			if next := g.edges[number].To; before[next] == 0 {
				before[next] = queue[0] + 1
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// Reach returns every node that a node waits for, directly or not, itself included.
// They are sorted.
func (g *Graph) Reach(from int) (nodes []int) {
	for node, reached := range g.reach(from, func(Edge) bool { return true }) {
		if reached {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// ReachSurely is Reach without waits that are only likely. It says of each node whether it is among these.
func (g *Graph) ReachSurely(from int) []bool { return g.reach(from, Edge.Sure) }

func (g *Graph) reach(from int, along func(Edge) bool) []bool {
	reached := make([]bool, len(g.nodes))
	reached[from] = true
	for stack := []int{from}; len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, number := range g.waits[node] {
			if edge := &g.edges[number]; !reached[edge.To] && along(*edge) {
				reached[edge.To] = true
				stack = append(stack, edge.To)
			}
		}
	}
	return reached
}

// ReachedBy says of each node whether it waits for one of some nodes, directly or not, or is one. It adds that to what
// it has said of other nodes.
func (g *Graph) ReachedBy(goals []int, others []bool) []bool {
	reach := append(others, make([]bool, len(g.nodes)-len(others))...)
	for stack := slices.Clone(goals); len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !reach[node] {
			reach[node] = true
			stack = append(stack, g.waiting[node]...)
		}
	}
	return reach
}
