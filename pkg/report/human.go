package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// human writes the answer first, then root causes with evidence, the way there, what to do, and what was not seen.
func (d *Diagnosis) human(w *writer) {
	w.paragraph("", fmt.Sprintf("%s: %s", d.Verdict, d.Summary), w.style.headingText)
	for _, group := range alikes(d.RootCauses) {
		w.line()
		w.rootCause(d, group)
	}
	w.observations(d)
	w.path(d)
	w.takes(d)
	w.remedies(d)
	w.unreadable(d.Unreadable)
}

func (l *DiagnosisList) human(w *writer) {
	for i := range l.Items {
		if i > 0 {
			w.line()
		}
		l.Items[i].human(w)
	}
}

// rootCause tells of the first of a group of causes, and names the finalizers of the others.
func (w *writer) rootCause(diagnosis *Diagnosis, group []int) {
	cause := diagnosis.RootCauses[group[0]]
	w.causeHeading(numbers(group), len(diagnosis.RootCauses), cause)
	if cause.Count > 1 {
		w.alsoHolds(cause.Count-1, cause.Others)
	}
	if len(group) > 1 {
		noun := "finalizer"
		if len(group) > 2 {
			noun = "finalizers"
		}
		finalizer := func(number int) string { return diagnosis.RootCauses[number].Finalizer }
		names := finding.And(finding.Each(group[1:], finalizer))
		w.paragraph("  ", fmt.Sprintf("The same holds for its %s %s.", noun, names), nil)
	}
	w.evidence(cause.Evidence)
	if cause.Frees > 1 {
		w.paragraph("  ", fmt.Sprintf("Mending this frees %d objects.", cause.Frees), nil)
	}
}

func (w *writer) causeHeading(numbers string, of int, cause RootCause) {
	heading := "ROOT CAUSE  "
	if of > 1 {
		heading = fmt.Sprintf("ROOT %s of %d  ", strings.Replace(strings.ToUpper(numbers), "AND", "and", 1), of)
	}
	w.line(w.style.headingText(heading), w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.paragraph("  ", cause.Message, nil)
}

// certainty says in brackets how certain something is. Where it isn't at all, the reason says so.
func certainty(of finding.Certainty) string {
	if of == "" || of == finding.Unknown {
		return ""
	}
	return " (" + strings.ToLower(string(of)) + ")"
}

// alsoHolds names the objects that share a cause: a few, or all of them in wide output.
func (w *writer) alsoHolds(count int, others []finding.Ref) {
	names := some(others, finding.Ref.Path, 3, w.style.Wide, "others")
	w.paragraph("  ", fmt.Sprintf("The same holds for %d more: %s.", count, names), nil)
}

func (w *writer) evidence(evidence []finding.Evidence) {
	for _, one := range evidence {
		text := one.Source + ": " + one.Observed
		if w.style.Wide && one.Object != nil && one.Object.UID != "" {
			text += " (uid " + one.Object.UID + ")"
		}
		w.paragraph("  - ", text, nil)
	}
}

// observations tells what is unsettled, what goes on (elsewhere only if the target moves, too) and what comes later.
func (w *writer) observations(diagnosis *Diagnosis) {
	headings := map[Verdict]string{Undetermined: "NOT SETTLED", Progressing: "GOING ON", "": "AFTERWARDS"}
	if diagnosis.Verdict == NotTerminating {
		headings[""] = "IN DETAIL"
	}
	for _, verdict := range []Verdict{Undetermined, Progressing, ""} {
		begun := false
		for _, observation := range diagnosis.Observations {
			elsewhere := verdict == Progressing && diagnosis.Verdict != Progressing && observation.Object != diagnosis.Target
			if observation.Verdict != verdict || elsewhere && !w.style.Wide {
				continue
			}
			if !begun {
				w.section(headings[verdict])
			}
			begun = true
			w.paragraph("  ", observation.Message, nil)
			w.evidence(observation.Evidence)
			w.steps(observation.Remedies, RootCause{})
		}
	}
}

func (w *writer) unreadable(list []Unreadable) {
	const few = 6
	if len(list) == 0 {
		return
	}
	w.section("NOT LOOKED AT")
	for i, one := range list {
		if i == few && len(list) > few+1 && !w.style.Wide {
			w.paragraph("  - ", fmt.Sprintf("and %d more; -o wide lists them all", len(list)-few), nil)
			return
		}
		w.notLookedAt(one)
	}
}

func (w *writer) notLookedAt(one Unreadable) {
	text := one.Resource
	if one.Name != "" {
		text += "/" + one.Name
	}
	if one.Namespace != "" {
		text += " in " + one.Namespace
	}
	text += " (" + one.Why + ")"
	if w.style.Wide {
		text += ": " + one.Error
	}
	w.paragraph("  - ", text, nil)
}

// unread is unreadable for scans, in which one missing right shows in every kind: much that failed alike is one line.
func (w *writer) unread(list []Unreadable) {
	const few = 3
	if len(list) == 0 {
		return
	}
	w.section("NOT LOOKED AT")
	for _, group := range groupBy(list, func(one Unreadable) [2]string { return [2]string{one.Why, one.Namespace} }) {
		if len(group) <= few+1 || w.style.Wide {
			for _, one := range group {
				w.notLookedAt(one)
			}
			continue
		}
		text := some(group, func(one Unreadable) string { return one.Resource }, few, false, "more")
		if group[0].Namespace != "" {
			text += " in " + group[0].Namespace
		}
		w.paragraph("  - ", text+fmt.Sprintf(" (%s); -o wide lists them all", group[0].Why), nil)
	}
}

// Nothing answers that nothing was found, where not everything could be looked at.
type Nothing struct {
	Says       string
	Unreadable []Unreadable
}

func (n *Nothing) human(w *writer) {
	w.paragraph("", EscapeText(n.Says), w.style.headingText)
	w.unread(n.Unreadable)
}

// alikes groups causes, by their indexes: those of one object that differ in nothing but their finalizers are one.
func alikes(causes []RootCause) (groups [][]int) {
	for number, cause := range causes {
		at := slices.IndexFunc(groups, func(group []int) bool { return alikeBut(causes[group[0]], cause) })
		if at < 0 {
			groups = append(groups, []int{number})
		} else {
			groups[at] = append(groups[at], number)
		}
	}
	return groups
}

func alikeBut(a, b RootCause) bool {
	if a.Finalizer == "" || b.Finalizer == "" || len(a.Also)+len(b.Also) > 0 {
		return false
	}
	return a.Reason == b.Reason && a.Situation == b.Situation && a.Object == b.Object && a.Certainty == b.Certainty &&
		a.Count == b.Count && a.Frees == b.Frees && reflect.DeepEqual(a.Details, b.Details) &&
		slices.Equal(a.Others, b.Others) && slices.Equal(a.Candidates, b.Candidates) && slices.Equal(a.Unread, b.Unread) &&
		len(a.Evidence) == len(b.Evidence) && slices.EqualFunc(a.Remedies, b.Remedies, finding.Remedy.SameStep)
}

// numbers writes the numbers of causes: "cause 1", "causes 1 and 2".
func numbers(group []int) string {
	if len(group) == 1 {
		return fmt.Sprintf("cause %d", group[0]+1)
	}
	return "causes " + finding.And(finding.Each(group, func(number int) string { return fmt.Sprint(number + 1) }))
}
