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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ListOptions say what is listed.
type ListOptions struct {
	mechanism.Options
	Namespace, Labels string             // no namespace is all of them, and what has none; labels narrow it further
	Kinds             []cluster.Resource // only objects of these; without any, of all there are
	OlderThan         time.Duration      // leaves out what was deleted since
	Bare              bool               // lists without asking why
}

// List diagnoses everything Terminating in an area in one go: one graph is expanded from all of it, so that what it
// shares is looked into once, and is one root cause. It only reads. It is an error if nothing could be listed.
func List(ctx context.Context, reader cluster.Reader, options ListOptions) (*result.List, error) {
	return ListWith(ctx, options.Scanning(reader), options)
}

// ListWith is List with tools that others use as well: what they have read isn't read again.
func ListWith(ctx context.Context, tools *mechanism.Tools, options ListOptions) (*result.List, error) {
	area := session.Area{Namespace: options.Namespace, Labels: options.Labels, Kinds: options.Kinds}
	objects, err := scan(ctx, tools, area, !options.Bare)
	if err != nil {
		return nil, err
	}
	objects = slices.DeleteFunc(objects, func(object *session.Object) bool {
		return options.OlderThan > 0 && tools.Session.Since(object) < options.OlderThan
	})
	var list *result.List
	if options.Bare {
		list = finished(bare(ctx, tools, tools.Session.WithSpecs(ctx, objects)))
	} else {
		list = diagnoseAll(ctx, tools, objects)
	}
	list.Namespace = options.Namespace
	for i := range list.Unreadable {
		if list.Unreadable[i].Stored {
			list.Unreadable[i].Ask = tools.Session.Kubectl.Check(options.Namespace)
		}
	}
	return list, nil
}

// scan returns what is Terminating in an area. With dependents, what has owners is kept for those who ask later.
func scan(ctx context.Context, tools *mechanism.Tools, area session.Area, dependents bool) ([]*session.Object, error) {
	found, err := tools.Session.Scan(ctx, area, dependents)
	if err != nil {
		return nil, err
	}
	err = session.NothingListed(tools.Session.Reader, area, found.Asked, found.Unlisted, len(found.Terminating))
	if session.StorageFails(err) {
		what := finding.And(session.NamesOf(found.Unlisted))
		err = &session.UnreadError{
			Says: what + " can't be listed: " + session.WhyUnread(err) + ".",
			Ask:  tools.Session.Kubectl.Check(area.Namespace), Err: err,
		}
	}
	return found.Terminating, err
}

func diagnoseAll(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *result.List {
	r := newRun(tools)
	objects = r.explainAll(ctx, objects)
	list := bare(ctx, tools, objects)
	list.RootCauses = r.rootCauses(ctx)
	numbers := r.groups.numbers()
	for i, object := range objects {
		if ctx.Err() != nil {
			list.Items[i].Verdict = result.Undetermined // what is known by then is told
			left := finding.WaitingFor([]finding.Awaited{{Finding: notExamined(object), Count: 1}})
			list.Items[i].Fares = left.Fares(voiceOf(tools), object.Ref)
			continue
		}
		r.groups.settle(&list.Items[i], object, numbers)
	}
	oldest := oldestOf(list)
	for number := range list.RootCauses {
		if ctx.Err() == nil {
			list.RootCauses[number].Path = r.groups.pathToOldest(oldest[number], number)
		}
		for _, other := range r.groups.numbered(r.groups.endsWith(r.groups.all[number])) {
			if at, known := numbers[other]; known { // else the list was interrupted before it
				list.RootCauses[number].EndsWith = append(list.RootCauses[number].EndsWith, at)
			}
		}
	}
	list.Graph, list.Unreadable = r.found.drawn(), r.found.unreadable(ctx)
	if r.tools.Session.Reader.Source().Manifests() {
		list.Ask = session.AskNext(ctx, r.tools.Session.Reader)
	}
	return finished(list)
}

func (g *grouping) numbers() map[*group]int {
	numbers := map[*group]int{}
	for number, joined := range g.all {
		numbers[joined] = number
	}
	return numbers
}

// explainAll finds out why Terminating objects are still there, and returns the ones that are. It reads them as far as
// mechanisms need them, and with them what will be asked about many.
func (r *run) explainAll(ctx context.Context, objects []*session.Object) (there []*session.Object) {
	session.SideBySide([]func(){
		func() { r.tools.Attribution.Prepare(ctx, objects) },
		func() { there = r.tools.Session.Refetch(ctx, objects) },
	})
	r.found.expandGraph(ctx, there...)
	r.groups.join(ctx)
	r.groups.mostBlocking()
	return there
}

func bare(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *result.List {
	list := &result.List{
		APIVersion: result.APIVersion, Kind: "DiagnosisList", GeneratedAt: result.InSeconds(tools.Session.AsOf()),
		Items: make([]result.ListItem, len(objects)), RootCauses: []result.RootCause{},
		Unreadable: session.Unreadable(ctx, tools.Session.Reader),
		Graph:      result.Graph{Nodes: []graph.Node{}, Edges: []graph.Edge{}},
	}
	for i, object := range objects {
		list.Items[i] = result.ListItem{
			Target: object.Ref, Resource: object.Resource.QualifiedName(), Ask: tools.Session.Kubectl.Why(object),
			Deletion: result.Deletion{RequestedAt: result.InSeconds(object.RequestedAt()), Holds: object.Holds()},
			Labels:   object.Meta.Labels, CreatedAt: object.Meta.CreationTimestamp.Time, Undated: voiceOf(tools).Undated,
		}
	}
	return list
}

func finished(list *result.List) *result.List {
	slices.SortFunc(list.Items, func(a, b result.ListItem) int {
		return cmp.Or(a.Deletion.RequestedAt.Compare(b.Deletion.RequestedAt), finding.Compare(a.Target, b.Target))
	})
	return list
}

// oldestOf are the objects that have waited longest for each cause, by its number.
func oldestOf(list *result.List) map[int]*result.ListItem {
	oldest := map[int]*result.ListItem{}
	for i := range list.Items {
		item := &list.Items[i]
		for _, cause := range item.RootCauses {
			known := oldest[cause.Index]
			if known == nil || item.Deletion.RequestedAt.Before(known.Deletion.RequestedAt) {
				oldest[cause.Index] = item
			}
		}
	}
	return oldest
}

// pathToOldest is the shortest chain of waits to a cause from the object that has waited longest.
func (g *grouping) pathToOldest(oldest *result.ListItem, number int) []finding.Ref {
	if oldest == nil {
		return []finding.Ref{g.all[number].causes[0].Object}
	}
	return g.found.path(g.found.graph.Add(oldest.Target), g.all[number])
}
