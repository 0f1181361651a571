package diagnosis

import (
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// putTogether is how long what is known may be put together after an interrupt.
const putTogether = 300 * time.Millisecond

// countFreed counts, for each group, the Terminating objects that wait for nothing else.
func (r *run) countFreed(ctx context.Context) {
	ctx, stop := session.Lasting(ctx, putTogether)
	defer stop()
	r.alone, r.parts = make([]*group, len(r.graph.Nodes())), r.graph.Parts(func(graph.Edge) bool { return true })
	r.carried = r.carry(ctx, r.parts, func(graph.Edge) bool { return true })
	r.surely = nil
	if slices.ContainsFunc(r.graph.Edges(), func(edge graph.Edge) bool { return !edge.Sure() }) {
		parts := r.graph.Parts(graph.Edge.Sure)
		sure := r.carry(ctx, parts, graph.Edge.Sure)
		r.surely = func(node int) set { return sure[parts[node]].groups }
	}
	only := map[*carried]*group{}
	for node, described := range r.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		to := r.carriedTo(node)
		if _, known := only[to]; !known {
			only[to] = r.only(to)
		}
		if r.alone[node] = only[to]; only[to] != nil {
			only[to].frees++
		}
	}
}

// only is the group that is all that is waited for, without the ones that end with it; nil for none.
func (r *run) only(to *carried) (only *group) {
	if to.besides != (result.Besides{}) || to.cut {
		return nil
	}
	for number := range to.groups.all() {
		one := r.member[number]
		if _, ends := r.endsWith(one).count(to.groups); ends > 0 {
			continue
		}
		if only != nil {
			return nil
		}
		only = one
	}
	return only
}

// endsWith are the numbers of the groups that hold the object of a cause that is over when its object is gone.
func (r *run) endsWith(ending *group) (others set) {
	first := ending.causes[0]
	if len(ending.causes) > 1 || !first.Ends {
		return nil
	}
	others = slices.Clone(r.carriedTo(r.graph.Add(first.Object)).groups)
	if at := ending.number / 64; at < len(others) {
		others[at] &^= 1 << (ending.number % 64)
	}
	return others
}

// groupsOf are the groups of some numbers.
func groupsOf(r *run, numbers set) (groups []*group) {
	for number := range numbers.all() {
		groups = append(groups, r.member[number])
	}
	return groups
}

// ranksOf are the places of causes in the order of the names of their objects.
func ranksOf(causes []finding.Finding) []int {
	order := make([]int, len(causes))
	for number := range order {
		order[number] = number
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return finding.Compare(causes[a].Object, causes[b].Object)
	})
	ranks := make([]int, len(order))
	for rank, number := range order {
		ranks[number] = rank
	}
	return ranks
}
