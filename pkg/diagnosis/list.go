package diagnosis

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ListOptions say what is listed.
type ListOptions struct {
	Options
	// Namespace is empty for all of them, and what has none. Labels narrow it further.
	Namespace, Labels string
	// OlderThan leaves out what was deleted since.
	OlderThan time.Duration
	// Bare lists without asking why.
	Bare bool
}

// List diagnoses everything Terminating in an area in one go: one graph is expanded from all of it, so that what it
// shares is looked into once, and is one root cause. It only reads. It is an error if nothing could be listed.
func List(ctx context.Context, reader cluster.Reader, options ListOptions) (*report.List, error) {
	tools := options.Scanning(reader)
	area := session.Area{Namespace: options.Namespace, Labels: options.Labels}
	objects, err := scan(ctx, tools, area, !options.Bare)
	if err != nil {
		return nil, err
	}
	objects = slices.DeleteFunc(objects, func(object *session.Object) bool {
		return options.OlderThan > 0 && tools.Session.Since(object) < options.OlderThan
	})
	if options.Bare {
		list := bare(ctx, tools, tools.Session.WithSpecs(ctx, objects))
		sortOldestFirst(list.Items)
		report.Escape(list)
		return list, nil
	}
	return diagnoseAll(ctx, tools, objects), nil
}

// scan returns what is Terminating in an area. With dependents, what has owners is kept for those who ask later.
func scan(
	ctx context.Context, tools *mechanism.Tools, area session.Area, dependents bool,
) ([]*session.Object, error) {
	found, err := tools.Session.Scan(ctx, area, dependents)
	if err != nil {
		return nil, err
	}
	return found.Terminating, tools.Session.NothingListed(area, found.Asked, found.Unlisted, len(found.Terminating))
}

// diagnoseAll diagnoses Terminating objects in one graph.
func diagnoseAll(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *report.List {
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
	list := bare(ctx, tools, objects)
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

// bare lists Terminating objects without asking why.
func bare(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *report.List {
	list := &report.List{
		APIVersion: report.APIVersion, Kind: "DiagnosisList", GeneratedAt: report.InSeconds(tools.Session.Now()),
		Items: make(
			[]report.ListItem, len(objects),
		), RootCauses: []report.RootCause{}, Unreadable: tools.Session.Unreadable(ctx),
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
	return append(causes, report.ItemCause{
		Index: group, Reason: cause.Reason, Object: cause.Object, Finalizer: cause.Finalizer,
		Certainty: cause.Certainty, Count: 1,
	})
}

// pathToOldest is the shortest chain of waits to a cause from the object that has waited longest.
func (r *run) pathToOldest(list *report.List, nodes []int, joined *group) []finding.Ref {
	oldest := -1
	for i, item := range list.Items {
		waits := slices.ContainsFunc(item.RootCauses, func(cause report.ItemCause) bool {
			told, first := list.RootCauses[cause.Index], joined.causes[0]
			return told.Object == first.Object && told.Reason == first.Reason
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
