package finding

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// sentence is what a text is composed from: $ in its template. The dot is Details.
type sentence struct {
	Voice
	Object    Ref
	Finalizer string
	Also      []string
	Mixed     bool
	Various   bool
	Certainty Certainty
	Count     int
	Details   any
}

// Held are the objects that a sentence is about: one, or so many of a kind.
func (s sentence) Held() string {
	switch {
	case s.Mixed:
		return Plural(s.Count, "object")
	case s.Count > 1:
		return Plural(s.Count, s.Object.Kind)
	}
	return s.Name(s.Object)
}

// OnHeld says of a finalizer which objects have it, after a blank: nothing if the reader has just read about the
// object.
func (s sentence) OnHeld() string { return s.beside(" on ") }

// FromHeld is OnHeld of what is to be removed.
func (s sentence) FromHeld() string { return s.beside(" from ") }

// On says which objects have a finalizer, after a blank, as OnHeld: nothing if the reader has just read about one of
// them, or there are none.
func (s sentence) On(held []Ref) string {
	known := func(ref Ref) bool { return s.Subject != (Ref{}) && ref.SameAs(s.Subject) }
	switch {
	case len(held) == 0, slices.ContainsFunc(held, known):
		return ""
	case len(held) == 1:
		return " on " + s.Name(held[0])
	case slices.ContainsFunc(held, func(ref Ref) bool { return ref.Kind != held[0].Kind }):
		return " on " + Plural(len(held), "object")
	}
	return " on " + Plural(len(held), held[0].Kind)
}

func (s sentence) beside(preposition string) string {
	if s.Count < 2 && s.Subject != (Ref{}) && s.Object.SameAs(s.Subject) {
		return ""
	}
	return preposition + s.Held()
}

// Say composes the phrase of a situation, about the same object, from some details.
func (s sentence) Say(situation string, details any) string {
	about := Finding{Object: s.Object, Finalizer: s.Finalizer, Certainty: s.Certainty, Details: details}
	return s.say(situation, "phrase", about, s.Count)
}

// Left is how long it is until a time: 12s.
func (s sentence) Left(t time.Time) string { return Length(t.Sub(s.Now)) }

// seconds is a duration of some seconds: 30s.
func seconds(count int64) string {
	return Length(time.Duration(count) * time.Second)
}

// Foremost are the first few phrases; all of them, where everything is said.
func (s sentence) Foremost(few int, phrases []Phrase) []string {
	if s.Wide() {
		return s.Phrases(phrases)
	}
	return s.Phrases(phrases[:min(few, len(phrases))])
}

// holdNames names what holds an object; a grace period has so many seconds.
func holdNames(holds []Hold, seconds int64) string {
	name := func(hold Hold) string {
		switch {
		case hold.Type == GracePeriod && seconds == 0:
			return "its grace period"
		case hold.Type == GracePeriod:
			return fmt.Sprintf("its grace period (%ds)", seconds)
		}
		return hold.Name
	}
	return And(Each(holds, name))
}

// StandsFor names in parentheses what an object stands for, after a space; nothing where it names nothing.
func (s sentence) StandsFor(named []Named) string {
	return s.say("IsLost", "standsFor", Finding{Details: Loss{Named: named}}, 1)
}

// Going says of something that it is being deleted, or that it will be, with the target: what is already being deleted
// now is not.
func (s sentence) Going(already ...bool) string {
	if s.Foresees && !slices.Contains(already, true) {
		return "would be deleted as well"
	}
	return "is being deleted"
}

// Beside is what a phrase leaves to say where it was said in short, as a sentence and a blank; it may be nothing.
func (s sentence) Beside(p Phrase) string {
	if !hasText(p.Situation, "brief") {
		return ""
	}
	return strings.TrimSpace(s.say(p.Situation, "brief", Finding{Details: p.Details}, 1)) + " "
}

// Waits says of a subject what it waits for, or why it is not clear what blocks it.
func (s sentence) Waits(subject Ref, awaited Waiting) string {
	sure, why := awaited.unclears(s.Voice, subject)
	if sure.Count() > 0 || why == "" {
		return "It waits for " + s.WaitsFor(subject, awaited)
	}
	return "It is not clear what blocks it: " + why
}

// Unreadable completes "SUBJECT can't be read, because …", one by one.
func (s sentence) Unreadable(subject Ref, awaited []Awaited) []string {
	s.Subject = subject
	return Each(awaited, func(one Awaited) string {
		if hasText(one.Situation, "unread") {
			return s.say(one.Situation, "unread", one.Finding, one.Count)
		}
		return "of " + s.AwaitsAll(one.Finding, one.Count)
	})
}
