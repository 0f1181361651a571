package diagnosis

import (
	"cmp"
	"context"
	"slices"
	"strings"
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
	Options
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
	if options.Bare {
		return finished(bare(ctx, tools, tools.Session.WithSpecs(ctx, objects))), nil
	}
	return diagnoseAll(ctx, tools, objects), nil
}

// scan returns what is Terminating in an area. With dependents, what has owners is kept for those who ask later.
func scan(ctx context.Context, tools *mechanism.Tools, area session.Area, dependents bool) ([]*session.Object, error) {
	found, err := tools.Session.Scan(ctx, area, dependents)
	if err != nil {
		return nil, err
	}
	return found.Terminating, session.NothingListed(
		tools.Session.Reader, area, found.Asked, found.Unlisted, len(found.Terminating),
	)
}

func diagnoseAll(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *result.List {
	r := newRun(tools)
	objects = r.explainAll(ctx, objects)
	list := bare(ctx, tools, objects)
	list.RootCauses = r.rootCauses(ctx)
	numbers := r.numbersOfGroups()
	for i, object := range objects {
		if ctx.Err() != nil {
			list.Items[i].Verdict = result.Undetermined // what is known by then is told
			continue
		}
		r.settle(&list.Items[i], object, numbers)
	}
	for number := range list.RootCauses {
		list.RootCauses[number].Path = r.pathToOldest(list, number)
		for _, other := range r.endsWith(r.groups[number]) {
			list.RootCauses[number].EndsWith = append(list.RootCauses[number].EndsWith, numbers[other])
		}
	}
	list.Graph, list.Unreadable = r.drawn(), r.unreadable(ctx)
	return finished(list)
}

func (r *run) numbersOfGroups() map[*group]int {
	numbers := map[*group]int{}
	for number, joined := range r.groups {
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
	r.expandGraph(ctx, there...)
	r.group()
	slices.SortStableFunc(r.groups, func(a, b *group) int { return cmp.Compare(b.frees, a.frees) })
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
			Labels:   object.Meta.Labels, CreatedAt: object.Meta.CreationTimestamp.Time,
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

// fate is how it stands with one object of several.
type fate struct {
	verdict result.Verdict
	causes  []*group          // their parts that hold it
	awaited []finding.Awaited // by its summary
	all     []finding.Awaited // what else is open, too
	until   time.Time         // when the first of what is open or in progress should be over, or zero
	key     string            // the same for objects that are held by the same
}

// fateOf is the same for all objects that wait for one another.
func (r *run) fateOf(object *session.Object) fate {
	node := r.graph.Add(object.Ref)
	part := r.parts[node]
	if _, known := r.fates[part]; !known {
		r.fates[part] = r.fateAt(node)
	}
	return r.fates[part]
}

func (r *run) fateAt(node int) (of fate) {
	nodes := r.graph.Reach(node)
	unclear, moving := r.findingsAt(nodes, openOf), r.findingsAt(nodes, progressOf)
	open := joined(unclear)
	of.until = r.firstEnd(unclear, moving)
	of.causes = r.groupsAt(nodes)
	for _, part := range of.causes {
		of.awaited = append(of.awaited, finding.Awaited{Finding: part.causes[0], Count: len(part.causes)})
	}
	reason := func(one finding.Awaited) finding.Reason { return one.Finding.Reason }
	of.verdict = result.VerdictBy(finding.Each(of.awaited, reason), len(open) > 0)
	of.all = append(slices.Clone(of.awaited), open...)
	if len(of.all) == 0 {
		of.all = joined(moving)
	}
	if len(of.awaited) == 0 {
		of.awaited = of.all
	}
	var key strings.Builder
	for _, one := range of.all {
		key.WriteString(finding.KeyOf(one.Finding.Identity(), one.Count) + "\x00")
	}
	of.key = key.String()
	return of
}

// firstEnd is when the first of some findings should be over that isn't overdue, or zero.
func (r *run) firstEnd(sorts ...[]finding.Finding) (first time.Time) {
	for _, one := range slices.Concat(sorts...) {
		if one.Until.After(r.tools.Session.Now()) && (first.IsZero() || one.Until.Before(first)) {
			first = one.Until
		}
	}
	return first
}

// settle says of an object what why says of it: its verdict and its causes, in the same order.
func (r *run) settle(item *result.ListItem, object *session.Object, numbers map[*group]int) {
	of, surely := r.fateOf(object), r.graph.ReachSurely(r.graph.Add(object.Ref))
	item.Verdict, item.Until = of.verdict, of.until
	_, item.Besides = r.besides(r.graph.Add(object.Ref))
	for _, part := range of.causes {
		first := part.causes[0]
		item.RootCauses = append(item.RootCauses, result.ItemCause{
			Index: numbers[part.whole], Reason: first.Reason, Object: first.Object, Finalizer: first.Finalizer,
			Certainty: likelyAt(surely, part.whole, part.certainty()), Count: len(part.causes),
		})
	}
	slices.SortFunc(item.RootCauses, func(a, b result.ItemCause) int { return cmp.Compare(a.Index, b.Index) })
	item.Key += of.key
	voice := r.voice()
	item.Awaits, item.Fares = voice.WaitsFor(object.Ref, of.all), voice.Fares(object.Ref, of.all)
	item.Summary = voice.Message(sumUp(object, item.Verdict, of.awaited))
}

// pathToOldest is the shortest chain of waits to a cause from the object that has waited longest.
func (r *run) pathToOldest(list *result.List, number int) []finding.Ref {
	var oldest *result.ListItem
	for i, item := range list.Items {
		waits := slices.ContainsFunc(item.RootCauses, func(cause result.ItemCause) bool { return cause.Index == number })
		if waits && (oldest == nil || item.Deletion.RequestedAt.Before(oldest.Deletion.RequestedAt)) {
			oldest = &list.Items[i]
		}
	}
	if oldest == nil {
		return []finding.Ref{r.groups[number].causes[0].Object}
	}
	return r.path(r.graph.Add(oldest.Target), r.groups[number])
}
