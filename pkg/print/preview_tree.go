package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// outlineOf returns a tree that can be drawn as text beside the sentences of a result.
func outlineOf(answer result.Result) (*result.Tree, bool) {
	if _, itself := answer.(*result.Tree); itself {
		return nil, false
	}
	return graphOf(answer)
}

// previewTree is the picture of previews, beside each other: the objects that own, are owned, wait, or are waited for.
func previewTree(target *finding.Ref, previews ...result.Preview) *result.Tree {
	drawn := &result.Tree{Target: target}
	for i := range previews {
		addPreview(&previews[i], drawn)
	}
	return drawn
}

func addPreview(p *result.Preview, drawn *result.Tree) {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range p.RootCauses {
		reasons[cause.Object] = append(reasons[cause.Object], cause.Reason)
	}
	first := len(drawn.Nodes)
	for _, node := range p.Graph.Nodes {
		drawn.Nodes = append(drawn.Nodes, result.TreeNode{
			Node: node, Known: true, Foreseen: p.Outcome != result.AlreadyDeleted, Reasons: reasons[node.Ref],
		})
	}
	for _, edge := range p.Graph.Edges {
		edge.From, edge.To = edge.From+first, edge.To+first
		drawn.Edges = append(drawn.Edges, result.TreeEdge{Edge: edge})
	}
}
