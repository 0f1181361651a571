package report

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"

// outlined is a result with a tree that can be drawn as text, beside its sentences.
type outlined interface {
	pictured
	outline(w *writer)
}

func renderOutline(result outlined, w *writer) { result.outline(w) }

func (p *Preview) outline(w *writer)     { p.tree().human(w) }
func (l *PreviewList) outline(w *writer) { l.tree().human(w) }

// tree is the picture of a preview: the objects that own, are owned, wait, or are waited for.
func (p *Preview) tree() *Tree {
	drawn := &Tree{Target: &p.Target}
	p.addTo(drawn)
	return drawn
}

// tree is the picture of several, beside each other.
func (l *PreviewList) tree() *Tree {
	drawn := &Tree{}
	for i := range l.Items {
		l.Items[i].addTo(drawn)
	}
	return drawn
}

func (p *Preview) addTo(drawn *Tree) {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range p.RootCauses {
		reasons[cause.Object] = append(reasons[cause.Object], cause.Reason)
	}
	first := len(drawn.Nodes)
	for _, node := range p.Graph.Nodes {
		drawn.Nodes = append(drawn.Nodes, TreeNode{
			Node: node, Known: true, Foreseen: p.Outcome != AlreadyDeleted, Reasons: reasons[node.Ref],
		})
	}
	for _, edge := range p.Graph.Edges {
		edge.From, edge.To = edge.From+first, edge.To+first
		drawn.Edges = append(drawn.Edges, TreeEdge{Edge: edge})
	}
}
