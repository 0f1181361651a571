package print_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// countedContext ends after it was asked so many times.
type countedContext struct {
	context.Context
	left, asked int
}

func (c *countedContext) Err() error {
	c.asked++
	if c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// TestInterruptedPrinting interrupts the printing of a list and a tree in the middle: nothing is written after that.
func TestInterruptedPrinting(t *testing.T) {
	const count = 2000
	list, tree := &result.List{}, &result.Tree{}
	for i := range count {
		ref := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: fmt.Sprintf("m%d", i)}
		list.Items = append(list.Items, result.ListItem{
			Target: ref, Resource: "configmaps", Verdict: result.Undetermined, Fares: fmt.Sprintf("waits for %d things", i),
		})
		tree.Nodes = append(tree.Nodes, result.TreeNode{Node: graph.Node{Ref: ref}, Known: true})
		if i > 0 {
			tree.Edges = append(tree.Edges, result.TreeEdge{Edge: graph.Edge{From: i - 1, To: i, Type: finding.Owns}})
		}
	}
	for name, answer := range map[string]result.Result{"list": list, "tree": tree} {
		whole := &countedContext{Context: t.Context(), left: 1 << 30}
		if err := print.Result(whole, io.Discard, answer, print.FormatHuman, print.Style{}); err != nil {
			t.Fatal(err)
		}
		if whole.asked < count {
			t.Errorf("%s: of %d objects, it asked %d times whether it was interrupted", name, count, whole.asked)
		}
		for _, left := range []int{0, 1, count / 2, whole.asked - 2} {
			ctx := &countedContext{Context: t.Context(), left: left}
			after := writes{ctx: ctx}
			err := print.Result(ctx, &after, answer, print.FormatHuman, print.Style{})
			if !errors.Is(err, context.Canceled) || after.late {
				t.Errorf("%s, interrupted after %d: error %v, written after that: %t", name, left, err, after.late)
			}
		}
	}
}

// writes reports whether something was written after a context had ended.
type writes struct {
	ctx  *countedContext
	late bool
}

func (w *writes) Write(text []byte) (int, error) {
	w.late = w.late || w.ctx.asked > w.ctx.left
	return len(text), nil
}
