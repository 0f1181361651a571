package print_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestTreeOnANarrowTerminal folds what is long beneath each object, and loses nothing of it.
func TestTreeOnANarrowTerminal(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	node := func(name string) result.TreeNode {
		return result.TreeNode{
			Node:  graph.Node{Ref: ref("ConfigMap", name), Terminating: true},
			Known: true, CreatedAt: &at, RequestedAt: &at, Reasons: []finding.Reason{finding.ControllerUnknown},
			Finalizers: []string{"shop.example.com/" + strings.Repeat("x", 30), "b/y"},
		}
	}
	tree := &result.Tree{
		GeneratedAt: at.Add(time.Minute), Nodes: []result.TreeNode{node("owner"), node("one"), node("two")},
	}
	for to := 1; to <= 2; to++ {
		tree.Edges = append(tree.Edges, result.TreeEdge{Edge: graph.Edge{From: 0, To: to, Type: finding.Owns}})
	}
	for _, columns := range []int{40, 80, 200} {
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, tree, print.FormatHuman, print.Style{Width: columns}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		for line := range strings.Lines(text) {
			if most := max(columns, 78); columnsOf(strings.TrimSuffix(line, "\n")) > most && columns > 40 {
				t.Errorf("%d columns: a line of %d: %s", columns, columnsOf(line), line)
			}
		}
		if strings.Count(text, strings.Repeat("x", 30)) != 3 || strings.Count(text, "ControllerUnknown") != 3 {
			t.Errorf("%d columns: something is missing:\n%s", columns, text)
		}
		if folded := strings.Contains(text, "held by"); folded != (columns < 200) {
			t.Errorf("%d columns: folded %t:\n%s", columns, folded, text)
		}
	}
}

// TestTreeOfPodsOnOneNode draws pods that wait for the same Node as one row, and the Node once.
func TestTreeOfPodsOnOneNode(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tree := &result.Tree{GeneratedAt: at.Add(time.Minute), Nodes: []result.TreeNode{
		{Node: graph.Node{Ref: ref("Node", "n1")}, Known: true, CreatedAt: &at},
		{Node: graph.Node{Ref: ref("Node", "n2")}, Known: true, CreatedAt: &at},
	}}
	const pods = 40
	hold := finding.Hold{Type: finding.GracePeriod}
	for i := range pods + 1 {
		pod := result.TreeNode{
			Node:  graph.Node{Ref: ref("Pod", fmt.Sprintf("web-%d", i)), Terminating: true},
			Known: true, CreatedAt: &at, RequestedAt: &at,
		}
		tree.Nodes = append(tree.Nodes, pod)
		edge := graph.Edge{From: i + 2, To: i / pods, Type: finding.WaitsFor, Hold: &hold} // the last one is on another
		tree.Edges = append(tree.Edges, result.TreeEdge{Edge: edge})
	}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, tree, print.FormatHuman, print.Style{}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for want, times := range map[string]int{"40 × Pod": 1, "Node/n1": 1, "Node/n2": 1, "Pod/web-40": 1} {
		if strings.Count(text, want) != times {
			t.Errorf("%q is not there %d times:\n%s", want, times, text)
		}
	}
}
