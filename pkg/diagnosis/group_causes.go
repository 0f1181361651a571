package diagnosis

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// group is causes that are the same but for the object, the first of them by name in front.
type group struct {
	causes []finding.Finding
	nodes  []int // where they were found
	frees  int
	blocks int // Terminating objects that wait for it, with others that wait for more
	number int // of the first cause that was found
	mixed  bool
}

// isMixed reports whether a group's objects are of several kinds, or have different finalizers.
func (g *group) isMixed() bool {
	first := g.causes[0]
	return slices.ContainsFunc(g.causes, func(cause finding.Finding) bool {
		return cause.Object.Kind != first.Object.Kind || cause.Finalizer != first.Finalizer
	})
}

// isVarious reports whether a group's objects have different finalizers.
func (g *group) isVarious() bool {
	return slices.ContainsFunc(g.causes, func(cause finding.Finding) bool {
		return cause.Finalizer != g.causes[0].Finalizer
	})
}

// grouping joins causes that are alike, and says what each object waits for of them.
type grouping struct {
	found    *expansion
	all      []*group           // once the causes are all found
	member   []*group           // of each cause, its group
	alone    []*group           // by node, of what waits for one group alone
	parts    []int              // by node, of what waits for one another
	carried  []*carried         // by part
	surely   func(node int) set // the numbers of the groups that a node waits for, if not all waits are sure
	ranks    []int              // of causes, by the names of their objects
	unclears map[int]bool       // by the numbers of identities, what is unclear
	unclear  set                // those of them that are
	keys     map[string]int     // numbers of what objects are held by
}

// join joins the causes that are alike, counts what each joined cause frees and sorts them: causes to fix before
// unknown ones, the cause that frees most first.
func (g *grouping) join(ctx context.Context) {
	byKey := map[string]*group{}
	g.all, g.member = nil, make([]*group, len(g.found.causes))
	for number, cause := range g.found.causes {
		joined := byKey[cause.Key]
		if cause.Key == "" || joined == nil {
			joined = &group{number: number}
			g.all = append(g.all, joined)
			byKey[cause.Key] = joined
		}
		joined.causes = append(joined.causes, cause)
		g.member[number] = joined
	}
	for node := range g.found.graph.Nodes() {
		for _, number := range g.found.at(node).causes {
			g.member[number].nodes = append(g.member[number].nodes, node)
		}
	}
	for _, joined := range g.all {
		slices.SortFunc(joined.causes, func(a, b finding.Finding) int { return finding.Compare(a.Object, b.Object) })
		joined.mixed = joined.isMixed()
		joined.causes[0].Mixed, joined.causes[0].Various = joined.mixed, joined.isVarious()
	}
	for number, joined := range g.member {
		g.found.causes[number].Mixed, g.found.causes[number].Various = joined.mixed, joined.causes[0].Various
	}
	g.ranks = ranksOf(g.found.causes)
	g.countFreed(ctx)
	slices.SortFunc(g.all, func(a, b *group) int { return foremost(a.causes[0], b.causes[0], a.frees, b.frees) })
}

// share is what an object waits for of a group.
type share struct {
	whole     *group
	first     *finding.Finding // by name
	count     int
	frees     int // of what the object waits for
	rank, low int // of the first, and of the one that says how certain all are
	certainty finding.Certainty
}

// sharesAt returns the shares of the groups that a node waits for, sorted as if there were no others.
func (g *grouping) sharesAt(node int, to *carried) []share {
	all, _ := to.groups.count(nil)
	shares, at := make([]share, 0, all), map[*group]int{}
	for number := range to.causes.all() {
		whole, rank, cause := g.member[number], g.ranks[number], &g.found.causes[number]
		index, known := at[whole]
		if !known {
			index = len(shares)
			at[whole] = index
			shares = append(shares, share{whole: whole, rank: len(g.found.causes), low: -1, certainty: finding.Proven})
		}
		one := &shares[index]
		one.count++
		if rank < one.rank {
			one.rank, one.first = rank, cause
		}
		if cause.Certainty != finding.Proven && rank > one.low {
			one.low, one.certainty = rank, cause.Certainty
		}
	}
	if len(shares) < 2 {
		return shares
	}
	for _, reached := range g.found.graph.Reach(node) {
		if index, known := at[g.alone[reached]]; known {
			shares[index].frees++
		}
	}
	slices.SortFunc(shares, func(a, b share) int { return foremost(*a.first, *b.first, a.frees, b.frees) })
	return shares
}

// certainty is that of all of a group's causes: what is said about them all is no surer than the least sure.
func (g *group) certainty() finding.Certainty {
	certainty := g.causes[0].Certainty
	for _, other := range g.causes {
		if other.Certainty != finding.Proven {
			certainty = other.Certainty
		}
	}
	return certainty
}

// rootCauses are the causes as a result has them. If ctx ends meanwhile, there are the first of them, and no more
// groups than these.
func (r *run) rootCauses(ctx context.Context) []result.RootCause {
	r.losses.look(ctx)
	return r.tellCauses(ctx)
}

// tellCauses are the causes, after it was found out what is lost.
func (r *run) tellCauses(ctx context.Context) []result.RootCause {
	lasting, stop := session.Lasting(ctx, putTogether)
	defer stop()
	causes, voice := make([]result.RootCause, 0, len(r.groups.all)), voiceOf(r.tools)
	for _, joined := range r.groups.all {
		if lasting.Err() != nil {
			r.groups.all = r.groups.all[:len(causes)]
			return causes
		}
		if rootCause, abroad := r.abroad.told(joined); abroad {
			causes = append(causes, rootCause)
			continue
		}
		first, remedies := joined.causes[0], r.found.ofWholeKinds(joined.remedies())
		remedies = r.offered(r.losses.weigh(ctx, remedies, r.losses.taken[joined]))
		entries := entriesOf(joined.causes)
		voice.Several = len(first.Also)+len(entries) > 0
		voice.Live = r.tools.Session.Foresees && !r.found.requestedBefore(joined)
		cause := result.RootCause{
			Reason: first.Reason, Situation: first.Situation, Details: first.Details,
			Object: first.Object, Finalizer: first.Finalizer, Also: first.Also, Entries: entries, Certainty: joined.certainty(),
			Key: first.Identity(), Message: voice.Message(first), InShort: first.InShort(voice),
			Evidence: result.Evidence(first.Evidence), Signs: finding.SaySigns(voice, first.Signs),
			Remedies: voice.Remedies(remedies), Count: len(joined.causes), Frees: joined.frees,
		}
		for _, other := range joined.causes[1:] {
			cause.Others = append(cause.Others, other.Object)
		}
		for _, found := range joined.causes {
			cause.Candidates = union(cause.Candidates, found.Candidates...)
			cause.Unseen = cause.Unseen || found.Unseen
			for _, unread := range found.Unread {
				cause.Unread = union(cause.Unread, voice.Unread(unread))
			}
		}
		causes = append(causes, cause)
	}
	return causes
}

// entriesOf are the finalizers of each cause's object, unless they are the same everywhere.
func entriesOf(causes []finding.Finding) []result.Entry {
	entries := finding.Each(causes, func(cause finding.Finding) result.Entry {
		return result.Entry{Object: cause.Object, Finalizers: append([]string{cause.Finalizer}, cause.Also...)}
	})
	differs := func(entry result.Entry) bool { return !slices.Equal(entry.Finalizers, entries[0].Finalizers) }
	if !slices.ContainsFunc(entries, differs) {
		return nil
	}
	return entries
}

// remedies are what to do about the first of a group's objects, and the same about the others. For other kinds, or
// other finalizers, there may be something else to do.
func (g *group) remedies() []finding.Remedy {
	type sort struct{ kind, finalizer string }
	sortOf := func(cause finding.Finding) sort { return sort{cause.Object.Kind, cause.Finalizer} }
	all, sorts := g.causes[0].Remedies, []sort{sortOf(g.causes[0])}
	for _, other := range g.causes[1:] {
		alike := slices.Contains(sorts, sortOf(other))
		if !alike {
			sorts = append(sorts, sortOf(other))
		}
		for _, remedy := range other.Remedies {
			said := slices.ContainsFunc(all, func(step finding.Remedy) bool { return step.Step == remedy.Step })
			all = finding.JoinSteps(all, remedy, true, !alike && (!said || remedy.Forces()))
		}
	}
	return all
}
