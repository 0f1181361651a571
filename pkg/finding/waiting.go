package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Awaited is what an object waits for: a finding, or several of one key.
type Awaited struct {
	Finding
	Count int
}

// Waiting is what an object waits for: the first few things, which are all that sentences name, and how many more there
// are.
type Waiting struct {
	Some              []Awaited
	More, MoreUnclear int // that are known to block it, and that may block it
	sure, unclear     int // of these few
}

// mostUnclear is how many reasons why something is not clear are compared with one another: sentences say two.
const mostUnclear = 8

// MostItems is how many things a list names before it counts the others. One alone is never counted.
const MostItems = 3

// WaitingFor is Waiting for all of some things.
func WaitingFor(awaited []Awaited) (w Waiting) {
	for _, one := range awaited {
		w.Add(one)
	}
	return w
}

// Add adds one more thing.
func (w *Waiting) Add(awaited Awaited) {
	count, more, most := &w.sure, &w.More, MostItems+1
	if awaited.Unclear() {
		count, more, most = &w.unclear, &w.MoreUnclear, mostUnclear
	}
	if *count == most {
		*more++
		return
	}
	*count++
	w.Some = append(w.Some, awaited)
}

// Now is Waiting for what blocks the object now. What only comes later is left out, unless there is nothing else, and
// what may block it follows what does.
func (w Waiting) Now() Waiting {
	comesLater := func(awaited Awaited) bool { return PlaceOf(awaited.Situation) == PlacedLater }
	now := slices.DeleteFunc(slices.Clone(w.Some), comesLater)
	if len(now) == 0 {
		now = slices.Clone(w.Some)
	}
	slices.SortStableFunc(now, func(a, b Awaited) int { return cmp.Compare(a.rank(), b.rank()) })
	ordered := WaitingFor(now)
	ordered.More, ordered.MoreUnclear = w.More, w.MoreUnclear
	return ordered
}

// rank is 0 for what blocks an object, and 1 for what may block it.
func (a Awaited) rank() int {
	if a.Unclear() {
		return 1
	}
	return 0
}

// Count is how many things there are.
func (w Waiting) Count() int { return len(w.Some) + w.More + w.MoreUnclear }

// Unclear is of how many of them it is not clear whether they block the object.
func (w Waiting) Unclear() int { return w.unclear + w.MoreUnclear }

// first are the first of them, as many as sentences name.
func (w Waiting) first() []Awaited { return w.Some[:min(mostAwaited, len(w.Some))] }

// Unclear reports whether a finding says only that it is not clear what blocks its object: a read failed.
func (f Finding) Unclear() bool { return unclear(Voice{}, f) != "" }

// Surely is WaitsFor for what a subject is known to wait for, and why it is not clear whether there is more. Where
// nothing is known, that is what it waits for.
func (w Waiting) Surely(v Voice, subject Ref) (clause, unclear string) {
	sure, why := w.unclears(v, subject)
	if sure.Count() == 0 || why == "" {
		return v.WaitsFor(subject, w), ""
	}
	return v.WaitsFor(subject, sure), why
}

// Fares completes "SUBJECT …" with what it waits for, or why that is not clear.
func (w Waiting) Fares(v Voice, subject Ref) string {
	sure, why := w.unclears(v, subject)
	switch {
	case why == "":
		return "waits for " + v.WaitsFor(subject, w)
	case sure.Count() == 0:
		return "is blocked, but it is not clear by what (" + why + ")"
	}
	return "waits for " + v.WaitsFor(subject, sure) + ". It is not clear whether anything else blocks it (" + why + ")"
}

// unclears separates what a subject is known to wait for from what is not clear, and says why that is not.
func (w Waiting) unclears(v Voice, subject Ref) (sure Waiting, why string) {
	var reasons []string
	sure.More = w.More
	for _, awaited := range w.Some {
		if reason := unclear(v.About(subject), awaited.Finding); reason == "" {
			sure.Some = append(sure.Some, awaited)
		} else if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return sure, strings.Join(reasons[:min(mostAwaited, len(reasons))], "; ")
}

// Items are what a subject waits for, as items of a list that is headed "Two things block it". It names a few; more is
// how many are left.
func (w Waiting) Items(v Voice, subject Ref) (items []string, more int) {
	few := w.Some
	if w.Count() > MostItems+1 {
		few = few[:min(MostItems, len(few))]
	}
	v.Subject = subject
	items = Each(few, func(awaited Awaited) string {
		if hasText(awaited.Situation, "item") {
			return v.say(awaited.Situation, "item", awaited.Finding, max(1, awaited.Count)) + awaited.abroad(subject)
		}
		return v.AwaitsAll(awaited.Finding, awaited.Count) + awaited.abroad(subject)
	})
	return items, w.Count() - len(few)
}
