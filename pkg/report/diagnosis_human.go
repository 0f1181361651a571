package report

import (
	"fmt"
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
	if d.Verdict == NotTerminating { // all else is about what is in progress
		w.takes("WHAT WOULD GO WITH IT", d)
	}
	w.observations(d)
	w.path(d)
	w.history(d)
	if d.Verdict != NotTerminating {
		w.takes("WHAT GOES WITH IT", d)
	}
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

// rootCause prints the first of a group of causes, and names the finalizers of the others.
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

// observations says what is unsettled, what is in progress (elsewhere only if the target moves, too) and what comes
// later.
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
