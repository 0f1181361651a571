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
