package diagnosis

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// carried is what was found at all nodes that the ones of a part wait for, directly or not. It is carried from part to
// part, so that each is looked at once.
type carried struct {
	causes, groups set // by number; a group has that of the first of its causes
	open, moving   carriedNotes
	besides        result.Besides
	until          time.Time // when the first of what is open or in progress should be over, or zero
	cut            bool      // the look was interrupted before it was known
}

// carriedNotes are findings by the numbers of their identities, and where the first of them are.
type carriedNotes struct {
	all           set
	sure, unclear []spot
}

// spot is where a finding is among the ones of its sort: at a node, by its index.
type spot struct{ node, index, number int }

// mostCarried is how many findings are carried with their places: at least as many as sentences compare.
const mostCarried = 8

func (n *carriedNotes) join(other carriedNotes) {
	n.all.join(other.all)
	n.sure, n.unclear = firstOf(n.sure, other.sure), firstOf(n.unclear, other.unclear)
}

// firstOf are the first few of some spots by their places, each identity once.
func firstOf(some, others []spot) []spot {
	if len(others) == 0 {
		return some
	}
	byPlace := func(a, b spot) int { return cmp.Or(a.node-b.node, a.index-b.index) }
	all := slices.Concat(some, others)
	slices.SortFunc(all, byPlace)
	first := all[:0]
	for _, one := range all {
		known := slices.ContainsFunc(first, func(other spot) bool { return other.number == one.number })
		if !known && len(first) < mostCarried {
			first = append(first, one)
		}
	}
	return first
}

// carrier carries what was found along some waits.
type carrier struct {
	of    *grouping
	parts []int // by node
	along func(graph.Edge) bool
	now   time.Time
	all   []*carried // by part
}

// carry finds what the nodes of each part wait for, by the waits along which it looks: nothing, without parts.
func (g *grouping) carry(ctx context.Context, parts []int, along func(graph.Edge) bool) []*carried {
	nodes := g.found.graph.Numbers()[:len(parts)]
	slices.SortStableFunc(nodes, func(a, b int) int { return parts[a] - parts[b] })
	c := carrier{of: g, parts: parts, along: along, now: g.found.tools.Session.Now()}
	for len(nodes) > 0 {
		part, members := parts[nodes[0]], 1
		for members < len(nodes) && parts[nodes[members]] == part {
			members++
		}
		if ctx.Err() != nil {
			c.all = append(c.all, &carried{cut: true})
		} else {
			c.all = append(c.all, c.to(nodes[:members], part))
		}
		nodes = nodes[members:]
	}
	return c.all
}

// to puts together what was found at the members of a part, and at the parts that these wait for.
func (c *carrier) to(members []int, part int) *carried {
	var next []int
	own, found := &carried{}, false
	for _, node := range members {
		found = c.own(own, node) || found
		for _, edge := range c.of.found.graph.WaitsOf(node) {
			if to := c.parts[edge.To]; to != part && c.along(edge) && !slices.Contains(next[max(0, len(next)-1):], to) {
				next = append(next, to)
			}
		}
	}
	slices.Sort(next)
	next = slices.Compact(next)
	if !found && len(next) == 1 {
		return c.all[next[0]]
	}
	for _, number := range next {
		other := c.all[number]
		own.causes.join(other.causes)
		own.groups.join(other.groups)
		own.open.join(other.open)
		own.moving.join(other.moving)
		own.cut = own.cut || other.cut
		own.besides.Unclear = own.besides.Unclear || other.besides.Unclear
		own.besides.Moving = own.besides.Moving || other.besides.Moving
		own.besides.Later = own.besides.Later || other.besides.Later
		own.ends(other.until, c.now)
	}
	return own
}

// own adds what was found at a node, and reports whether that is anything.
func (c *carrier) own(own *carried, node int) bool {
	place := c.of.found.at(node)
	for _, number := range place.causes {
		own.causes.add(number)
		own.groups.add(c.of.member[number].number)
	}
	for _, remark := range place.remarks {
		own.besides.Later = own.besides.Later || remark.Holds
	}
	c.notes(&own.open, node, &place.open)
	c.notes(&own.moving, node, &place.progress)
	own.besides.Unclear = own.besides.Unclear || len(place.open.findings) > 0
	own.besides.Moving = own.besides.Moving || len(place.progress.findings) > 0
	for _, cause := range slices.Concat(place.open.findings, place.progress.findings) {
		own.ends(cause.Until, c.now)
	}
	return len(place.causes)+len(place.remarks)+len(place.open.findings)+len(place.progress.findings) > 0
}

func (c *carrier) notes(into *carriedNotes, node int, from *notes) {
	g := c.of
	var sure, unclear []spot
	for index, number := range from.numbered(g.found.identities) {
		into.all.add(number)
		if _, known := g.unclears[number]; !known {
			g.unclears[number] = from.findings[index].Unclear()
		}
		if g.unclears[number] {
			g.unclear.add(number)
			unclear = append(unclear, spot{node, index, number})
		} else {
			sure = append(sure, spot{node, index, number})
		}
	}
	into.sure, into.unclear = firstOf(into.sure, sure), firstOf(into.unclear, unclear)
}

func (c *carried) ends(until, now time.Time) {
	if until.After(now) && (c.until.IsZero() || until.Before(c.until)) {
		c.until = until
	}
}

// carriedTo is what a node waits for in all.
func (g *grouping) carriedTo(node int) *carried {
	if node >= len(g.parts) {
		return &carried{cut: true}
	}
	return g.carried[g.parts[node]]
}

// addNotes adds findings of one sort to what an object waits for: the first few, and how many more there are.
func (g *grouping) addNotes(awaited *finding.Waiting, from carriedNotes, of func(*place) *notes) {
	spots := slices.Concat(from.sure, from.unclear)
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Or(a.node-b.node, a.index-b.index) })
	for _, one := range spots {
		awaited.Add(finding.Awaited{Finding: of(g.found.at(one.node)).findings[one.index], Count: 1})
	}
	all, unclear := from.all.count(g.unclear)
	awaited.More += all - unclear - len(from.sure)
	awaited.MoreUnclear += unclear - len(from.unclear)
}
