package print

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// rescueText writes plans to rescue what was deleted by mistake.
type rescueText struct{ renderer }

// write writes the answer first, then what can't be kept, what stops the loss now, what to save, and how everything
// comes back. Steps are numbered through.
func (t *rescueText) write(p *result.RescuePlan) {
	t.w.fullest(severalParts, true, func(to *writer, _ extent) { (&rescueText{newRenderer(to)}).writeParts(p) })
	t.writeParts(p)
}

func (t *rescueText) writeParts(p *result.RescuePlan) {
	t.w.verdict(string(p.Outcome), p.Summary, t.w.style.rescueText(p.Outcome))
	t.facts("CAN'T BE KEPT", p.Lost)
	t.facts("IN THE WAY", p.Refused)
	t.steps("STOP THE LOSS NOW", p.Stop)
	t.facts("SAFE AS IT IS", p.Safe)
	t.files(p)
	t.steps("HOW IT COMES BACK", p.Return)
	t.said.unread(p.Unreadable)
}

func (s Style) rescueText(outcome result.Rescuable) func(string) string {
	switch outcome {
	case result.AllLost:
		return s.causeText
	case result.NotDeleted, result.NoData:
		return s.headingText
	case result.CanBeKept:
		return s.safeText
	}
	return s.waitingText
}

func (t *rescueText) facts(heading string, facts []result.RescueFact) {
	t.w.items(heading, finding.Each(facts, func(fact result.RescueFact) string { return fact.Message }))
}

func (t *rescueText) steps(heading string, steps []result.RescueStep) {
	if len(steps) == 0 {
		return
	}
	t.w.section(heading, ", in this order")
	for _, step := range steps {
		t.step(step)
	}
}

// step writes the deed after its number, its commands, and what it costs.
func (t *rescueText) step(step result.RescueStep) {
	few := t.w.room(6)
	defer t.w.labelled(stepBlock, t.advice.number(), step.Action, nil)()
	commands := step.Commands
	if len(commands) > few+1 && !t.w.style.Wide {
		commands = commands[:few]
	}
	t.w.commands("       ", commands)
	if left := len(step.Commands) - len(commands); left > 0 {
		t.w.paragraph("       ", fmt.Sprintf("and %d more; -o wide lists them all", left), nil)
	}
	if step.Costs != "" {
		t.w.labelled(labelBlock, "     Costs: ", step.Costs+".", t.w.style.waitingText)()
	}
}

// files says what is saved, or by which step.
func (t *rescueText) files(p *result.RescuePlan) {
	if len(p.Files) == 0 {
		return
	}
	if p.Save != nil {
		t.w.section("SAVE WHAT IS LEFT")
		t.step(*p.Save)
		return
	}
	t.w.items(fmt.Sprintf("SAVED IN %s", p.Folder), finding.Each(p.Files, func(file result.RescueFile) string {
		if file.Rebuilt {
			return file.Path + " (made from its volume)"
		}
		return file.Path
	}))
}

func briefRescue(p *result.RescuePlan) brief {
	short := brief{
		verdict: string(p.Outcome), sentence: p.Summary,
		paint: func(style Style) func(string) string { return style.rescueText(p.Outcome) },
	}
	for _, step := range append(append([]result.RescueStep{}, p.Stop...), p.Return...) {
		if len(step.Commands) > 0 {
			short.step = &finding.Remedy{Action: step.Action, Command: step.Commands[0], More: step.Commands[1:]}
			break
		}
	}
	return short
}

// rescuedIn are the objects that can be created again.
func rescuedIn(p result.RescuePlan) []finding.Ref {
	return finding.Each(p.Files, func(file result.RescueFile) finding.Ref { return file.Object })
}
