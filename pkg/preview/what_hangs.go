package preview

import (
	"context"
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostRead is how many objects are read once more, each by itself, with what a listing leaves out.
const mostRead = 100

// diagnose asks why objects would be Terminating still, and keeps what would hang. A namespace and a definition are asked
// about once more when what goes of their content has gone: they wait for some of it only after other.
func (p *previewer) diagnose(ctx context.Context, held []*session.Object) {
	p.ask(ctx, held)
	var containers []*session.Object
	for _, object := range held {
		_, hangs := p.hanging[object.Ref.UID]
		switch {
		case hangs:
		case object.Is("", "Namespace"), object.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
			containers = append(containers, object)
		default:
			is := p.cascade.states[object.Ref.UID]
			is.gone = true
			p.cascade.states[object.Ref.UID] = is
		}
	}
	if len(p.hanging) > 0 {
		p.ask(ctx, containers)
	}
}

func (p *previewer) ask(ctx context.Context, held []*session.Object) {
	if len(held) == 0 {
		return
	}
	tools := p.toolsThen()
	list := diagnosis.Foresee(ctx, tools, p.readHeld(ctx, tools, held))
	places := make([]int, len(list.RootCauses))
	for i, cause := range list.RootCauses {
		places[i] = p.addCause(cause)
	}
	for _, item := range list.Items {
		if item.Verdict == report.Progressing {
			continue
		}
		hanging := report.Hanging{Object: item.Target, Verdict: item.Verdict, Awaits: item.Awaits}
		for _, cause := range item.RootCauses {
			hanging.RootCauses = append(hanging.RootCauses, places[cause.Index])
		}
		p.hanging[item.Target.UID] = len(p.result.Hanging)
		p.result.Hanging = append(p.result.Hanging, hanging)
	}
	p.join(list.Graph)
}

// toolsThen are tools that see the cluster as it would be at this moment of the deletion.
func (p *previewer) toolsThen() *mechanism.Tools {
	then := &after{Reader: p.tools.Session.Reader, at: p.at, states: maps.Clone(p.cascade.states), scans: p.scans}
	tools := p.options.Scanning(then)
	tools.Session.Foresees = true
	tools.Session.Deep = true // no controller has told yet what is left in a namespace
	return tools
}

// readHeld reads objects as they would be then: with what a listing leaves out, where they are few.
func (p *previewer) readHeld(
	ctx context.Context, tools *mechanism.Tools, held []*session.Object,
) (objects []*session.Object) {
	reads := make([]func(), len(held))
	objects = make([]*session.Object, len(held))
	for i, object := range held {
		objects[i] = p.cascade.states[object.Ref.UID].marked(p.at, object)
		reads[i] = func() {
			if read, err := tools.Session.Read(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name); err == nil {
				objects[i] = read
			}
		}
	}
	if len(held) <= mostRead {
		session.SideBySide(reads)
	}
	return objects
}

// join adds the nodes and edges of what was asked about one moment.
func (p *previewer) join(moment report.Graph) {
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

// addCause keeps a root cause, and returns its place. What would be forced is not a step before a deletion.
func (p *previewer) addCause(cause report.RootCause) int {
	same := func(known report.RootCause) bool {
		return known.Reason == cause.Reason && known.Object == cause.Object && known.Finalizer == cause.Finalizer
	}
	if at := slices.IndexFunc(p.result.RootCauses, same); at >= 0 {
		return at
	}
	cause.Remedies = slices.DeleteFunc(slices.Clone(cause.Remedies), func(remedy finding.Remedy) bool {
		return remedy.Forces() || remedy.Risk == finding.DataLoss
	})
	p.result.RootCauses = append(p.result.RootCauses, cause)
	return len(p.result.RootCauses) - 1
}

// countFreed counts the objects that would hang on one cause alone.
func (p *previewer) countFreed() {
	for i := range p.result.RootCauses {
		p.result.RootCauses[i].Frees = 0
	}
	for _, one := range p.result.Hanging {
		if len(one.RootCauses) == 1 {
			p.result.RootCauses[one.RootCauses[0]].Frees++
		}
	}
}
