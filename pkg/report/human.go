package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Human writes a diagnosis for a person: the answer first, then the root causes with their evidence,
// the way there, what to do, and what could not be seen.
func Human(out io.Writer, diagnosis *Diagnosis, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", fmt.Sprintf("%s: %s", diagnosis.Verdict, diagnosis.Summary), style.headingText)
	for _, group := range alikes(diagnosis.RootCauses) {
		w.line()
		w.rootCause(diagnosis, group)
	}
	w.observations(diagnosis)
	w.path(diagnosis)
	w.remedies(diagnosis)
	w.unreadable(diagnosis)
	return w.err
}

// rootCause tells of the first of a group of causes, and names the finalizers of the others.
func (w *writer) rootCause(diagnosis *Diagnosis, group []int) {
	cause := diagnosis.RootCauses[group[0]]
	heading := "ROOT CAUSE  "
	if len(diagnosis.RootCauses) > 1 {
		heading = fmt.Sprintf("ROOT %s of %d  ", strings.Replace(strings.ToUpper(numbers(group)), "AND", "and", 1), len(diagnosis.RootCauses))
	}
	w.line(w.style.headingText(heading), w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.paragraph("  ", cause.Message, nil)
	if cause.Count > 1 {
		w.paragraph("  ", fmt.Sprintf("The same holds for %d more: %s.", cause.Count-1, w.others(cause)), nil)
	}
	if len(group) > 1 {
		var finalizers []string
		for _, number := range group[1:] {
			finalizers = append(finalizers, diagnosis.RootCauses[number].Finalizer)
		}
		noun := "finalizer"
		if len(finalizers) > 1 {
			noun = "finalizers"
		}
		w.paragraph("  ", fmt.Sprintf("The same holds for its %s %s.", noun, and(finalizers)), nil)
	}
	w.evidence(cause.Evidence)
	if frees := cause.Frees; frees > 1 {
		w.paragraph("  ", fmt.Sprintf("Mending this frees %d objects.", frees), nil)
	}
}

// others names the objects that share a cause: a few, or all of them in wide output.
func (w *writer) others(cause RootCause) string {
	const few = 3
	var names []string
	for i, other := range cause.Others {
		if !w.style.Wide && i == few && len(cause.Others) > few+1 {
			return fmt.Sprintf("%s and %d others", strings.Join(names, ", "), len(cause.Others)-few)
		}
		names = append(names, other.Path())
	}
	return strings.Join(names, ", ")
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

// observations tells what is unsettled, what goes on and what comes later. Of what goes on elsewhere,
// only an object that is on its way itself needs to hear.
func (w *writer) observations(diagnosis *Diagnosis) {
	headings := map[Verdict]string{Undetermined: "NOT SETTLED", Progressing: "GOING ON", "": "AFTERWARDS"}
	if diagnosis.Verdict == NotTerminating {
		headings[""] = "IN DETAIL"
	}
	for _, verdict := range []Verdict{Undetermined, Progressing, ""} {
		var shown []Observation
		for _, observation := range diagnosis.Observations {
			elsewhere := verdict == Progressing && diagnosis.Verdict != Progressing && observation.Object != diagnosis.Target
			if observation.Verdict == verdict && (w.style.Wide || !elsewhere) {
				shown = append(shown, observation)
			}
		}
		if len(shown) == 0 {
			continue
		}
		w.line()
		w.line(w.style.headingText(headings[verdict]))
		for _, observation := range shown {
			w.paragraph("  ", observation.Message, nil)
			w.evidence(observation.Evidence)
			for step, remedy := range observation.Remedies {
				w.remedy(step+1, remedy, RootCause{}, false)
			}
		}
	}
}

// remedies lists what to do, cause by cause, safest first. Where it is the same as for an earlier
// cause, only the commands are given.
func (w *writer) remedies(diagnosis *Diagnosis) {
	if !slices.ContainsFunc(diagnosis.RootCauses, func(cause RootCause) bool { return len(cause.Remedies) > 0 }) {
		return
	}
	w.line()
	w.line(w.style.headingText("WHAT TO DO"))
	told := map[string][]int{} // the steps, and the causes that they were told for
	groups := alikes(diagnosis.RootCauses)
	for _, group := range groups {
		cause := diagnosis.RootCauses[group[0]]
		steps := ""
		for _, remedy := range cause.Remedies {
			steps += remedy.Action + remedy.Loses
		}
		before, known := told[steps]
		switch {
		case len(groups) == 1:
		case known:
			w.paragraph("  ", fmt.Sprintf("About %s, %s: the same steps as for %s, with these commands:", numbers(group), cause.Reason, numbers(before)), nil)
		default:
			told[steps] = group
			w.paragraph("  ", fmt.Sprintf("About %s, %s:", numbers(group), cause.Reason), nil)
		}
		for step, remedy := range cause.Remedies {
			var others []finding.Command
			for _, number := range group[1:] {
				if command := diagnosis.RootCauses[number].Remedies[step].Command; !slices.Equal(command, remedy.Command) {
					others = append(others, command)
				}
			}
			w.remedy(step+1, remedy, cause, known, others...)
		}
	}
}

// remedy writes one step. others are further commands of it, about what is alike.
func (w *writer) remedy(step int, remedy finding.Remedy, cause RootCause, commandOnly bool, others ...finding.Command) {
	const indent = "       "
	lead, first := fmt.Sprintf("  %d. ", step), indent
	if commandOnly {
		first = lead + "  "
	} else {
		action := remedy.Action
		if cause.Count > 1 && strings.Contains(remedy.Command.String(), "/"+cause.Object.Name) {
			action += fmt.Sprintf(" Shown for %s; the other %d alike.", cause.Object.Path(), cause.Count-1)
		}
		w.paragraph(lead, action, w.riskText(remedy.Risk))
	}
	for _, command := range append([]finding.Command{remedy.Command}, others...) {
		for _, line := range wrapCommand(command, w.style.width()-len(indent)) {
			w.line(first, line)
			first = indent
		}
	}
	if remedy.Loses != "" && !commandOnly {
		w.paragraph("     Loses: ", remedy.Loses+".", nil)
	}
}

func (w *writer) riskText(risk finding.Risk) func(string) string {
	if risk == finding.NoRisk {
		return w.style.safeText
	}
	return w.style.waitingText
}

func (w *writer) unreadable(diagnosis *Diagnosis) {
	const few = 6
	list := diagnosis.Unreadable
	if len(list) == 0 {
		return
	}
	w.line()
	w.line(w.style.headingText("NOT LOOKED AT"))
	for i, one := range list {
		if i == few && len(list) > few+1 && !w.style.Wide {
			w.paragraph("  - ", fmt.Sprintf("and %d more; -o wide lists them all", len(list)-few), nil)
			return
		}
		w.notLookedAt(one)
	}
}

func (w *writer) notLookedAt(one Unreadable) {
	what := one.Resource
	if one.Name != "" {
		what += "/" + one.Name
	}
	if one.Namespace != "" {
		what += " in " + one.Namespace
	}
	text := fmt.Sprintf("%s (%s)", what, one.Why)
	if w.style.Wide {
		text += ": " + one.Error
	}
	w.paragraph("  - ", text, nil)
}

// unread is unreadable for scans, in which one missing right shows in every kind: what failed in one
// way is told in one line, where there is much of it.
func (w *writer) unread(list []Unreadable) {
	const few = 3
	if len(list) == 0 {
		return
	}
	type sort struct{ why, namespace string }
	groups := map[sort][]Unreadable{}
	var order []sort
	for _, one := range list {
		key := sort{one.Why, one.Namespace}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], one)
	}
	w.line()
	w.line(w.style.headingText("NOT LOOKED AT"))
	for _, key := range order {
		group := groups[key]
		if len(group) <= few+1 || w.style.Wide {
			for _, one := range group {
				w.notLookedAt(one)
			}
			continue
		}
		var names []string
		for _, one := range group[:few] {
			names = append(names, one.Resource)
		}
		text := fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(group)-few)
		if key.namespace != "" {
			text += " in " + key.namespace
		}
		w.paragraph("  - ", text+fmt.Sprintf(" (%s); -o wide lists them all", key.why), nil)
	}
}
