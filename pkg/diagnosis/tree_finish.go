package diagnosis

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func (t *tree) finish(ctx context.Context) *result.Tree {
	t.markCycles(ctx)
	alive := func(object *session.Object) bool { return !object.Terminating() }
	t.run.explainAll(ctx, slices.DeleteFunc(slices.Clone(t.objects), alive))
	answer := &result.Tree{
		APIVersion: result.APIVersion, Kind: "BlockingGraph", GeneratedAt: result.InSeconds(t.tools.Session.AsOf()),
		Undated:    voiceOf(t.tools).Undated,
		RootCauses: t.run.rootCauses(ctx), Edges: []result.TreeEdge{}, Nodes: []result.TreeNode{},
	}
	for i := range t.run.groups.all {
		if ctx.Err() != nil {
			break
		}
		answer.RootCauses[i].Path = t.run.found.path(target, t.run.groups.all[i])
	}
	t.addNodes(ctx, answer)
	for _, edge := range t.run.found.graph.Edges() {
		drawn := result.TreeEdge{Edge: edge}
		if key := [2]int{edge.From, edge.To}; edge.Type == finding.Owns {
			drawn.Blocks, drawn.Reference = t.blocks[key], t.flaws[key]
		}
		answer.Edges = append(answer.Edges, drawn)
	}
	answer.Unreadable = t.run.found.unreadable(ctx)
	return answer
}

// markCycles marks the owner references by which an object owns itself in the end.
func (t *tree) markCycles(ctx context.Context) {
	var owns graph.Graph
	for _, node := range t.run.found.graph.Nodes() {
		owns.Add(node.Ref)
	}
	for _, edge := range t.run.found.graph.Edges() {
		if edge.Type == finding.Owns {
			owns.Link(graph.Edge{From: edge.From, To: edge.To, Type: finding.WaitsFor})
		}
	}
	number := make([]int, len(owns.Nodes())) // of the cycle in which a node is, from 1
	for i, members := range owns.Cycles(ctx) {
		for _, member := range members {
			number[member] = i + 1
		}
	}
	for _, edge := range owns.Edges() {
		if key := [2]int{edge.From, edge.To}; number[edge.From] != 0 && number[edge.From] == number[edge.To] {
			t.flaws[key] = ownership.InCycle(t.flaws[key])
		}
	}
}

func (t *tree) addNodes(ctx context.Context, answer *result.Tree) {
	missing := t.missing()
	var seen []*session.Object
	for number := range t.run.found.graph.Nodes() {
		if object := t.run.found.objects[number]; object != nil && !missing[number] {
			seen = append(seen, object)
		}
	}
	rows := t.tools.Session.Rows(ctx, seen)
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range answer.RootCauses {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			reasons[ref] = append(reasons[ref], cause.Reason)
		}
	}
	lasting, stop := session.Lasting(ctx, putTogether)
	defer stop()
	misses := t.misses(lasting)
	for number, described := range t.run.found.graph.Nodes() {
		node := result.TreeNode{Node: described, Reasons: reasons[described.Ref], Misses: misses[described.Place()]}
		if object := t.run.found.objects[number]; object != nil && lasting.Err() == nil {
			t.describe(&node, object, rows[session.RowKey(object.Resource, object.Ref.Namespace, object.Ref.Name)])
		}
		node.Known = node.Known || !missing[number] // a mechanism knows it by name
		answer.Nodes = append(answer.Nodes, node)
	}
}

// misses returns what objects refer to, and what doesn't exist, by their places, as far as causes found it out.
func (t *tree) misses(ctx context.Context) map[finding.Ref][]finding.Ref {
	all := map[finding.Ref][]finding.Ref{}
	for _, cause := range t.run.found.causes {
		if ctx.Err() != nil {
			break
		}
		for _, evidence := range cause.Evidence {
			if evidence.Missing == nil || evidence.Object == nil {
				continue
			}
			if place := evidence.Object.Place(); !slices.Contains(all[place], *evidence.Missing) {
				all[place] = append(all[place], *evidence.Missing)
			}
		}
	}
	return all
}

// missing are the nodes that are known only because something names them as its owner.
func (t *tree) missing() map[int]bool {
	missing := map[int]bool{}
	for key, flaw := range t.flaws {
		object := t.run.found.objects[key[0]]
		if object != nil && object.Meta == nil && flaw != finding.OwnerElsewhere && flaw != finding.OwnerMisnamed {
			missing[key[0]] = true
		}
	}
	return missing
}

func (t *tree) describe(node *result.TreeNode, object *session.Object, row cluster.Row) {
	if object.Resource.Resource != "" {
		node.Resource = object.Resource.QualifiedName()
	}
	node.Ready, node.Status = row.Cells["READY"], row.Cells["STATUS"]
	if object.Meta == nil {
		return
	}
	node.Known = true
	node.CreatedAt = optional(object.Meta.CreationTimestamp.Time)
	node.RequestedAt = optional(object.RequestedAt())
	node.Finalizers = object.Meta.Finalizers
	if node.Status == "" && object.Terminating() && object.Is("", "Namespace") {
		node.Status = string(corev1.NamespaceTerminating)
	}
	for _, name := range t.options.Labels {
		if value, labelled := object.Meta.Labels[name]; labelled {
			if node.Labels == nil {
				node.Labels = map[string]string{}
			}
			node.Labels[name] = value
		}
	}
}

func optional(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = result.InSeconds(at)
	return &at
}
