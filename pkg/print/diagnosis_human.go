package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// diagnosis writes the answer about a target, and about others that have the same answer: first the answer itself, then
// root causes with evidence, the way there, what to do, and what was not seen.
func (w *writer) diagnosis(d *result.Diagnosis, others []finding.Ref) {
	w.takesTold, w.retained, w.numbered, w.evidenced = false, retained{}, 0, nil
	w.sums(d)
	if len(others) > 0 {
		w.alsoHolds(others)
	}
	w.graph(scene{Tree: treeOf(d.Graph, d.RootCauses, &d.Target), observations: d.Observations})
	for _, group := range alikes(d.RootCauses) {
		w.line()
		w.rootCause(d, group)
	}
	if d.Verdict == result.NotTerminating { // all else is about what is in progress
		w.takes(d)
	}
	w.observations(d)
	w.path(d)
	w.history(d)
	if d.Verdict != result.NotTerminating {
		w.takes(d)
	}
	w.whatToDo(d)
	w.later(d)
	w.unread(d.Unreadable, slices.Concat(
		finding.Each(d.RootCauses, func(cause result.RootCause) any { return cause.Details }),
		finding.Each(d.Observations, func(one result.Observation) any { return one.Details }))...)
}

// sums writes the verdict and the sentence that answers the question, with a list where several things block it.
func (w *writer) sums(d *result.Diagnosis) {
	text := d.Sums.Text
	if text == "" {
		text = d.Summary
	}
	w.verdict(string(d.Verdict), text, w.style.verdictText(d.Verdict))
	for _, item := range d.Sums.Items {
		w.item(item, w.style.headingText)
	}
	told := finding.Each(d.RootCauses, func(cause result.RootCause) finding.InShort { return cause.InShort })
	w.heard(strings.Join(append(d.Sums.Items, text), "\n"), told...)
	if d.Sums.More > 0 {
		w.item(fmt.Sprintf("%d more, below", d.Sums.More), w.style.headingText)
	}
}

func (s Style) verdictText(verdict result.Verdict) func(string) string {
	switch verdict {
	case result.Stuck:
		return s.causeText
	case result.NotTerminating:
		return s.headingText
	}
	return s.waitingText
}

// humanDiagnosisList writes an answer for each target: one for all targets that are held by the same.
func humanDiagnosisList(l *result.DiagnosisList, w *writer) {
	var numbered []int
	for i := range l.Items {
		numbered = append(numbered, i)
	}
	for i, group := range groupBy(numbered, func(i int) string { return targetHeldBy(&l.Items[i], i) }) {
		if i > 0 {
			w.line()
		}
		others := finding.Each(group[1:], func(i int) finding.Ref { return l.Items[i].Target })
		if w.style.Wide {
			others = nil
		}
		w.diagnosis(&l.Items[group[0]], others)
		for _, other := range group[1:] {
			if w.style.Wide {
				w.line()
				w.diagnosis(&l.Items[other], nil)
			}
		}
	}
}

// targetHeldBy is the same for targets of a kind that are held by the same causes, and have nothing else to say.
func targetHeldBy(d *result.Diagnosis, number int) string {
	parts := []any{d.Verdict, d.Target.APIVersion, d.Target.Kind}
	for _, cause := range d.RootCauses {
		parts = append(parts, cause.Key, cause.Object)
	}
	for _, one := range d.Observations {
		parts = append(parts, one.Situation)
	}
	if len(d.RootCauses) == 0 || len(d.Takes) > 0 {
		parts = append(parts, number)
	}
	return finding.KeyOf(parts...)
}

// rootCause describes the first of a group of causes, and names the finalizers of the others.
func (w *writer) rootCause(diagnosis *result.Diagnosis, group []int) {
	cause := diagnosis.RootCauses[group[0]]
	releases := ""
	if cause.Frees > 1 {
		releases = fmt.Sprintf("; fixing it releases %d objects", cause.Frees)
		if isUnknown(cause) {
			releases = fmt.Sprintf("; it blocks %d objects", cause.Frees)
		}
	}
	w.causeTitle(numbers(group), len(diagnosis.RootCauses), cause, releases)
	w.rest(cause.Message, cause.InShort, cause.Rest)
	if cause.Count > 1 {
		w.shareCause(cause)
	}
	if len(group) > 1 {
		noun := "finalizer"
		if len(group) > 2 {
			noun = "finalizers"
		}
		finalizer := func(number int) string { return diagnosis.RootCauses[number].Finalizer }
		names := finding.And(finding.Each(group[1:], finalizer))
		w.paragraph("  ", fmt.Sprintf("The same applies to its %s %s.", noun, names), nil)
	}
	w.evidence(cause.Evidence, mostEvidence)
	for _, observation := range diagnosis.Observations {
		if slices.Contains(group, besideCause(diagnosis, observation)) {
			w.line()
			w.message(observation.Message, observation.InShort)
			w.evidence(observation.Evidence, mostEvidence)
		}
	}
}

// besideCause is the index of the first cause whose object is one of several that something unclear is about; -1 for
// none. It is told where the cause is, because it may be why that is so.
func besideCause(d *result.Diagnosis, observation result.Observation) int {
	below, is := observation.Details.(finding.BelowDetails)
	if !is || observation.Verdict != result.Undetermined {
		return -1
	}
	concerned := func(cause result.RootCause) bool { return slices.Contains(below.Objects, cause.Object) }
	return slices.IndexFunc(d.RootCauses, concerned)
}

// causeHeading writes the title of a cause, and its message.
func (w *writer) causeHeading(numbers string, of int, cause result.RootCause, beside string) {
	w.causeTitle(numbers, of, cause, beside)
	w.message(cause.Message, cause.InShort)
}

// causeTitle writes the reason of a cause with its certainty and what else is to be said beside it.
func (w *writer) causeTitle(numbers string, of int, cause result.RootCause, beside string) {
	heading := "ROOT CAUSE  "
	switch {
	case of > 1: // of which some may be unknown
		heading = fmt.Sprintf("%s of %d  ", strings.NewReplacer("causes", "CAUSES", "cause", "CAUSE").Replace(numbers), of)
	case isUnknown(cause):
		heading = "UNKNOWN CAUSE  "
	}
	w.heading(heading, w.style.causeText(string(cause.Reason)), certainty(cause.Certainty), beside)
}

// isUnknown reports whether a cause says only that it is not known who removes a finalizer.
func isUnknown(c result.RootCause) bool { return c.Reason == finding.ControllerUnknown }

// alsoHolds names the objects about which the same is to be said as about a first one: a few, or all of them in wide
// output.
func (w *writer) alsoHolds(others []finding.Ref) { w.more("The same applies to", others) }

// shareCause names the objects that share a cause with its first one. Where one of another kind is held by the same
// controller, that has something else to do there: not the same applies to it.
func (w *writer) shareCause(cause result.RootCause) {
	says := "The same applies to"
	ofAnotherKind := func(other finding.Ref) bool { return other.Kind != cause.Object.Kind }
	if cause.Finalizer != "" && slices.ContainsFunc(cause.Others, ofAnotherKind) {
		says = "This also blocks"
	}
	w.more(says, cause.Others)
}

func (w *writer) more(says string, others []finding.Ref) {
	const few = 3
	names := finding.Each(others, finding.Ref.String)
	if left := len(names) - few; left > 1 && !w.style.Wide {
		names = append(names[:few], fmt.Sprintf("%d others", left))
	}
	w.paragraph("  ", says+" "+finding.And(names)+".", nil)
}
