package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// remedies lists what to do, cause by cause, safest first: only the commands where an earlier cause has the same steps.
func (w *writer) remedies(diagnosis *Diagnosis) {
	if !slices.ContainsFunc(diagnosis.RootCauses, func(cause RootCause) bool { return len(cause.Remedies) > 0 }) {
		return
	}
	w.section("WHAT TO DO")
	var told [][]int // the causes whose steps were told
	groups := alikes(diagnosis.RootCauses)
	for _, group := range groups {
		cause := diagnosis.RootCauses[group[0]]
		before := slices.IndexFunc(told, func(other []int) bool {
			return slices.EqualFunc(diagnosis.RootCauses[other[0]].Remedies, cause.Remedies, finding.Remedy.SameStep)
		})
		switch {
		case len(groups) == 1:
		case before >= 0:
			w.paragraph("  ", fmt.Sprintf("About %s, %s: the same steps as for %s, with these commands:",
				numbers(group), cause.Reason, numbers(told[before])), nil)
		default:
			told = append(told, group)
			w.paragraph("  ", fmt.Sprintf("About %s, %s:", numbers(group), cause.Reason), nil)
		}
		for step, remedy := range cause.Remedies {
			var others []finding.Command
			for _, number := range group[1:] {
				if command := diagnosis.RootCauses[number].Remedies[step].Command; !slices.Equal(command, remedy.Command) {
					others = append(others, command)
				}
			}
			w.remedy(step+1, remedy, cause, before >= 0, others...)
		}
	}
}

// takes says what goes with what is Terminating, and, where no cause has steps, how to keep it.
func (w *writer) takes(heading string, d *Diagnosis) {
	if len(d.Takes) == 0 {
		return
	}
	w.section(heading)
	w.taken("  - ", d.Takes)
	if d.Keep != nil && len(d.RootCauses) == 0 {
		w.remedy(1, *d.Keep, RootCause{}, false)
	}
}

// taken lists what goes with something, the worst first.
func (w *writer) taken(lead string, all []finding.Taken) {
	const few = 5
	for i, one := range all {
		if i == few && len(all) > few+1 && !w.style.Wide {
			w.paragraph(lead, fmt.Sprintf("and %d more; -o wide lists them all", len(all)-few), nil)
			return
		}
		paint := w.style.waitingText
		switch one.Risk {
		case finding.DataLoss:
			paint = w.style.causeText
		case finding.NoRisk:
			paint = nil
		}
		w.paragraph(lead, one.Message, paint)
	}
}

func (w *writer) steps(remedies []finding.Remedy, cause RootCause) {
	for i, remedy := range remedies {
		w.remedy(i+1, remedy, cause, false)
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
		if alike := cause.alike(); alike > 0 && remedy.Command.Names(cause.Object) {
			action += fmt.Sprintf(" Shown for %s; the other %d alike.", cause.Object.Path(), alike)
		}
		w.paragraph(lead, action, w.riskText(remedy.Risk))
	}
	for _, command := range append([]finding.Command{remedy.Command}, others...) {
		if len(command) > 0 {
			w.command(first, command)
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

// command writes a command, its first line after lead and the others as far in.
func (w *writer) command(lead string, command finding.Command) {
	for _, line := range wrapCommand(command, w.style.width()-len(lead)) {
		w.line(lead, line)
		lead = strings.Repeat(" ", len(lead))
	}
}
