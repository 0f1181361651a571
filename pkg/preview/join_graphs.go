package preview

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// join adds the nodes and edges of what was asked about one moment.
func (p *previewer) join(moment result.Graph) {
	numbers := make([]int, len(moment.Nodes))
	for i, node := range moment.Nodes {
		numbers[i] = p.graph.Add(node.Ref)
		p.graph.Describe(numbers[i], node.Terminating, node.Holds)
	}
	for _, edge := range moment.Edges {
		edge.From, edge.To = numbers[edge.From], numbers[edge.To]
		p.graph.Link(edge)
	}
}

// addOwners adds to the graph who owns what among what goes.
func (p *previewer) addOwners() {
	for _, object := range p.cascade.deleted {
		for _, reference := range object.Meta.OwnerReferences {
			owner := p.cascade.byUID[string(reference.UID)]
			if _, goes := p.cascade.states[string(reference.UID)]; goes && owner != nil {
				p.graph.Link(graph.Edge{From: p.graph.Add(owner.Ref), To: p.graph.Add(object.Ref), Type: finding.Owns})
			}
		}
	}
}
