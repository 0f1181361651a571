// Package signs says what counts as a sign that a program is a finalizer's controller, and for how much: one table of
// kinds and weights, with all thresholds by which a controller is chosen and judged (weights_and_thresholds.go), and
// lists of signs. What reads them is in pkg/attribution.
//
// This package may change at any time.
package signs

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Sign is a fact that was read about a program.
type Sign struct {
	Kind Kind
	Row  Row
	of   finding.Clue
	word string // in a name, if that is all that it is about
}

// Of returns a sign of a kind, with the details of what was read.
func Of(kind Kind, clue finding.Clue) Sign {
	return Sign{Kind: kind, Row: table()[kind], of: clue}
}

// Phrase completes "it …".
func (s Sign) Phrase() finding.Phrase {
	return finding.Phrase{Situation: s.Row.situation, Details: s.of}
}

// List is all that was read about a program, in the order in which it was read.
type List []Sign

// Speaks reports whether a sign speaks for a program, in a sentence.
func (s Sign) Speaks() bool { return s.Row.weight > 0 && !s.Row.apart }

// With adds a sign, if none of its kind is there yet. A word is given where a word in a name is all that it is about.
func (all List) With(kind Kind, clue finding.Clue, word ...string) List {
	if all.Has(kind) {
		return all
	}
	added := Of(kind, clue)
	added.word = strings.ToLower(strings.Join(word, ""))
	return append(all, added)
}

// Score is what the signs weigh together.
func (all List) Score() (sum int) {
	for at := range all {
		sum += all.weight(at)
	}
	return sum
}

// weight is what one of the signs adds to the score. What one word says counts once, by the sign that weighs most.
func (all List) weight(at int) int {
	one := all[at]
	if slices.ContainsFunc(all[:at], one.repeats) || slices.ContainsFunc(all[at+1:], one.repeatsLess) {
		return 0
	}
	return one.Row.weight
}

// repeats reports whether another sign says as much or more by the same word; repeatsLess, whether it says more.
func (s Sign) repeats(other Sign) bool {
	return s.word != "" && s.word == other.word && other.Row.weight >= s.Row.weight
}

func (s Sign) repeatsLess(other Sign) bool {
	return s.repeats(other) && other.Row.weight > s.Row.weight
}

// Has reports whether a sign of one of the kinds is among them.
func (all List) Has(kinds ...Kind) bool {
	return slices.ContainsFunc(all, func(one Sign) bool { return slices.Contains(kinds, one.Kind) })
}

// HasAny reports whether a sign among them is as asked.
func (all List) HasAny(is func(Row) bool) bool {
	return slices.ContainsFunc(all, func(one Sign) bool { return is(one.Row) })
}

// BySetter reports whether a sign ties a program to who set the finalizer.
func BySetter(row Row) bool { return row.setter }

// ByActs reports whether a program does, or is told, what only a controller of the finalizer or the kind does or is.
func ByActs(row Row) bool { return row.acts }

// ByCatalogue reports whether the catalogue means the program.
func ByCatalogue(row Row) bool { return row.described }

// ByTie reports whether a sign ties a program to the finalizer, its kind or its project.
func ByTie(row Row) bool { return row.acts || row.described || row.ties }

// Specific reports whether few programs bear a sign that have nothing to do with the finalizer.
func Specific(row Row) bool { return !row.general }

// Phrases complete "it …": the ones that speak for a program.
func (all List) Phrases() []finding.Phrase {
	return all.clauses(func(row Row) bool { return row.weight >= 0 })
}

// Objections are the phrases of the ones with negative weight.
func (all List) Objections() []finding.Phrase {
	return all.clauses(func(row Row) bool { return row.weight < 0 })
}

func (all List) clauses(are func(Row) bool) (told []finding.Phrase) {
	for _, one := range all {
		if are(one.Row) && !one.Row.apart {
			told = append(told, one.Phrase())
		}
	}
	return told
}

// Shown returns the signs with what each adds to the score.
func (all List) Shown() (told []finding.Sign) {
	for at, one := range all {
		told = append(told, finding.Sign{Phrase: one.Phrase(), Weight: all.weight(at)})
	}
	return told
}
