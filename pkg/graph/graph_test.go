package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

func ref(name string) finding.Ref {
	return finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "ns", Name: name, UID: "uid-" + name}
}

// build makes a graph from waits, given as pairs of names.
func build(waits ...[2]string) *graph.Graph {
	g := &graph.Graph{}
	for _, wait := range waits {
		g.Link(graph.Edge{From: g.Add(ref(wait[0])), To: g.Add(ref(wait[1])), Type: finding.WaitsFor})
	}
	return g
}

func TestAddJoinsWhatIsOneObject(t *testing.T) {
	g := &graph.Graph{}
	named := finding.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "ns", Name: "web"}
	first := g.Add(named)
	withUID := named
	withUID.UID = "1"
	if got := g.Add(withUID); got != first {
		t.Errorf("a reference with a uid is another node than the same place without one")
	}
	if got := g.Nodes()[first].UID; got != "1" {
		t.Errorf("the node's uid is %q, want the one that was learned", got)
	}
	otherVersion := withUID
	otherVersion.APIVersion = "apps/v1beta1"
	if got := g.Add(otherVersion); got != first {
		t.Errorf("one object, read in another version, is another node")
	}
	recreated := named
	recreated.UID = "2"
	if got := g.Add(recreated); got == first {
		t.Errorf("another object under the same name is the same node")
	}
}

func TestLinkKeepsEachEdgeOnce(t *testing.T) {
	g := &graph.Graph{}
	a, b := g.Add(ref("a")), g.Add(ref("b"))
	first, second := finding.Hold{Type: finding.Finalizer, Name: "one"}, finding.Hold{Type: finding.Finalizer, Name: "two"}
	for _, hold := range []*finding.Hold{&first, &second, &first, nil, nil} {
		g.Link(graph.Edge{From: a, To: b, Type: finding.WaitsFor, Hold: hold})
	}
	if got := len(g.Edges()); got != 3 {
		t.Errorf("%d edges, want one for each hold and one without", got)
	}
}

func TestPathIsTheShortest(t *testing.T) {
	g := build([2]string{"a", "b"}, [2]string{"b", "c"}, [2]string{"c", "d"}, [2]string{"a", "c"})
	if diff := cmp.Diff([]int{0, 2, 3}, g.Path(0, 3)); diff != "" {
		t.Errorf("path from a to d (-want +got):\n%s", diff)
	}
	if got := g.Path(3, 0); got != nil {
		t.Errorf("path against the waits: %v, want none", got)
	}
	if diff := cmp.Diff([]int{2}, g.Path(2, 2)); diff != "" {
		t.Errorf("path from c to itself (-want +got):\n%s", diff)
	}
}

func TestOwningIsNotWaiting(t *testing.T) {
	g := &graph.Graph{}
	a, b := g.Add(ref("a")), g.Add(ref("b"))
	g.Link(graph.Edge{From: a, To: b, Type: finding.Owns})
	g.Link(graph.Edge{From: b, To: a, Type: finding.Contains})
	if got := g.Cycles(t.Context()); got != nil {
		t.Errorf("cycles %v among edges that don't block", got)
	}
	if got := g.Path(a, b); got != nil {
		t.Errorf("a path %v over an edge that doesn't block", got)
	}
}

func TestCycles(t *testing.T) {
	cases := []struct {
		name  string
		waits [][2]string
		want  [][]int
	}{
		{"none", [][2]string{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}}, nil},
		{"an object that waits for itself", [][2]string{{"a", "b"}, {"b", "b"}}, [][]int{{1}}},
		{"two", [][2]string{{"a", "b"}, {"b", "a"}}, [][]int{{0, 1}}},
		{"three, behind a chain and with a way out", [][2]string{{"t", "a"}, {"a", "b"}, {"b", "c"}, {"c", "a"},
			{"c", "out"}}, [][]int{{1, 2, 3}}},
		{"two circles", [][2]string{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "d"}, {"d", "c"}}, [][]int{{0, 1}, {2, 3}}},
		{"two circles that share a member are one", [][2]string{{"a", "b"}, {"b", "a"}, {"a", "c"}, {"c", "a"}},
			[][]int{{0, 1, 2}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, build(c.waits...).Cycles(t.Context())); diff != "" {
				t.Errorf("cycles (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLongCircles has a circle and a chain of 200,000: what takes the square of that would not end.
func TestLongCircles(t *testing.T) {
	const count = 200_000
	for name, closed := range map[string]bool{"circle": true, "chain": false} {
		g := &graph.Graph{}
		for i := range count {
			g.Add(finding.Ref{UID: fmt.Sprint(i), Name: fmt.Sprint(i)})
		}
		for i := range count {
			if closed || i < count-1 {
				g.Link(graph.Edge{From: i, To: (i + 1) % count, Type: finding.WaitsFor})
			}
		}
		parts, circles := g.Parts(t.Context(), func(graph.Edge) bool { return true }), g.Cycles(t.Context())
		if same := parts[0] == parts[count-1]; same != closed || len(circles) > 1 || (len(circles) == 1) != closed {
			t.Errorf("%s: the ends are one part: %t; %d circles", name, same, len(circles))
		}
		if all := g.ReachedBy([]int{count - 1}, nil); !all[0] || len(g.Reach(0)) != count {
			t.Errorf("%s: not all of it is reached", name)
		}
	}
}

// TestCyclesAgreeWithReach compares the cycles of random graphs with their definition: exactly the members of one cycle
// reach each other.
func TestCyclesAgreeWithReach(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var waits [][2]string
		for range 12 {
			waits = append(waits, [2]string{fmt.Sprint(random.IntN(8)), fmt.Sprint(random.IntN(8))})
		}
		g := build(waits...)
		member, parts := map[int]int{}, g.Parts(t.Context(), func(graph.Edge) bool { return true })
		for _, edge := range g.Edges() {
			if parts[edge.From] < parts[edge.To] {
				t.Fatalf("of %v, %d waits for %d, and their parts are %v", waits, edge.From, edge.To, parts)
			}
		}
		for number, cycle := range g.Cycles(t.Context()) {
			for _, node := range cycle {
				member[node] = number + 1
			}
		}
		for a := range g.Nodes() {
			for b := range g.Nodes() {
				if goals := g.ReachedBy([]int{b}, nil); goals[a] != slices.Contains(g.Reach(a), b) {
					t.Fatalf("%d of %v reaches %d: %t, the other way round %t", a, waits, b, !goals[a], goals[a])
				}
				mutual := a != b && slices.Contains(g.Reach(a), b) && slices.Contains(g.Reach(b), a)
				if (mutual || a == b) != (parts[a] == parts[b]) {
					t.Fatalf("nodes %d and %d of %v have parts %v", a, b, waits, parts)
				}
				if mutual != (a != b && member[a] != 0 && member[a] == member[b]) {
					t.Fatalf("nodes %d and %d of %v: they reach each other: %t, cycles %v", a, b, waits, mutual, g.Cycles(t.Context()))
				}
			}
		}
	}
}

// TestInterruptedCycles ends the search for circles in the middle: circles that are found are circles, and parts are
// all there or none.
func TestInterruptedCycles(t *testing.T) {
	var g graph.Graph
	const pairs = 1_000
	for pair := range pairs {
		a, b := g.Add(finding.Ref{Kind: "Pod", Name: fmt.Sprint("a", pair)}), g.Add(finding.Ref{Name: fmt.Sprint("b", pair)})
		g.Link(graph.Edge{From: a, To: b, Type: finding.WaitsFor})
		g.Link(graph.Edge{From: b, To: a, Type: finding.WaitsFor})
	}
	asked := &asksFor{Context: t.Context(), left: pairs}
	circles := g.Cycles(asked)
	if len(circles) == 0 || len(circles) >= pairs {
		t.Errorf("%d circles of %d were found until the interrupt", len(circles), pairs)
	}
	for _, members := range circles {
		if len(members) != 2 || members[0]/2 != members[1]/2 {
			t.Errorf("%v is no circle", members)
		}
	}
	asked.left = pairs
	if parts := g.Parts(asked, func(graph.Edge) bool { return true }); parts != nil {
		t.Errorf("%d parts are known after an interrupt", len(parts))
	}
}

// asksFor is a context that ends once it was asked so many times.
type asksFor struct {
	context.Context
	left int
}

// Err implements context.Context.
func (a *asksFor) Err() error {
	if a.left--; a.left < 0 {
		return context.Canceled
	}
	return nil
}
