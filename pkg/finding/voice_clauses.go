package finding

import (
	"fmt"
	"strings"
)

// mostAwaited is how many things that are waited for a sentence names; the others are counted.
const mostAwaited = 2

// WaitsFor is the clause that completes "SUBJECT waits for …", for all that it waits for.
func (v Voice) WaitsFor(subject Ref, awaited Waiting) string {
	if awaited.Count() == 0 {
		return "something that was not found"
	}
	clauses := v.Clauses(subject, awaited.first())
	if awaited.Count() == 1 {
		return clauses[0]
	}
	text := Number(awaited.Count()) + " things: " + strings.Join(numbered(clauses), "; ")
	if more := awaited.Count() - mostAwaited; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// unclear is why it is not clear what blocks an object: a read failed. It is empty for what is known to block it.
func unclear(v Voice, f Finding) string {
	if !hasText(f.Situation, "unclear") {
		return ""
	}
	return v.say(f.Situation, "unclear", f, 1)
}

// Clauses are what a subject waits for, one by one.
func (v Voice) Clauses(subject Ref, awaited []Awaited) []string {
	v.Subject = subject
	return Each(awaited, func(one Awaited) string { return v.AwaitsAll(one.Finding, one.Count) + one.abroad(subject) })
}

// numbered puts a number before each clause of several, which may have semicolons of their own.
func numbered(clauses []string) []string {
	if len(clauses) < 2 {
		return clauses
	}
	marked := make([]string, len(clauses))
	for i, clause := range clauses {
		marked[i] = fmt.Sprintf("(%d) %s", i+1, clause)
	}
	return marked
}

// abroad says in which cluster what is waited for is, if that isn't the cluster of who waits.
func (a Awaited) abroad(subject Ref) string {
	if a.Object.Cluster == "" || a.Object.Cluster == subject.Cluster {
		return ""
	}
	return " (in cluster " + a.Object.Cluster + ")"
}

// Names are objects in a clause.
func (v Voice) Names(refs []Ref) []string { return Each(refs, v.Name) }

// ListedNames is Listed for the names of objects. There may be thousands, so it makes only the names that it says.
func (v Voice) ListedNames(few int, refs []Ref) string {
	if len(refs) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(v.Names(refs[:few]), ", "), len(refs)-few)
	}
	return And(v.Names(refs))
}

// Phrases are several phrases.
func (v Voice) Phrases(phrases []Phrase) []string { return Each(phrases, v.Phrase) }

// Satisfies is what would make a guard pass.
func (f Finding) Satisfies(v Voice) string { return v.say(f.Situation, "satisfy", f, 1) }

// Brief is the message without what has been told above it.
func (v Voice) Brief(f Finding) string {
	if hasText(f.Situation, "brief") {
		return v.say(f.Situation, "brief", f, 1)
	}
	return v.Message(f)
}

// Observed is a phrase as an observation: beside its source, which it need not name.
func (v Voice) Observed(p Phrase) string { return v.PhraseAs("observed", p) }

// PhraseAs is a phrase in another form, where there are words for that.
func (v Voice) PhraseAs(form string, p Phrase) string {
	if hasText(p.Situation, form) {
		return v.say(p.Situation, form, Finding{Details: p.Details}, 1)
	}
	return v.Phrase(p)
}

// Rest is what a sentence that names a finding leaves of its message to say, as the default output has it: it may be
// empty. It is nil where the texts have no words for that.
func (f Finding) Rest(v Voice) *InShort {
	if !hasText(f.Situation, "brief") || f.Doubt != nil {
		return nil
	}
	v.Subject = Ref{}
	short := v.InShort(func(v Voice) string { return v.Brief(f) })
	return &short
}

// Unread names what could not be read, and why.
func (v Voice) Unread(unread Unread) string {
	return v.Phrase(Phrase{Situation: "WasNotRead", Details: unread})
}

// CouldNotRead says of everything that could not be read that it couldn't: once of what failed for the same reason.
func (v Voice) CouldNotRead(all []Unread) string {
	names := map[Failure][]string{}
	var joined []Unread
	for _, unread := range all {
		if unread.Aspect == Refusals { // which has words of its own
			joined = append(joined, unread)
			continue
		}
		name := v.PhraseAs("name", Phrase{Situation: "WasNotRead", Details: unread})
		if names[unread.Why] = append(names[unread.Why], name); len(names[unread.Why]) == 1 {
			joined = append(joined, Unread{Why: unread.Why})
		}
	}
	return AndClauses(Each(joined, func(unread Unread) string {
		unread.Name = And(names[unread.Why])
		return v.PhraseAs("clause", Phrase{Situation: "WasNotRead", Details: unread})
	}))
}

// Loss says what is lost.
func (v Voice) Loss(loss Loss) string { return v.Phrase(Phrase{Situation: "IsLost", Details: loss}) }
