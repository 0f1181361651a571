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
const putTogether = 200 * time.Millisecond

// countFreed counts, for each group, the Terminating objects that wait for it, and the ones that wait for nothing else.
func (g *grouping) countFreed(ctx context.Context) {
	ctx, stop := session.Lasting(ctx, putTogether)
	defer stop()
	every := func(graph.Edge) bool { return true }
	g.alone, g.parts = make([]*group, len(g.found.graph.Nodes())), g.found.graph.Parts(ctx, every)
	g.carried = g.carry(ctx, g.parts, every)
	g.surely = nil
	if slices.ContainsFunc(g.found.graph.Edges(), func(edge graph.Edge) bool { return !edge.Sure() }) {
		parts := g.found.graph.Parts(ctx, graph.Edge.Sure)
		sure := g.carry(ctx, parts, graph.Edge.Sure)
		g.surely = func(node int) (groups set) {
			if node < len(parts) {
				groups = sure[parts[node]].groups
			}
			return groups
		}
	}
	only, alike := map[*carried]*group{}, map[*carried]int{}
	for node, described := range g.found.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		to := g.carriedTo(node)
		alike[to]++
		if _, known := only[to]; !known {
			only[to] = g.only(to)
		}
		if g.alone[node] = only[to]; only[to] != nil {
			only[to].frees++
		}
	}
	for to, count := range alike {
		for number := range to.groups.all() {
			g.member[number].blocks += count
		}
	}
}

// only is the group that is all that is waited for, without the ones that end with it; nil for none.
func (g *grouping) only(to *carried) (only *group) {
	if to.besides != (result.Besides{}) || to.cut {
		return nil
	}
	for number := range to.groups.all() {
		one := g.member[number]
		if _, ends := g.endsWith(one).count(to.groups); ends > 0 {
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
func (g *grouping) endsWith(ending *group) (others set) {
	first := ending.causes[0]
	if len(ending.causes) > 1 || first.Ends == nil {
		return nil
	}
	others = slices.Clone(g.carriedTo(g.found.graph.Add(*first.Ends)).groups)
	if at := ending.number / 64; at < len(others) {
		others[at] &^= 1 << (ending.number % 64)
	}
	return others
}

// numbered are the groups of some numbers.
func (g *grouping) numbered(numbers set) (groups []*group) {
	for number := range numbers.all() {
		groups = append(groups, g.member[number])
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
