package diagnosis

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// guess is a wait that is only likely, and was added to the graph.
type guess struct {
	from, to int
	bond     *session.Bond
}

// held is one hold of one object, by which answers are remembered.
type held struct {
	object finding.Ref
	hold   finding.Hold
}

// explain asks the mechanisms about a hold, once.
func (x *expansion) explain(ctx context.Context, object *session.Object, hold finding.Hold) session.Answer {
	key := held{object.Ref, hold}
	answer, known := x.answers[key]
	if !known {
		answer = mechanism.Explain(ctx, x.tools, object, hold)
		x.answers[key] = answer
	}
	return answer
}

// withGuesses adds the guessed waits that remain to an answer, and what to say about them; if none remains, what is
// true without them.
func (x *expansion) withGuesses(answer session.Answer) session.Answer {
	if answer.Guessed == nil {
		return answer
	}
	guessed := answer.Guessed
	answer.Guessed = nil
	note := guessed.Note
	details, _ := note.Details.(finding.BelowDetails)
	for _, wait := range guessed.Waits {
		if x.refuted[wait.Bond] {
			if circle := x.circles[wait.Bond]; circle != nil {
				answer.Open = append(answer.Open, *circle)
			}
			continue
		}
		answer.Waits = append(answer.Waits, wait)
		details.Objects, details.Links = append(details.Objects, wait.Blocker.Ref), append(details.Links, wait.Bond.Link)
		note.Evidence = append(note.Evidence, wait.Bond.Evidence...)
	}
	if len(details.Objects) == 0 {
		answer.Add(guessed.Instead)
		return answer
	}
	note.Details = details
	answer.Add(session.Answer{Remarks: []finding.Finding{note}, Open: guessed.Open})
	return answer
}

// guessed remembers a wait that is only likely, and makes its edge one.
func (x *expansion) guessed(edge graph.Edge, wait session.Wait) graph.Edge {
	if wait.Bond == nil {
		return edge
	}
	x.guesses = append(x.guesses, guess{from: edge.From, to: edge.To, bond: wait.Bond})
	edge.Certainty, edge.Evidence = finding.Likely, wait.Bond.Evidence
	return edge
}

// contradicted finds guesses that the findings contradict, and reports whether there are any: objects don't wait for
// one another in a circle on purpose, so the weakest guesses in a circle are wrong; and some count only if something is
// stuck. What a controller names counts, too, where what it takes to tell could not be read.
func (x *expansion) contradicted(ctx context.Context) bool {
	before := len(x.refuted)
	circles := x.graph.Cycles(ctx)
	number := make([]int, len(x.graph.Nodes())) // of the circle in which a node is, from 1
	for i, members := range circles {
		for _, member := range members {
			number[member] = i + 1
		}
	}
	inside := make([][]guess, len(circles)+1)
	for _, one := range x.guesses {
		if number[one.from] == number[one.to] {
			inside[number[one.from]] = append(inside[number[one.from]], one)
		}
	}
	for i, members := range circles {
		x.openCircle(members, inside[i+1])
	}
	if len(x.refuted) > before {
		return true
	}
	stuck, unread := x.stuck(), x.unread()
	for _, one := range x.guesses {
		mayBe := one.bond.Strength == session.NamedInWords && unread[one.to]
		if one.bond.IfStuck && !stuck[one.to] && !mayBe {
			x.refuted[one.bond] = true
		}
	}
	return len(x.refuted) > before
}

// openCircle refutes the weakest of the guesses in a circle. Where these are what statuses say, that is told.
func (x *expansion) openCircle(members []int, inside []guess) {
	if len(inside) == 0 {
		return
	}
	byStrength := func(a, b guess) int { return cmp.Compare(a.bond.Strength, b.bond.Strength) }
	weakest := slices.MinFunc(inside, byStrength).bond.Strength
	var circle *finding.Finding
	if weakest == session.NamedInStatus || weakest == session.NamedInWords {
		details := finding.BelowDetails{}
		for _, node := range members {
			details.Objects = append(details.Objects, x.objects[node].Ref)
		}
		slices.SortFunc(details.Objects, finding.Compare)
		circle = &finding.Finding{
			Situation: "LikelyCircle", Object: details.Objects[0], Details: details,
			Key: finding.KeyOf("LikelyCircle", details.Objects),
		}
	}
	for _, one := range inside {
		if circle != nil {
			circle.Evidence = append(circle.Evidence, one.bond.Evidence...)
		}
		if one.bond.Strength == weakest {
			x.refuted[one.bond], x.circles[one.bond] = true, circle
		}
	}
}

// stuck says of each node whether it waits for something that a person must fix.
func (x *expansion) stuck() []bool {
	known := func(number int) bool { return !unidentified(x.causes[number]) }
	var at []int
	for node := range x.graph.Nodes() {
		if slices.ContainsFunc(x.at(node).causes, known) {
			at = append(at, node)
		}
	}
	return x.graph.ReachedBy(at, nil)
}

// unread says of each node whether it waits for something, and it could not be read who should act on that: it may be
// stuck.
func (x *expansion) unread() []bool {
	lacks := func(note finding.Finding) bool { return len(note.Unread) > 0 }
	var at []int
	for node := range x.graph.Nodes() {
		place := x.at(node)
		if slices.ContainsFunc(place.open.findings, lacks) ||
			slices.ContainsFunc(place.causes, func(number int) bool { return lacks(x.causes[number]) }) {
			at = append(at, node)
		}
	}
	return x.graph.ReachedBy(at, nil)
}

// copied is an expansion as it is now, which continues by itself. Answers, and the objections to guesses, are shared.
func (x *expansion) copied() expansion {
	other := *x
	other.graph, other.queue, other.borders = x.graph.Clone(), slices.Clone(x.queue), slices.Clone(x.borders)
	other.causes, other.guesses = slices.Clone(x.causes), slices.Clone(x.guesses)
	other.joined = map[int]map[finding.Ref]bool{} // which are made anew
	other.numbers, other.objects = maps.Clone(x.numbers), maps.Clone(x.objects)
	other.places = make([]*place, len(x.places))
	for node, at := range x.places {
		if at != nil {
			one := *at
			other.places[node] = &one
		}
	}
	return other
}

// likelyAt is how sure a cause is as that of a node's: not proven where only what is likely leads to it.
func likelyAt(surely []bool, joined *group, certainty finding.Certainty) finding.Certainty {
	reached := func(node int) bool { return surely[node] }
	if certainty == finding.Proven && len(joined.nodes) > 0 && !slices.ContainsFunc(joined.nodes, reached) {
		return finding.Likely
	}
	return certainty
}
