package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// diagnosisText writes diagnoses.
type diagnosisText struct {
	renderer
	extent extent
}

// write writes the answer about a target, and about others that have the same answer: first the answer itself, then
// root causes with evidence, the way there, what to do, and what was not seen.
func (t *diagnosisText) write(d *result.Diagnosis, others []finding.Ref) {
	d = inPrintedOrder(d)
	t.extent = t.w.fullest(len(alikes(d.RootCauses)), true, func(to *writer, tried extent) {
		(&diagnosisText{newRenderer(to), tried}).writeParts(d, others)
	})
	t.writeParts(d, others)
	t.said.ask(d.Ask, d.Unreadable) // a script to hand on: it doesn't count
}

func (t *diagnosisText) writeParts(d *result.Diagnosis, others []finding.Ref) {
	t.advice.takesTold, t.advice.retained, t.advice.numbered, t.said.evidenced = false, retained{}, 0, nil
	t.sums(d)
	if len(others) > 0 {
		t.said.alsoHolds(others)
	}
	t.w.graph(scene{Tree: treeOf(d.Graph, d.RootCauses, &d.Target), observations: d.Observations})
	described, further := t.described(d)
	for _, group := range described {
		t.w.line()
		t.rootCause(d, group)
	}
	t.furtherCauses(d, further)
	if d.Verdict == result.NotTerminating { // all else is about what is in progress
		t.takes(d)
	}
	t.observations(d)
	if t.extent.without < sparesPath {
		drawPath(d, t.w)
	}
	t.history(d)
	if d.Verdict != result.NotTerminating {
		t.takes(d)
	}
	t.rescueTaken(d)
	t.whatToDo(d)
	t.later(d)
	t.said.unread(d.Unreadable, slices.Concat(
		finding.Each(d.RootCauses, func(cause result.RootCause) any { return cause.Details }),
		finding.Each(d.Observations, func(observation result.Observation) any { return observation.Details }))...)
}

// sums writes the verdict and the sentence that answers the question, with a list where several things block it.
func (t *diagnosisText) sums(d *result.Diagnosis) {
	text := d.Sums.Text
	if text == "" {
		text = d.Summary
	}
	t.w.verdict(string(d.Verdict), text, t.w.style.verdictText(d.Verdict))
	for _, item := range d.Sums.Items {
		t.w.item(item, t.w.style.headingText)
	}
	told := finding.Each(d.RootCauses, func(cause result.RootCause) finding.InShort { return cause.InShort })
	t.said.heard(strings.Join(append(d.Sums.Items, text), "\n"), told...)
	if d.Sums.More > 0 {
		t.w.item(fmt.Sprintf("%d more, below", d.Sums.More), t.w.style.headingText)
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

// writeAll writes an answer for each target: one for all targets that are held by the same.
func (t *diagnosisText) writeAll(l *result.DiagnosisList) {
	var numbered []int
	for i := range l.Items {
		numbered = append(numbered, i)
	}
	groups := groupBy(numbered, func(i int) string { return targetHeldBy(&l.Items[i], i) })
	othersOf := func(group []int) []finding.Ref {
		return finding.Each(group[1:], func(i int) finding.Ref { return l.Items[i].Target })
	}
	described := t.w.described(len(groups), func(to *writer, number int) {
		text := &diagnosisText{renderer: newRenderer(to)}
		text.write(&l.Items[groups[number][0]], othersOf(groups[number]))
	})
	for i, group := range groups[:described] {
		if i > 0 {
			t.w.line()
		}
		others := othersOf(group)
		if t.w.style.Wide {
			others = nil
		}
		t.write(&l.Items[group[0]], others)
		for _, other := range group[1:] {
			if t.w.style.Wide {
				t.w.line()
				t.write(&l.Items[other], nil)
			}
		}
	}
	t.w.inShort(eachOf(groups[described:], func(group []int) []brief {
		return finding.Each(group, func(i int) brief { return briefDiagnosis(&l.Items[i]) })
	}))
}

// targetHeldBy is the same for targets of a kind that are held by the same causes, and have nothing else to say.
func targetHeldBy(d *result.Diagnosis, number int) string {
	parts := []any{d.Verdict, d.Target.APIVersion, d.Target.Kind}
	for _, cause := range d.RootCauses {
		parts = append(parts, cause.Key, cause.Object)
	}
	for _, observation := range d.Observations {
		parts = append(parts, observation.Situation)
	}
	if len(d.RootCauses) == 0 || len(d.Takes) > 0 {
		parts = append(parts, number)
	}
	return finding.KeyOf(parts...)
}

// described are the causes that are described, with what to do about them, and the further ones.
func (t *diagnosisText) described(d *result.Diagnosis) (described, further [][]int) {
	described = alikes(d.RootCauses)
	most := min(t.extent.described, len(described))
	return described[:most], described[most:]
}

// furtherCauses lists the causes that are not described. Those of the whole cluster always have their first step.
func (t *diagnosisText) furtherCauses(d *result.Diagnosis, further [][]int) {
	t.mentions(finding.Each(further, func(group []int) mention {
		cause := d.RootCauses[group[0]]
		item := result.ItemCause{Reason: cause.Reason, Object: cause.Object, Count: cause.Count}
		return mention{causeOf(item) + abroad(cause.Object, d.Target), cause, t.extent.steps || ofCluster(cause)}
	}), d.Wide)
}

// rootCause describes the first of a group of causes, and names the finalizers of the others.
func (t *diagnosisText) rootCause(diagnosis *result.Diagnosis, group []int) {
	cause := diagnosis.RootCauses[group[0]]
	releases := ""
	if cause.Frees > 1 {
		releases = fmt.Sprintf("; fixing it releases %d objects", cause.Frees)
		if isUnknown(cause) {
			releases = fmt.Sprintf("; it blocks %d objects", cause.Frees)
		}
	}
	t.said.causeTitle(numbers(group), len(diagnosis.RootCauses), cause, abroad(cause.Object, diagnosis.Target)+releases)
	said := t.said.rest(cause.Message, cause.InShort, cause.Rest)
	if cause.Count > 1 {
		t.said.shareCause(cause, said)
	}
	if len(group) > 1 {
		noun := "finalizer"
		if len(group) > 2 {
			noun = "finalizers"
		}
		finalizer := func(number int) string { return diagnosis.RootCauses[number].Finalizer }
		names := finding.And(finding.Each(group[1:], finalizer))
		t.w.paragraph("  ", fmt.Sprintf("The same applies to its %s %s.", noun, names), nil)
	}
	t.said.evidence(cause.Evidence, mostEvidence)
	t.said.signs(cause.Signs)
	for _, observation := range diagnosis.Observations {
		if slices.Contains(group, besideCause(diagnosis, observation)) {
			t.w.line()
			t.said.message(observation.Message, observation.InShort)
			t.said.evidence(observation.Evidence, mostEvidence)
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
