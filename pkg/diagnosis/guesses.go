package diagnosis

import (
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// guess is a wait that is only likely, and was added to the graph.
type guess struct {
	waiter, blocker finding.Ref
	from, to        int
	bond            *session.Bond
}

// unsettled is a hold of which nobody is known to end it, and what it may wait for.
type unsettled struct {
	held
	blockers []int
}

// pair is one object that may wait for another.
type pair struct{ waiter, blocker finding.Ref }

// held is one hold of one object, by which answers are remembered.
type held struct {
	object finding.Ref
	hold   finding.Hold
}

// withGuesses adds to an answer the guessed waits that stand, and what is to be told of them; where none stands, what is
// true without them.
func (r *run) withGuesses(node int, hold *finding.Hold, answer session.Answer) session.Answer {
	if answer.Guessed == nil || hold == nil {
		return answer
	}
	guessed, waiter := answer.Guessed, r.graph.Nodes()[node].Ref
	open := unsettled{held: held{waiter, *hold}}
	answer.Guessed = nil
	note := guessed.Note
	details, _ := note.Details.(finding.BelowDetails)
	for _, wait := range guessed.Waits {
		if r.refuted[pair{waiter, wait.Blocker.Ref}] {
			continue
		}
		answer.Waits = append(answer.Waits, wait)
		details.Objects = append(details.Objects, wait.Blocker.Ref)
		open.blockers = append(open.blockers, r.add(wait.Blocker))
		note.Evidence = append(note.Evidence, wait.Bond.Evidence...)
	}
	if len(details.Objects) > 0 {
		note.Details = details
		answer.Add(session.Answer{Remarks: []finding.Finding{note}, Open: guessed.Open})
	}
	if len(details.Objects) == 0 || r.anyway[open.held] {
		answer.Add(guessed.Instead)
	} else if guessed.Unidentified {
		r.open = append(r.open, open)
	}
	return answer
}

// guessed remembers a wait that is only likely, and makes its edge one.
func (r *run) guessed(edge graph.Edge, wait session.Wait) graph.Edge {
	if wait.Bond == nil {
		return edge
	}
	nodes := r.graph.Nodes()
	r.guesses = append(r.guesses, guess{
		waiter: nodes[edge.From].Ref, blocker: nodes[edge.To].Ref, from: edge.From, to: edge.To, bond: wait.Bond,
	})
	edge.Certainty, edge.Evidence = finding.Likely, wait.Bond.Evidence
	return edge
}

// contradicted finds guesses that what was found speaks against, and tells whether there are any: objects don't wait
// for one another in a circle on purpose, so that of the guesses in one the weakest are wrong; and some count only where
// something is stuck.
func (r *run) contradicted() bool {
	before := len(r.refuted)
	for _, members := range r.graph.Cycles() {
		weakest := session.OwnedByIt + 1
		inside := func(one guess) bool { return slices.Contains(members, one.from) && slices.Contains(members, one.to) }
		for _, one := range r.guesses {
			if inside(one) {
				weakest = min(weakest, one.bond.Strength)
			}
		}
		for _, one := range r.guesses {
			if inside(one) && one.bond.Strength == weakest {
				r.refuted[pair{one.waiter, one.blocker}] = true
			}
		}
	}
	if len(r.refuted) > before {
		return true
	}
	for _, one := range r.guesses {
		if one.bond.IfStuck && !r.stuck(one.to) {
			r.refuted[pair{one.waiter, one.blocker}] = true
		}
	}
	known := len(r.anyway)
	for _, one := range r.open {
		if !slices.ContainsFunc(one.blockers, r.stuck) {
			r.anyway[one.held] = true
		}
	}
	return len(r.refuted) > before || len(r.anyway) > known
}

// stuck tells whether an object waits for something that somebody has to mend.
func (r *run) stuck(node int) bool {
	for reached := range r.graph.Reach(node) {
		if slices.ContainsFunc(r.at(reached).causes, func(number int) bool { return !unidentified(r.causes[number]) }) {
			return true
		}
	}
	return false
}

// copied is a run as it is now, which goes on by itself. Answers, and what speaks against guesses, are shared.
func (r *run) copied() run {
	other := *r
	other.graph, other.queue = r.graph.Clone(), slices.Clone(r.queue)
	other.causes, other.guesses, other.open = slices.Clone(r.causes), slices.Clone(r.guesses), slices.Clone(r.open)
	other.numbers, other.objects = maps.Clone(r.numbers), maps.Clone(r.objects)
	other.places = map[int]*place{}
	for node, at := range r.places {
		one := *at
		other.places[node] = &one
	}
	return other
}

// likelyAt is how sure a cause is as that of a node's: not proven where only what is likely leads to it.
func (r *run) likelyAt(surely map[int]bool, joined *group, certainty finding.Certainty) finding.Certainty {
	reached := func(node int) bool { return surely[node] }
	if certainty == finding.Proven && len(joined.nodes) > 0 && !slices.ContainsFunc(joined.nodes, reached) {
		return finding.Likely
	}
	return certainty
}
