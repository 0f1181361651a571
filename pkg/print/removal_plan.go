package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// removalsShown is how many objects of a plan are told in full; the others are named.
const removalsShown = 5

// humanPlan writes what would be removed, and what is to be known before: what is better, what is lost, what refuses
// it. Objects about which it says the same are one block.
func humanPlan(p result.RemovalPlan, w *writer) {
	plan := p.RemovalReport
	w.line(w.style.headingText("PLAN"), "  ", planned(plan))
	if kinds := kindsOf(plan.Items); len(kinds) > 1 {
		w.paragraph("  ", "Objects: "+finding.And(kinds)+".", nil)
	}
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
		w.removal(block, plan.GeneratedAt, !plan.Forced)
	}
	w.better(plan.Items)
	if !plan.Forced { // else what follows tells them
		w.refusals(plan.Guards, nil, true)
	}
	if plan.Forced && plan.Word != "" && !isRefused(plan) {
		w.line()
		w.paragraph("  ", fmt.Sprintf("To consent to the whole plan (%s), type this word: %s",
			finding.And(kindsOf(plan.Items)), plan.Word), w.style.headingText)
	}
}

// kindsOf counts the objects of a plan by kind, in its order: 3 Applications.
func kindsOf(items []result.Removal) []string {
	alike := groupBySame(items, func(a, b result.Removal) bool { return a.Target.Kind == b.Target.Kind })
	return finding.Each(alike, func(group []result.Removal) string {
		return finding.Plural(len(group), group[0].Target.Kind)
	})
}

func isRefused(r *result.RemovalReport) bool {
	return slices.ContainsFunc(r.Guards, func(guard result.Guard) bool { return !guard.Passed })
}

func planned(plan *result.RemovalReport) string {
	switch {
	case plan.Forced && plan.DryRun != "":
		return "what --force would remove; a dry run, which changes nothing"
	case plan.Forced:
		return "what --force removes if every guard passes; nothing has been changed yet"
	}
	return "to remove finalizers by force; nothing has been changed"
}

func (w *writer) removal(block removalBlock, now time.Time, refusalsFollow bool) {
	item := block[0]
	w.paragraph("  ", block.name()+block.state(now), w.style.headingText)
	if names := block.names(); names != "" {
		w.paragraph("    ", names, nil)
	}
	if !isExplained(item) {
		w.diagnosed(item)
	}
	if len(block) > 1 {
		shown := fmt.Sprintf("This is for %s; the same applies to %s.", item.Target.Path(), block.others("", ""))
		w.paragraph("    ", shown, nil)
	}
	told := map[string]bool{}
	for _, entry := range item.Entries {
		times := ""
		if entry.Times > 1 {
			times = fmt.Sprintf(" (listed %d times)", entry.Times)
		}
		w.paragraph("    ", "Would remove the finalizer "+entryName(entry.Hold)+times+".", w.style.causeText)
		w.judgement(entry)
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
		text := "Would send " + write.Request + "."
		switch {
		case write.Refusal != "" && refusalsFollow:
			text += " A dry run was refused (see REFUSED)."
		case write.Refusal != "":
			text += " A dry run was refused: " + write.Refusal
		case write.DryRun:
			text += " A dry run passed."
		}
		w.paragraph("    ", text, nil)
	}
}

func (w *writer) remains(item result.Removal) {
	if len(item.Remains) > 0 {
		names := finding.And(finding.Each(item.Remains, entryName))
		if len(item.Entries) == 0 {
			w.paragraph("    ", "It is held by "+names+".", w.style.waitingText)
		} else {
			w.paragraph("    ", "After the removal, the object is still held by "+names+".", w.style.waitingText)
		}
	}
	for _, warning := range item.Warnings {
		w.paragraph("    Warning: ", warning, w.style.causeText)
	}
}

// diagnosed writes the one sentence of the diagnosis, with a list where several things block the object.
func (w *writer) diagnosed(item result.Removal) {
	w.paragraph("    ", cmp.Or(item.Sums.Text, item.Diagnosis), nil)
	for _, one := range item.Sums.Items {
		w.paragraph("      - ", one, nil)
	}
	if item.Sums.More > 0 {
		w.paragraph("      - ", fmt.Sprintf("%d more", item.Sums.More), nil)
	}
}

// judgement writes what the diagnosis says of a removal: why it doesn't object, or each objection.
func (w *writer) judgement(entry result.RemovalEntry) {
	for _, cause := range entry.Beside {
		code, verb := string(cause.Reason), "does not object"
		if cause.Objects {
			verb = "objects"
		}
		if cause.Certainty != finding.Unknown { // the reason says that itself
			code += ", " + strings.ToLower(string(cause.Certainty))
		}
		w.paragraph("      - ", fmt.Sprintf("The diagnosis %s (%s). %s", verb, code, cause.Message), nil)
	}
	for _, objection := range entry.Objected {
		text := fmt.Sprintf("The diagnosis objects (%s). %s", speaksAgainst(objection), objection.Message)
		w.paragraph("      - ", text, w.style.waitingText)
	}
}

func speaksAgainst(objection result.Objection) string {
	if objection.Overridden {
		return objection.Code + ", overridden"
	}
	return objection.Code
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
		names := finding.Each(item.Entries, func(entry result.RemovalEntry) string {
			against := finding.Each(entry.Objected,
				func(one result.Objection) string { return " (objection " + speaksAgainst(one) + ")" })
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

func (w *writer) consent(plan *result.RemovalReport) {
	if plan.Token == "" || isRefused(plan) {
		return
	}
	w.section("TO CARRY IT OUT")
	asked := "the name of the object"
	if plan.Word != "" {
		asked = "a word that it shows"
	}
	how := "On a terminal, run the same command with --force. It asks you to type " + asked + ". Without a " +
		"terminal, confirm this plan by its token, which is valid until the objects or the plan change"
	command := plan.Command
	if len(command) == 0 {
		how += ": run the same command with the same standard input, and add"
		command = finding.Command{"--force", "--confirm", plan.Token}
	}
	w.paragraph("  ", how+":", nil)
	w.command("       ", command)
}
