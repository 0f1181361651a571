package finding

import (
	"fmt"
	"strings"
)

// mostAwaited is how many things that are waited for a sentence names; the others are counted.
const mostAwaited = 2

// WaitsFor is the clause that completes "SUBJECT waits for …", for all that it waits for.
func (v Voice) WaitsFor(subject Ref, awaited []Awaited) string {
	clauses := v.Clauses(subject, awaited)
	if len(clauses) == 0 {
		return "something that was not found"
	}
	text := strings.Join(clauses[:min(mostAwaited, len(clauses))], "; and for ")
	if more := len(clauses) - mostAwaited; more > 0 {
		text += fmt.Sprintf("; and for %d more, listed below", more)
	}
	return text
}

// Clauses are what a subject waits for, one by one.
func (v Voice) Clauses(subject Ref, awaited []Awaited) []string {
	v.Subject = subject
	clauses := make([]string, len(awaited))
	for i, one := range awaited {
		clauses[i] = v.AwaitsAll(one.Finding, one.Count)
	}
	return clauses
}

// Names are objects in a clause.
func (v Voice) Names(refs []Ref) []string {
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = v.Name(ref)
	}
	return names
}

// Phrases are several phrases.
func (v Voice) Phrases(phrases []Phrase) []string {
	texts := make([]string, len(phrases))
	for i, one := range phrases {
		texts[i] = v.Phrase(one)
	}
	return texts
}

// HoldNames names what holds an object; a grace period has so many seconds.
func (v Voice) HoldNames(holds []Hold, seconds int64) string {
	names := make([]string, len(holds))
	for i, hold := range holds {
		names[i] = hold.Name
		if hold.Type == GracePeriod {
			names[i] = fmt.Sprintf("its grace period (%ds)", seconds)
		}
	}
	return strings.Join(names, ", ")
}

// Satisfies is what would make a guard pass.
func (v Voice) Satisfies(f Finding) string { return v.say(f.Situation, "satisfy", f, 1) }

// Brief is the message without what has been told above it.
func (v Voice) Brief(f Finding) string {
	if texts().Lookup(textKey(f.Situation, "brief")) == nil {
		return v.Message(f)
	}
	return v.say(f.Situation, "brief", f, 1)
}

// Observed is a phrase as an observation: beside its source, which it need not name.
func (v Voice) Observed(p Phrase) string {
	if texts().Lookup(textKey(p.Situation, "observed")) == nil {
		return v.Phrase(p)
	}
	return v.say(p.Situation, "observed", Finding{Details: p.Details}, 1)
}

// Unread names what could not be read, and why.
func (v Voice) Unread(one Unread) string {
	return v.Phrase(Phrase{Situation: "WasNotRead", Details: one})
}

// AllUnread names everything that could not be read.
func (v Voice) AllUnread(all []Unread) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = v.Unread(one)
	}
	return strings.Join(words, "; and ")
}

// StandsFor names in parentheses what an object stands for, after a space; nothing where it names nothing.
func (v Voice) StandsFor(named []Named) string {
	return v.say("IsLost", "standsFor", Finding{Details: Loss{Named: named}}, 1)
}

// Loss says what is lost.
func (v Voice) Loss(one Loss) string { return v.Phrase(Phrase{Situation: "IsLost", Details: one}) }
