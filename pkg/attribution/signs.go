package attribution

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// signKind is the kind of a fact that was read about a program, and points at it as a finalizer's controller, or away
// from it.
type signKind string

// The kinds. Names:
const (
	namedAsSetter           signKind = "NamedAsManager"   // of a field manager that set the finalizer
	namedLikeSetter         signKind = "NamedLikeManager" // and with other words beside
	setFinalizer            signKind = "SetTheFinalizer"
	namedAsUser             signKind = "NamedAsUser" // who may remove the finalizer
	namedAsRole             signKind = "NamedAsRole"
	namedAsKind             signKind = "NamedAsKind"
	namedAsKindsOperator    signKind = "NamedAsKindsOperator"
	namedAsProject          signKind = "NamedAsProject"
	namedAsProjectsOperator signKind = "NamedAsProjectsOperator"
	namedAsOperator         signKind = "NamedAsOperator"
	namedAsDriver           signKind = "NamedAsDriver"
	calledAsKind            signKind = "CalledAsKind" // by its labels and images
	calledAsProject         signKind = "CalledAsProject"
	calledAsOperator        signKind = "CalledAsOperator"
	namedForOtherDuty       signKind = "NamedForOtherDuty"
)

// What a program does, is told, or was installed with:
const (
	holdsLease        signKind = "HoldsLease"        // of the finalizer's or the kind's controller
	holdsNamedLease   signKind = "HoldsNamedLease"   // one with a name of the project, as any program's may have
	holdsOwnLease     signKind = "HoldsDriversLease" // one that leads to nothing but this program
	answersFor        signKind = "AnswersFor"
	answersForHook    signKind = "AnswersForHook"
	besideAnswering   signKind = "BesideAnswering"
	besideWebhook     signKind = "BesideWebhook"
	besideDriver      signKind = "BesideDriver"
	mentionsFinalizer signKind = "MentionsFinalizer"
	mentionsGroup     signKind = "MentionsGroup"
	mentionsDomain    signKind = "MentionsDomain"
	namesDriver       signKind = "NamesDriver"
	hasSidecar        signKind = "HasSidecar"
	onlySidecar       signKind = "OnlySidecar"
	ofSameRelease     signKind = "OfSameRelease"
	ofDriversRelease  signKind = "OfDriversRelease"
	runsOnEachNode    signKind = "RunsOnEachNode"
	mayElsewhere      signKind = "ChangesKindElsewhere"
)

// What the catalogue says:
const (
	inUsualNamespace     signKind = "InUsualNamespace"
	inCatalogue          signKind = "InCatalogue" // of several that share a ServiceAccount
	describedByName      signKind = "DescribedByName"
	describedByLabels    signKind = "DescribedByLabels"
	describedByContainer signKind = "DescribedByContainer"
)

// signRow is what the signs of a kind count for.
type signRow struct {
	weight    int    // is added to the score of what it is about; negative if it is an objection
	setter    bool   // it ties a program to who set the finalizer
	acts      bool   // the program does, or is told, what only a controller of the finalizer or the kind does or is
	described bool   // the catalogue means this program
	ties      bool   // it ties the program to the project, as nothing does that merely has the same rights
	general   bool   // many programs that have nothing to do with the finalizer bear it too
	situation string // of the clause that tells it; empty if none does
}

// Thresholds of scores. A ServiceAccount's specific rights count beside its signs.
const (
	rightWeight = 4 // of each specific right on the kind
	enoughSigns = 3 // make a candidate of a program that no rights lead to
	// nameAlone is what a name that two things have in common weighs. It settles nothing.
	nameAlone = 3
)

// signTable says what each kind of sign counts for. A sign of what a program does weighs more than one of its name, and
// who set the finalizer more than anything else but a Lease of its own.
func signTable() map[signKind]signRow {
	return map[signKind]signRow{
		namedAsSetter:           {weight: 8, setter: true, situation: "NamedAsManager"},
		holdsOwnLease:           {weight: 8, ties: true, situation: "HoldsDriversLease"},
		inCatalogue:             {weight: 8},
		inUsualNamespace:        {weight: 6, ties: true, situation: "InUsualNamespace"},
		besideWebhook:           {weight: 6, ties: true, situation: "BesideWebhook"},
		namedAsUser:             {weight: nameAlone, situation: "NamedAsUser"},
		setFinalizer:            {weight: 4, setter: true, situation: "SetTheFinalizer"},
		answersFor:              {weight: 4, acts: true, situation: "AnswersFor"},
		namedAsRole:             {weight: 4, acts: true, situation: "NamedAsRole"},
		mentionsFinalizer:       {weight: 4, acts: true, situation: "MentionsName"},
		mentionsGroup:           {weight: 4, acts: true, situation: "MentionsName"},
		mayElsewhere:            {weight: 4, general: true, situation: "ChangesKindElsewhere"},
		namesDriver:             {weight: 4, situation: "NamesDriver"},
		ofDriversRelease:        {weight: 4, situation: "OfDriversRelease"},
		hasSidecar:              {weight: 4, situation: "HasSidecar"},
		mentionsDomain:          {weight: nameAlone, situation: "MentionsName"},
		holdsLease:              {weight: 3, acts: true, situation: "HoldsLease"},
		holdsNamedLease:         {weight: nameAlone, situation: "HoldsLease"},
		namedLikeSetter:         {weight: nameAlone, situation: "NamedAsManager"},
		ofSameRelease:           {weight: 3, ties: true, situation: "OfSameRelease"},
		besideDriver:            {weight: 3, situation: "BesideDriver"},
		namedAsKind:             {weight: 3, general: true, situation: "NamedAsKind"},
		namedAsKindsOperator:    {weight: nameAlone, situation: "NamedAsKindsOperator"},
		namedAsProjectsOperator: {weight: nameAlone, situation: "NamedAsProjectsOperator"},
		namedAsDriver:           {weight: nameAlone, situation: "NamedAsDriver"},
		namedAsProject:          {weight: 2, situation: "NamedAsProject"},
		calledAsKind:            {weight: 2},
		calledAsProject:         {weight: 1},
		calledAsOperator:        {weight: 1},
		namedAsOperator:         {weight: 1, general: true, situation: "NamedAsOperator"},
		besideAnswering:         {weight: 1, situation: "BesideAnswering"},
		onlySidecar:             {weight: 1, situation: "OnlySidecar"},
		describedByName:         {described: true, situation: "DescribedByName"},
		describedByLabels:       {described: true, situation: "DescribedByLabels"},
		describedByContainer:    {described: true, situation: "DescribedByContainer"},
		answersForHook:          {weight: -4, situation: "AnswersForHook"},
		namedForOtherDuty:       {weight: -4, situation: "NamedForOtherDuty"},
		runsOnEachNode:          {weight: -2, situation: "RunsOnEachNode"},
	}
}

// sign is a fact that was read about a program.
type sign struct {
	kind signKind
	row  signRow
	of   finding.Clue
	word string // in a name, if that is all that it is about
}

func signOf(kind signKind, of finding.Clue) sign {
	return sign{kind: kind, row: signTable()[kind], of: of}
}

// phrase completes "it …"; it is empty for a sign that no clause tells.
func (s sign) phrase() finding.Phrase {
	if s.row.situation == "" {
		return finding.Phrase{}
	}
	return finding.Phrase{Situation: s.row.situation, Details: s.of}
}

// signs are all that was read about a program, in the order in which it was read.
type signs []sign

// with adds a sign, if none of its kind is there yet.
func (all signs) with(kind signKind, of finding.Clue) signs {
	if all.has(kind) {
		return all
	}
	return append(all, signOf(kind, of))
}

// named adds a sign that a word in a name is.
func (all signs) named(kind signKind, of finding.Clue, word string) signs {
	if all.has(kind) {
		return all
	}
	one := signOf(kind, of)
	one.word = strings.ToLower(word)
	return append(all, one)
}

// score is what the signs weigh together. What one word says counts once, by the sign of it that weighs most.
func (all signs) score() (sum int) {
	for i, one := range all {
		if !slices.ContainsFunc(all[:i], one.repeats) && !slices.ContainsFunc(all[i+1:], one.repeatsLess) {
			sum += one.row.weight
		}
	}
	return sum
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
		if phrase := one.phrase(); are(one.row) && phrase.Situation != "" {
			told = append(told, phrase)
		}
	}
	return told
}
