package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// FuzzGraph makes graphs of waits, an edge of two bytes, and holds circles and paths to what reaches what.
func FuzzGraph(f *testing.F) {
	for _, edges := range []string{"", "ab", "aa", "abba", "abbcca", "abbccaadde", "abacbdcddedf", "abbccddeeffaxyyx"} {
		f.Add([]byte(edges))
	}
	f.Fuzz(func(t *testing.T, edges []byte) {
		g := &graph.Graph{}
		node := func(one byte) int { return g.Add(finding.Ref{Kind: "Pod", Name: fmt.Sprint(one % 32)}) }
		for i := 0; i+1 < min(len(edges), 400); i += 2 {
			edge := graph.Edge{From: node(edges[i]), To: node(edges[i+1]), Type: finding.WaitsFor}
			if edges[i] > 127 {
				edge.Certainty = finding.Likely
			}
			g.Link(edge)
		}
		circles := map[int]int{} // the circle of each node that is in one
		for number, members := range g.Cycles(t.Context()) {
			for _, member := range members {
				if _, twice := circles[member]; twice {
					t.Errorf("node %d is in two circles", member)
				}
				circles[member] = number
			}
		}
		for _, from := range g.Numbers() {
			reach := map[int]bool{}
			for _, to := range g.Reach(from) {
				reach[to] = true
			}
			for to, surely := range g.ReachSurely(from) {
				if surely && !reach[to] {
					t.Errorf("%d reaches %d surely, and not at all", from, to)
				}
			}
			checkCircles(t, g, from, reach, circles)
		}
	})
}

// checkCircles holds to one another what a node reaches, the paths there, and the circles.
func checkCircles(t *testing.T, g *graph.Graph, from int, reach map[int]bool, circles map[int]int) {
	t.Helper()
	for _, to := range g.Numbers() {
		path := g.Path(from, to)
		if (len(path) > 0) != (reach[to] || from == to) {
			t.Errorf("the path from %d to %d is %v, and that it is reached %v", from, to, path, reach[to])
		}
		for i := 1; i < len(path); i++ {
			if !slices.ContainsFunc(g.WaitsOf(path[i-1]), func(edge graph.Edge) bool { return edge.To == path[i] }) {
				t.Errorf("the path %v has a step that nobody waits for", path)
			}
		}
		a, inA := circles[from]
		b, inB := circles[to]
		together := from != to && reach[to] && slices.Contains(g.Reach(to), from)
		if from != to && together != (inA && inB && a == b) {
			t.Errorf("%d and %d wait for one another: %v, and in one circle: %v", from, to, together, inA && inB && a == b)
		}
	}
}
