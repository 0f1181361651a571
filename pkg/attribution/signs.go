package attribution

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

// sign is a fact that was read about a program.
type sign struct {
	kind signKind
	row  signRow
	of   finding.Clue
	word string // in a name, if that is all that it is about
}

func signOf(kind signKind, clue finding.Clue) sign {
	return sign{kind: kind, row: signTable()[kind], of: clue}
}

// phrase completes "it …".
func (s sign) phrase() finding.Phrase {
	return finding.Phrase{Situation: s.row.situation, Details: s.of}
}

// signs are all that was read about a program, in the order in which it was read.
type signs []sign

// with adds a sign, if none of its kind is there yet. A word is given where a word in a name is all that it is about.
func (all signs) with(kind signKind, clue finding.Clue, word ...string) signs {
	if all.has(kind) {
		return all
	}
	added := signOf(kind, clue)
	added.word = strings.ToLower(strings.Join(word, ""))
	return append(all, added)
}

// score is what the signs weigh together.
func (all signs) score() (sum int) {
	for at := range all {
		sum += all.weight(at)
	}
	return sum
}

// weight is what one of the signs adds to the score. What one word says counts once, by the sign that weighs most.
func (all signs) weight(at int) int {
	one := all[at]
	if slices.ContainsFunc(all[:at], one.repeats) || slices.ContainsFunc(all[at+1:], one.repeatsLess) {
		return 0
	}
	return one.row.weight
}

// repeats reports whether another sign says as much or more by the same word; repeatsLess, whether it says more.
func (s sign) repeats(other sign) bool {
	return s.word != "" && s.word == other.word && other.row.weight >= s.row.weight
}

func (s sign) repeatsLess(other sign) bool {
	return s.repeats(other) && other.row.weight > s.row.weight
}

// has reports whether a sign of one of the kinds is among them.
func (all signs) has(kinds ...signKind) bool {
	return slices.ContainsFunc(all, func(one sign) bool { return slices.Contains(kinds, one.kind) })
}

// hasAny reports whether a sign among them is as asked.
func (all signs) hasAny(is func(signRow) bool) bool {
	return slices.ContainsFunc(all, func(one sign) bool { return is(one.row) })
}

func bySetter(row signRow) bool    { return row.setter }
func byActs(row signRow) bool      { return row.acts }
func byCatalogue(row signRow) bool { return row.described }
func byTie(row signRow) bool       { return row.acts || row.described || row.ties }
func specific(row signRow) bool    { return !row.general }

// phrases complete "it …": the ones that speak for a program.
func (all signs) phrases() []finding.Phrase {
	return all.clauses(func(row signRow) bool { return row.weight >= 0 })
}

// objections are the ones with negative weight.
func (all signs) objections() []finding.Phrase {
	return all.clauses(func(row signRow) bool { return row.weight < 0 })
}

func (all signs) clauses(are func(signRow) bool) (told []finding.Phrase) {
	for _, one := range all {
		if are(one.row) && !one.row.apart {
			told = append(told, one.phrase())
		}
	}
	return told
}

// rightSigns are an account's specific rights on a resource.
func rightSigns(access *rbac.Access, resource string) (all signs) {
	for _, right := range []struct {
		kind signKind
		has  bool
	}{
		{mayFinalize, access.Finalizers}, {mayWrite, access.Write}, {mayWriteOnly, access.Write && access.Named},
		{mayTellState, access.Status}, {mayWatch, access.Watch},
	} {
		if right.has {
			all = all.with(right.kind, finding.Clue{Resource: resource})
		}
	}
	return all
}
