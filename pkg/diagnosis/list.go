package diagnosis

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// List diagnoses Terminating objects in one go: one graph is grown from all of them, so that what they
// share is looked into once, and is one root cause. It only reads.
func List(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *report.List {
	r := newRun(tools)
	r.several = true
	objects = r.refetch(ctx, objects)
	nodes := make([]int, len(objects))
	for i, object := range objects {
		nodes[i] = r.add(object)
		r.enqueue(nodes[i], object)
	}
	r.drain(ctx)
	r.addDeadlocks(ctx)
	groups := r.group()
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.frees, a.frees) })
	numbers := r.memberships(groups)
	list := Bare(ctx, tools, objects)
	list.RootCauses = r.rootCauses(groups)
	for i, object := range objects {
		r.settle(&list.Items[i], object, nodes[i], numbers)
	}
	for number := range list.RootCauses {
		list.RootCauses[number].Path = r.pathToOldest(list, nodes, groups[number])
	}
	list.Graph = report.Graph{Nodes: r.graph.Nodes(), Edges: append([]graph.Edge{}, r.graph.Edges()...)}
	list.Unreadable = r.unreadable(ctx)
	sortOldestFirst(list.Items)
	report.Escape(list)
	return list
}

// refetch reads objects as far as mechanisms need them, and with them what will be asked about many.
func (r *run) refetch(ctx context.Context, objects []*session.Object) (there []*session.Object) {
	session.SideBySide([]func(){
		func() { r.tools.Attribution.Prepare(ctx, objects) },
		func() { there = r.tools.Session.Refetch(ctx, objects) },
	})
	return there
}

// Bare lists Terminating objects without asking why.
func Bare(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *report.List {
	list := &report.List{
		APIVersion: report.APIVersion, Kind: "DiagnosisList", GeneratedAt: report.InSeconds(tools.Session.Now()),
		Items: make([]report.ListItem, len(objects)), RootCauses: []report.RootCause{}, Unreadable: tools.Session.Unreadable(ctx),
		Graph: report.Graph{Nodes: []graph.Node{}, Edges: []graph.Edge{}},
	}
	for i, object := range objects {
		list.Items[i] = report.ListItem{
			Target: object.Ref, Resource: object.Resource.QualifiedName(), Ask: tools.Session.Kubectl.Why(object),
			Deletion: report.Deletion{RequestedAt: report.InSeconds(object.RequestedAt()), Holds: object.Holds()},
		}
	}
	return list
}

// SortBare puts a bare list in order and makes its text harmless, when nothing is added any more.
func SortBare(list *report.List) *report.List {
	sortOldestFirst(list.Items)
	report.Escape(list)
	return list
}

func sortOldestFirst(items []report.ListItem) {
	slices.SortFunc(items, func(a, b report.ListItem) int {
		return cmp.Or(a.Deletion.RequestedAt.Compare(b.Deletion.RequestedAt), finding.Compare(a.Target, b.Target))
	})
}

// memberships returns, for each cause that was found, the number of its group.
func (r *run) memberships(groups []*group) []int {
	numbers := make([]int, len(r.causes))
	for number, joined := range groups {
		for _, one := range joined.numbers {
			numbers[one] = number
		}
	}
	return numbers
}

// settle tells how it stands with one object, by all that it waits for.
func (r *run) settle(item *report.ListItem, object *session.Object, node int, numbers []int) {
	reach := r.graph.Reach(node)
	nodes := make([]int, 0, len(reach))
	for reached := range reach {
		nodes = append(nodes, reached)
	}
	slices.Sort(nodes)
	var found []finding.Finding
	seen := map[int]bool{}
	for _, reached := range nodes {
		for _, number := range r.at(reached).causes {
			if !seen[number] {
				seen[number] = true
				found = append(found, r.causes[number])
				item.RootCauses = addItemCause(item.RootCauses, r.causes[number], numbers[number])
			}
		}
	}
	slices.SortFunc(item.RootCauses, func(a, b report.ItemCause) int { return cmp.Compare(a.Index, b.Index) })
	open := r.findingsAt(nodes, func(p *place) []finding.Finding { return p.open })
	awaited := append(slices.Clone(found), open...)
	item.Verdict = report.Progressing
	switch {
	case slices.ContainsFunc(found, func(cause finding.Finding) bool { return cause.Reason != finding.ControllerUnknown }):
		item.Verdict = report.Stuck
	case len(awaited) > 0:
		item.Verdict = report.Undetermined
	default:
		awaited = r.findingsAt(nodes, func(p *place) []finding.Finding { return p.progress })
	}
	for _, one := range awaited {
		item.Key += one.Identity() + "\x00"
	}
	voice, waits := r.voice(finding.Ref{}), joined(awaited)
	item.Awaits = voice.WaitsFor(object.Ref, waits)
	item.Summary = voice.Message(sumUp(object, item.Verdict, waits))
}

// addItemCause adds a cause to those of one object, or counts it where it is one of a group.
func addItemCause(causes []report.ItemCause, cause finding.Finding, group int) []report.ItemCause {
	for i := range causes {
		if causes[i].Index == group {
			causes[i].Count++
			return causes
		}
	}
	return append(causes, report.ItemCause{Index: group, Reason: cause.Reason, Object: cause.Object, Finalizer: cause.Finalizer, Certainty: cause.Certainty, Count: 1})
}

// pathToOldest is the shortest chain of waits to a cause from the object that has waited longest.
func (r *run) pathToOldest(list *report.List, nodes []int, joined *group) []finding.Ref {
	oldest := -1
	for i, item := range list.Items {
		waits := slices.ContainsFunc(item.RootCauses, func(cause report.ItemCause) bool {
			return list.RootCauses[cause.Index].Object == joined.causes[0].Object && list.RootCauses[cause.Index].Reason == joined.causes[0].Reason
		})
		if waits && (oldest < 0 || item.Deletion.RequestedAt.Before(list.Items[oldest].Deletion.RequestedAt)) {
			oldest = i
		}
	}
	if oldest < 0 {
		return []finding.Ref{joined.causes[0].Object}
	}
	return r.pathFrom(nodes[oldest], joined.causes[0], joined.nodes)
}
