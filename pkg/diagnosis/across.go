package diagnosis

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/clusters"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// border is where the graph leaves the cluster: a node, the hold that waits, and what it waits for elsewhere.
type border struct {
	node int
	hold *finding.Hold
	session.Abroad
}

// abroad is what was found in the other clusters. There, it is a diagnosis of its own, with that cluster's session: the
// rules never see two clusters. What it has found is marked with its cluster, and joined to the graph.
type abroad struct {
	causes     map[string]result.RootCause // as they are told, by the keys under which the graph has them
	takes      []finding.Taken
	keep       *finding.Remedy
	unreadable []finding.Unreadable
}

// goAbroad continues in the other clusters that the graph leads to.
func (r *run) goAbroad(ctx context.Context) {
	var names []string
	byCluster := map[string][]border{}
	for _, one := range r.found.borders {
		if byCluster[one.Cluster] == nil {
			names = append(names, one.Cluster)
		}
		byCluster[one.Cluster] = append(byCluster[one.Cluster], one)
	}
	for _, name := range names {
		r.crossTo(ctx, name, byCluster[name])
	}
}

// crossTo asks one other cluster. It was connected to when the graph came to its border.
func (r *run) crossTo(ctx context.Context, name string, borders []border) {
	tools, limited, err := r.tools.Border.Cross(ctx, name)
	if err != nil {
		return // which the graph says where it came to the border
	}
	there := newRun(tools)
	roots := map[int]int{} // nodes here, by their nodes there
	for _, one := range borders {
		root := there.found.graph.Add(one.Held.Ref) // no object: nothing of that cluster is below it
		there.found.graph.Describe(root, true, one.Held.Holds())
		roots[root] = one.node
		there.found.apply(root, one.hold, one.Answer)
	}
	there.found.expandGraph(limited)
	there.goAbroad(limited)
	there.groups.join(limited)
	said := there.say(limited)
	clusters.Mark(said, name)
	clusters.Remark(said, session.HeldHere, "")
	r.abroad.takes = append(r.abroad.takes, said.Takes...)
	r.abroad.unreadable = append(r.abroad.unreadable, said.Unreadable...)
	if r.abroad.keep == nil {
		r.abroad.keep = said.Keep
	}
	for i, cause := range said.Causes {
		said.Causes[i].Key = finding.KeyOf("abroad", name, cause.Key, i)
		r.abroad.causes[said.Causes[i].Key] = said.Causes[i]
	}
	r.join(there, said, roots)
}

// said is all that was found in another cluster. It is marked as a whole: its parts refer to the same objects.
type said struct {
	Causes     []result.RootCause // by groups
	Takes      []finding.Taken
	Keep       *finding.Remedy
	Unreadable []finding.Unreadable
	Nodes      []graph.Node
	Edges      []graph.Edge
	Found      []finding.Finding // the causes before they were grouped
	Notes      []notesAt         // by nodes
}

// notesAt is what was found at a node beside causes.
type notesAt struct{ Progress, Open, Remarks []finding.Finding }

// say returns all that a run has found.
func (r *run) say(ctx context.Context) *said {
	all := &said{
		Causes: r.rootCauses(ctx), Unreadable: r.found.unreadable(ctx), Found: slices.Clone(r.found.causes),
		Nodes: slices.Clone(r.found.graph.Nodes()), Edges: slices.Clone(r.found.graph.Edges()),
	}
	all.Takes, all.Keep = r.losses.goesWith(ctx)
	all.Takes, all.Unreadable = append(all.Takes, r.abroad.takes...), append(all.Unreadable, r.abroad.unreadable...)
	for node := range all.Nodes {
		at := r.found.at(node)
		all.Notes = append(all.Notes, notesAt{
			Progress: slices.Clone(at.progress.findings), Open: slices.Clone(at.open.findings),
			Remarks: slices.Clone(at.remarks),
		})
	}
	return all
}

// join joins the graph of another cluster, and what was found at its nodes, to this one.
func (r *run) join(there *run, said *said, roots map[int]int) {
	x := r.found
	number := make([]int, len(said.Nodes))
	for node, described := range said.Nodes {
		at, isRoot := roots[node]
		if !isRoot {
			at = x.graph.Add(described.Ref)
			x.graph.Describe(at, described.Terminating, described.Holds)
		}
		number[node] = at
	}
	for _, edge := range said.Edges {
		edge.From, edge.To = number[edge.From], number[edge.To]
		x.graph.Link(edge)
	}
	first := len(x.causes)
	for i, cause := range said.Found {
		cause.Key = said.Causes[slices.Index(there.groups.all, there.groups.member[i])].Key
		x.causes = append(x.causes, cause)
	}
	for node, notes := range said.Notes {
		to := x.at(number[node])
		to.progress.findings = append(to.progress.findings, notes.Progress...)
		to.open.findings = append(to.open.findings, notes.Open...)
		to.remarks = append(to.remarks, notes.Remarks...)
		for _, cause := range there.found.at(node).causes {
			to.causes = union(to.causes, first+cause)
		}
	}
}

// told returns a cause of another cluster as that cluster's diagnosis tells it, or false if it is one of this cluster.
func (a *abroad) told(joined *group) (result.RootCause, bool) {
	cause, is := a.causes[joined.causes[0].Key]
	if is {
		cause.Frees = joined.frees
	}
	return cause, is
}

// addTo adds to an answer what other clusters add beside causes.
func (a *abroad) addTo(answer *result.Diagnosis) {
	answer.Takes = append(answer.Takes, a.takes...)
	answer.Unreadable = append(answer.Unreadable, a.unreadable...)
	if answer.Keep == nil {
		answer.Keep = a.keep
	}
}
