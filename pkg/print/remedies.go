package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// advice writes steps, and remembers what the ones above do.
type advice struct {
	w         *writer
	said      *sentences
	numbered  int // the last step of the answer
	retained  retained
	takesTold bool // what is deleted with the objects was written above
}

// step is one thing to do, with the commands that do it to objects that are alike.
type step struct {
	finding.Remedy
	commands []finding.Command
}

// stepsOf joins the remedies of causes that are alike: what is told in the same words is one step, with each command.
func stepsOf(causes ...result.RootCause) (steps []step) {
	for _, cause := range causes {
		for _, remedy := range cause.Remedies {
			at := slices.IndexFunc(steps, func(one step) bool { return one.tellsOf(remedy, len(causes) > 1) })
			if at < 0 {
				at = len(steps)
				steps = append(steps, step{Remedy: remedy})
			}
			for _, command := range remedy.Commands() {
				same := func(other finding.Command) bool { return slices.Equal(command, other) }
				if !slices.ContainsFunc(steps[at].commands, same) {
					steps[at].commands = append(steps[at].commands, command)
				}
			}
		}
	}
	return steps
}

func stepOf(remedy finding.Remedy) step {
	return stepsOf(result.RootCause{Remedies: []finding.Remedy{remedy}})[0]
}

// tellsOf reports whether a step says what a remedy says. Among alike causes, only the same step does.
func (s step) tellsOf(remedy finding.Remedy, alike bool) bool {
	words := s.Step == remedy.Step && s.Action == remedy.Action && s.Loses == remedy.Loses && s.Risk == remedy.Risk
	return words || alike && s.SameStep(remedy)
}

// equals reports whether two steps are told in the same words, with the same commands.
func (s step) equals(other step) bool {
	return s.tellsOf(other.Remedy, false) && slices.EqualFunc(s.commands, other.commands, slices.Equal)
}

// taken writes what goes with something, the worst first.
func (a *advice) taken(all []finding.Taken, write func(text string, paint func(string) string)) {
	const few = 5
	for i, taken := range all {
		if i == few && len(all) > few+1 && !a.w.style.Wide {
			write(fmt.Sprintf("and %d more; -o wide lists them all", len(all)-few), nil)
			return
		}
		write(taken.Message, a.w.style.lossPaint(taken.Risk))
	}
}

// step writes the deed after a lead, its commands, and what it loses.
func (a *advice) step(kind blockKind, lead string, one step, cause result.RootCause) {
	action := a.said.inShort(one.Action, one.InShort)
	alike := moreAlike(cause)
	if alike > 0 && one.Others == 0 && len(one.commands) == 1 && one.commands[0].Names(cause.Object) {
		action += fmt.Sprintf(" The command is for %s, one of %d.", cause.Object, alike+1)
	}
	shown := len(one.commands)
	if a.w.without >= sparesMost {
		shown = min(shown, 1)
	}
	spared := shown > 0 && lead == a.lead() && a.sparesCommand()
	if spared {
		action += " -o wide has the command."
		shown = 0
	}
	defer a.w.labelled(kind, lead, action, a.w.style.riskPaint(one.Risk))()
	a.w.commands("       ", one.commands[:shown])
	if left := len(one.commands) - shown; left > 0 && !spared {
		a.w.paragraph("       ", fmt.Sprintf("and %d more; -o wide lists them all", left), nil)
	}
	if kind == stepBlock {
		a.retains(one.Remedy)
	}
	parts := one.Lost
	switch {
	case parts == nil && one.Loses != "":
		parts = []finding.Lost{{Text: one.Loses}}
	case a.takesTold && !a.w.style.Wide:
		parts = one.LostToo
	}
	if len(parts) > 0 {
		a.loses(one, parts)
	}
}

// sparesCommand reports whether there is no room for the command of the last step.
func (a *advice) sparesCommand() bool {
	return a.w.without >= sparesLate && a.numbered > mostCommanded ||
		a.w.without >= sparesCommands && a.numbered >= mostCommanded
}

// retained are the volumes and contents of snapshots whose data the step of a number keeps.
type retained struct {
	number int
	names  []string
}

// retains remembers the step of a number, if that keeps data.
func (a *advice) retains(remedy finding.Remedy) {
	if names := remedy.Retains(); len(names) > 0 {
		a.retained = retained{a.numbered, names}
	}
}

// prevents reports whether the step that was told before keeps what would be lost.
func (r retained) prevents(part finding.Lost) bool {
	lost := func(name string) bool { return !slices.Contains(r.names, name) }
	return len(part.Kept) > 0 && !slices.ContainsFunc(part.Kept, lost)
}

// loses says what a step loses, and what of it the step that keeps data prevents. Beside commands that only read, which
// lose nothing, it says that the deed does.
func (a *advice) loses(one step, parts []finding.Lost) {
	unless := fmt.Sprintf(", unless you did step %d", a.retained.number)
	if slices.ContainsFunc(parts, func(part finding.Lost) bool { return !a.retained.prevents(part) }) {
		parts = finding.Each(parts, func(part finding.Lost) finding.Lost {
			if a.retained.prevents(part) {
				part.Text += unless
			}
			return part
		})
		unless = ""
	}
	loses, paint := finding.JoinLost(parts)+".", a.w.style.lossPaint(one.Risk)
	label := "Loses" + unless + ":"
	switch {
	case one.onlyReads():
		label = "When the deletion finishes, this is lost" + strings.TrimPrefix(unless, ",") + ":"
	case unless == "":
		a.w.labelled(labelBlock, "     Loses: ", loses, paint)()
		return
	}
	if a.w.page == nil {
		a.w.paragraph("     ", label, nil)
		a.w.paragraph("       ", loses, paint)
	}
	a.w.begin(&block{Kind: labelBlock, Label: label, Text: loses})()
}

// onlyReads reports whether a step has commands, and none of them changes anything.
func (s step) onlyReads() bool {
	changes := func(command finding.Command) bool { return !command.OnlyReads() }
	return len(s.commands) > 0 && !slices.ContainsFunc(s.commands, changes)
}

// lossPaint paints what is lost: data are red everywhere.
func (s Style) lossPaint(risk finding.Risk) func(string) string {
	switch risk {
	case finding.DataLoss:
		return s.lossText
	case finding.NoRisk:
		return nil
	}
	return s.waitingText
}

func (s Style) riskPaint(risk finding.Risk) func(string) string {
	if risk == finding.NoRisk {
		return s.safeText
	}
	return s.waitingText
}
