package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// removalsShown is how many objects of a plan are told in full; the others are named.
const removalsShown = 5

// RemovalPlan is a removal before anything is done.
type RemovalPlan struct{ *RemovalReport }

// human writes what would be removed, and what is to be known before: what is better, what is lost, what refuses it.
// Objects about which it says the same are one block.
func (p RemovalPlan) human(w *writer) {
	plan := p.RemovalReport
	w.line(w.style.headingText("PLAN"), "  ", planned(plan))
	if plan.Server != "" {
		w.paragraph("  ", "Server "+plan.Server+", user "+cmp.Or(plan.User, "unknown: the server does not say")+".",
			nil)
	}
	blocks := removalBlocks(plan.Items)
	for i, block := range blocks {
		if i == removalsShown && len(blocks) > removalsShown+1 && !w.style.Wide {
			w.otherRemovals(blocks[i:])
			break
		}
		w.line()
		w.removal(block, plan.GeneratedAt)
	}
	w.better(plan.Items)
	if !plan.Forced { // else what follows tells them
		w.refusals(plan.Guards, nil, true)
	}
	if plan.Forced && plan.Word != "" {
		w.line()
		w.paragraph("  ", "To consent to the whole plan, type this word: "+plan.Word, w.style.headingText)
	}
}

func planned(plan *RemovalReport) string {
	switch {
	case plan.Forced && plan.DryRun != "":
		return "what --force would remove; a dry run, which changes nothing"
	case plan.Forced:
		return "what --force removes if every guard passes; nothing has been changed yet"
	}
	return "to remove finalizers by force; nothing has been changed"
}

func (w *writer) removal(block removalBlock, now time.Time) {
	item := block[0]
	w.paragraph("  ", block.name()+block.state(now), w.style.headingText)
	if names := block.names(); names != "" {
		w.paragraph("    ", names, nil)
	}
	if !item.explained() {
		w.paragraph("    ", item.Diagnosis, nil)
	}
	if len(block) > 1 {
		shown := fmt.Sprintf("Shown for %s; the same applies to %s.", item.Target.Path(), block.others("", ""))
		w.paragraph("    ", shown, nil)
	}
	told := map[string]bool{}
	for _, entry := range item.Entries {
		times := ""
		if entry.Times > 1 {
			times = fmt.Sprintf(" (listed %d times)", entry.Times)
		}
		w.paragraph("    ", "Would remove the finalizer "+entryName(entry.Hold)+times+".", w.style.causeText)
		for i, why := range entry.Why {
			if i >= len(entry.ToldBy) || entry.ToldBy[i] < 0 { // else it is told below
				w.paragraph("      - ", why, nil)
			}
		}
		for _, objection := range entry.Objected {
			w.paragraph("      - ", speaksAgainst(objection)+": "+objection.Message, w.style.waitingText)
		}
		for i, loses := range entry.Loses {
			if i < len(entry.LossKeys) && told[entry.LossKeys[i]] {
				loses = "the same as above"
			}
			w.paragraph("      Loses: ", strings.TrimSuffix(loses, ".")+".", w.style.causeText)
		}
		for _, key := range entry.LossKeys {
			told[key] = true
		}
	}
	w.takenWith("    ", block)
	w.remains(item)
	if dependents := block.dependents(); len(dependents) > 0 {
		w.paragraph("    Dependents: ", some(dependents, finding.Ref.String, 5, w.style.Wide, "more")+".", nil)
	}
	for _, write := range item.Writes {
		text := "Would send: " + write.Request + "."
		switch {
		case write.Refusal != "":
			text += " The dry run was refused: " + write.Refusal
		case write.DryRun:
			text += " A dry run of it passed."
		}
		w.paragraph("    ", text, nil)
	}
}

func (w *writer) remains(item Removal) {
	if len(item.Remains) > 0 {
		names := strings.Join(finding.Each(item.Remains, entryName), ", ")
		if len(item.Entries) == 0 {
			w.paragraph("    ", "Held by "+names+".", w.style.waitingText)
		} else {
			w.paragraph("    ", "Afterwards still held by "+names+".", w.style.waitingText)
		}
	}
	for _, warning := range item.Warnings {
		w.paragraph("    Warning: ", warning, w.style.causeText)
	}
}

func speaksAgainst(objection Objection) string {
	if objection.Overridden {
		return "Objection " + objection.Code + ", overridden"
	}
	return "Objection " + objection.Code
}

func entryName(hold finding.Hold) string {
	switch hold.Type {
	case finding.GracePeriod:
		return "its grace period"
	case finding.SpecFinalizer:
		return hold.Name + " (spec.finalizers)"
	}
	return hold.Name
}

// otherRemovals names the rest of a long plan. Nothing is removed that isn't named here.
func (w *writer) otherRemovals(blocks []removalBlock) {
	count := 0
	for _, block := range blocks {
		count += len(block)
	}
	w.line()
	w.paragraph("  ", fmt.Sprintf("%d more, which -o wide shows in full:", count), nil)
	for _, block := range blocks {
		item := block[0]
		names := finding.Each(item.Entries, func(entry RemovalEntry) string {
			against := finding.Each(entry.Objected,
				func(one Objection) string { return " (" + speaksAgainst(one) + ")" })
			return entryName(entry.Hold) + strings.Join(against, "")
		})
		w.paragraph("  - ", block.name()+": "+strings.Join(names, ", "), nil)
		if of := block.names(); of != "" {
			w.paragraph("    ", of, nil)
		}
		w.takenWith("    ", block)
		w.remains(item)
	}
	w.lossesOf(blocks)
}

// lossesOf says what is lost with the entries of several objects, each loss once.
func (w *writer) lossesOf(blocks []removalBlock) {
	told := map[[2]string]bool{}
	for _, block := range blocks {
		for _, entry := range block[0].Entries {
			for i, key := range entry.LossKeys {
				if is := [2]string{entry.Name, key}; !told[is] {
					told[is] = true
					text := strings.TrimSuffix(entry.Name+": "+entry.Loses[i], ".") + "."
					if len(block) > 1 {
						text += fmt.Sprintf(" The same for %s.", block.others("", ""))
					}
					w.paragraph("    Loses: ", text, w.style.causeText)
				}
			}
		}
	}
}

// better lists what should be tried before force, each step once, with the commands of all objects that it is for.
func (w *writer) better(items []Removal) {
	const few = 6
	better := eachOf(items, func(item Removal) []finding.Remedy { return item.Better })
	steps := groupBySame(better, finding.Remedy.SameStep)
	if len(steps) == 0 {
		return
	}
	w.section("BETTER", "  try this first")
	for i, alike := range steps {
		if i == few && !w.style.Wide && len(steps) > few+1 {
			w.line(fmt.Sprintf("  and %d more; -o wide lists them all", len(steps)-few))
			return
		}
		var others []finding.Command
		for _, other := range alike[1:] {
			known := func(command finding.Command) bool { return slices.Equal(command, other.Command) }
			if !known(alike[0].Command) && !slices.ContainsFunc(others, known) {
				others = append(others, other.Command)
			}
		}
		more := 0
		if !w.style.Wide && len(others) > few+1 {
			others, more = others[:few], len(others)-few
		}
		w.remedy(i+1, alike[0], RootCause{}, false, others...)
		if more > 0 {
			w.line(fmt.Sprintf("     and the same for %d more objects; -o wide lists them all", more))
		}
	}
}

func (w *writer) consent(plan *RemovalReport) {
	if plan.Token == "" || slices.ContainsFunc(plan.Guards, func(guard Guard) bool { return !guard.Passed }) {
		return
	}
	w.section("TO CARRY IT OUT")
	how := "On a terminal, run the same command with --force, and type what it asks for. Without a terminal, " +
		"confirm exactly this plan with its token, which is valid until the objects or this plan change"
	command := plan.Command
	if len(command) == 0 {
		how += ": run the same command with the same standard input, and add"
		command = finding.Command{"--force", "--confirm", plan.Token}
	}
	w.paragraph("  ", how+":", nil)
	w.command("       ", command)
}
