package print

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// uninstallText writes plans of uninstallations.
type uninstallText struct {
	renderer
	extent extent
}

// write writes the answer first, then what has to be resolved, the steps, and what stays.
func (t *uninstallText) write(p *result.UninstallPlan) {
	causes := max(severalParts, len(p.Refusals)+len(p.RootCauses))
	t.extent = t.w.fullest(causes, true, func(to *writer, tried extent) {
		(&uninstallText{newRenderer(to), tried}).writeParts(p)
	})
	t.writeParts(p)
}

func (t *uninstallText) writeParts(p *result.UninstallPlan) {
	t.w.verdict(string(p.State), p.Summary, t.w.style.uninstallPaint(p.State))
	t.found(p)
	for _, controller := range p.Controllers {
		t.said.heard(controller.Message, finding.Each(p.RootCauses, func(cause result.RootCause) finding.InShort {
			return cause.InShort
		})...)
	}
	blocked, preview := blockedIn(p), &previewText{renderer: t.renderer, extent: t.extent}
	preview.causes(blocked)
	preview.unclear(blocked)
	t.steps(p)
	t.w.items("WOULD STAY", finding.Each(p.Stays, func(staying result.UninstallStaying) string { return staying.Message }))
	t.w.items("PLEASE NOTE", p.Notes)
	t.said.unread(p.Unreadable)
}

// briefUninstall is the answer with what to resolve first, or else the first step.
func briefUninstall(p *result.UninstallPlan) brief {
	short := brief{
		verdict: string(p.State), sentence: p.Summary,
		paint: func(style Style) func(string) string { return style.uninstallPaint(p.State) },
	}
	if len(p.RootCauses) == 0 && len(p.Steps) > 0 {
		first := p.Steps[0]
		short.step = &finding.Remedy{Action: first.Action, Loses: first.Loses, Risk: first.Risk}
		if len(first.Commands) > 0 && len(first.SaveTo) == 0 { // what is saved has to be led to files
			short.step.Command, short.step.More = first.Commands[0], first.Commands[1:]
		}
	}
	return short.firstOf(p.RootCauses)
}

// blockedIn is what would hang, as a preview has it.
func blockedIn(p *result.UninstallPlan) *result.Preview {
	return &result.Preview{
		Refusals: p.Refusals, Hanging: p.Blocked, RootCauses: p.RootCauses, Unsure: p.Unsure, Unreadable: p.Unreadable,
	}
}

func (s Style) uninstallPaint(state result.UninstallState) func(string) string {
	switch state {
	case result.UninstallBlocked:
		return s.causeText
	case result.UninstallUnclear:
		return s.waitingText
	}
	return s.headingText
}

// found writes what belongs to the operator, and what it serves.
func (t *uninstallText) found(p *result.UninstallPlan) {
	t.w.items("CONTROLLERS", finding.Each(p.Controllers, func(controller result.UninstallController) string {
		if controller.Running {
			return controller.Object.String() + " is running."
		}
		return controller.Message
	}))
	var rows [][]string
	for _, served := range p.Serves {
		count := fmt.Sprint(served.Count)
		if served.Unlisted {
			count = "at least " + count
		}
		rows = append(rows, []string{served.Resource, count, finding.Some(served.Finalizers, 2)})
	}
	for _, guest := range p.Guests {
		rows = append(rows, []string{guest.Resource, fmt.Sprint(len(guest.Objects)), guest.Finalizer})
	}
	if len(rows) > 0 {
		t.w.section("OBJECTS THAT NEED IT")
		t.w.rows("  ", []string{"KIND", "COUNT", "FINALIZERS"}, rows, 12)
	}
	if t.w.style.Wide {
		t.parts(p)
	}
}

// parts lists everything that was found of the operator.
func (t *uninstallText) parts(p *result.UninstallPlan) {
	var rows [][]string
	for _, part := range p.Parts {
		for _, object := range part.Objects {
			rows = append(rows, []string{string(part.Role), object.Kind, object.Path()})
		}
	}
	if len(rows) > 0 {
		t.w.section("PARTS")
		t.w.table("  ", []string{"ROLE", "KIND", "NAME"}, rows, t.w.style.width())
	}
}

func (t *uninstallText) steps(p *result.UninstallPlan) {
	if len(p.Steps) == 0 {
		return
	}
	t.w.section("STEPS", ", in this order")
	if p.State == result.UninstallBlocked {
		t.w.paragraph("  ", "First resolve what is above. Then run this command again.", nil)
	}
	for i, step := range p.Steps {
		t.step(fmt.Sprintf("  %d. ", i+1), step)
	}
}

func (t *uninstallText) step(lead string, step result.UninstallStep) {
	defer t.w.labelled(stepBlock, lead, step.Action, t.w.style.riskPaint(step.Risk))()
	most := t.w.room(mostCommands)
	for i, command := range step.Commands {
		if i == most && len(step.Commands) > most+1 && !t.w.style.Wide && t.w.page == nil {
			text := "and %d more commands; -o wide and -o script have all of them"
			t.w.paragraph("       ", fmt.Sprintf(text, len(step.Commands)-i), nil)
			break
		}
		t.command(step, i, command)
	}
	for _, wait := range step.Wait[:min(len(step.Wait), most)] {
		t.w.command("       ", wait)
	}
	if len(step.Goes) > 0 {
		t.w.labelled(labelBlock, "     Also deletes: ", goesInWords(step.Goes)+".", nil)()
	}
	if step.Loses != "" {
		t.w.labelled(labelBlock, "     Loses: ", step.Loses+".", t.w.style.lossPaint(step.Risk))()
	}
}

// mostCommands is how many commands of a step the default output has.
const mostCommands = 8

// command writes a command of a step, with the file to which its output goes.
func (t *uninstallText) command(step result.UninstallStep, number int, command finding.Command) {
	if number >= len(step.SaveTo) {
		t.w.command("       ", command)
		return
	}
	to, width := " > "+finding.Command{step.SaveTo[number]}.String(), t.w.style.width()-len("       ")
	lines := wrapCommand(command, width)
	if last := len(lines) - 1; displayWidth(lines[last]+to) > width {
		lines[last] += ` \`
		lines = append(lines, " "+to)
	} else {
		lines[last] += to
	}
	if t.w.page != nil {
		t.w.page.add(&block{Kind: commandBlock, Text: strings.Join(lines, "\n")})
		return
	}
	for _, line := range lines {
		t.w.line("       ", t.w.style.commandText(line))
	}
}

// goesInWords counts what is deleted, by kind.
func goesInWords(goes []result.Going) string {
	const few = 6
	return finding.Some(finding.Each(goes, func(going result.Going) string {
		if going.Count == 1 {
			return going.Objects[0].String()
		}
		return finding.Plural(going.Count, going.Kind)
	}), few)
}

// uninstallTitle names a plan in a few words.
func uninstallTitle(p *result.UninstallPlan) string {
	name := p.Target.Name
	if p.Target.Object != nil {
		name = p.Target.Object.String()
	}
	return strings.TrimSpace("uninstall " + name)
}
