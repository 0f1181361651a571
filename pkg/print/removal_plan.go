package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// removalsShown is how many objects of a plan are told in full; the others are named.
const removalsShown = 5

// plan writes what would be removed, and what is to be known before: what is better, what is lost, what refuses
// it. Objects about which it says the same are one block.
func (t *removalText) plan(p result.RemovalPlan) {
	plan := p.RemovalReport
	t.w.line(t.w.style.headingText("PLAN"), "  ", planned(plan))
	if kinds := kindsOf(plan.Items); len(kinds) > 1 {
		t.w.paragraph("  ", "Objects: "+finding.And(kinds)+".", nil)
	}
	if plan.Server != "" {
		t.w.paragraph("  ", "Server "+plan.Server+", user "+cmp.Or(plan.User, "unknown: the server does not say")+".",
			nil)
	}
	blocks := removalBlocks(plan.Items)
	for i, block := range blocks {
		if i == removalsShown && len(blocks) > removalsShown+1 && !t.w.style.Wide {
			t.otherRemovals(blocks[i:])
			break
		}
		t.w.line()
		t.removal(block, plan)
	}
	t.better(plan.Items)
	if !plan.Forced { // else what follows tells them
		t.refusals(plan.Guards, nil, true)
	}
	if plan.Forced && plan.Word != "" && !isRefused(plan) {
		t.w.line()
		t.w.paragraph("  ", fmt.Sprintf("To consent to the whole plan (%s), type this word: %s",
			finding.And(kindsOf(plan.Items)), plan.Word), t.w.style.headingText)
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

func (t *removalText) removal(block removalBlock, plan *result.RemovalReport) {
	item := block[0]
	t.w.paragraph("  ", block.name()+block.state(plan.GeneratedAt), t.w.style.headingText)
	if names := block.names(); names != "" {
		t.w.paragraph("    ", names, nil)
	}
	if !isExplained(item) {
		t.diagnosed(item)
	}
	if len(block) > 1 {
		shown := fmt.Sprintf("This is for %s; the same applies to %s.", item.Target.Path(), block.others("", ""))
		t.w.paragraph("    ", shown, nil)
	}
	told := map[string]bool{}
	for _, entry := range item.Entries {
		times := ""
		if entry.Times > 1 {
			times = fmt.Sprintf(" (listed %d times)", entry.Times)
		}
		t.w.paragraph("    ", "Would remove the finalizer "+entryName(entry.Hold)+times+".", t.w.style.causeText)
		t.judgement(entry, plan.Forced && isRefused(plan))
		for i, loses := range entry.Loses {
			if i < len(entry.LossKeys) && told[entry.LossKeys[i]] {
				loses = "the same as above"
			}
			t.w.paragraph("      Loses: ", strings.TrimSuffix(loses, ".")+".", t.w.style.causeText)
		}
		for _, key := range entry.LossKeys {
			told[key] = true
		}
	}
	t.takenWith("    ", block)
	t.remains(item)
	if dependents := block.dependents(); len(dependents) > 0 {
		t.w.paragraph("    Dependents: ", some(dependents, finding.Ref.String, 5, t.w.style.Wide, "more")+".", nil)
	}
	for _, write := range item.Writes {
		text := "Would send " + write.Request + "."
		switch {
		case write.Refusal != "" && !plan.Forced:
			text += " A dry run was refused (see REFUSED)."
		case write.Refusal != "":
			text += " A dry run was refused: " + write.Refusal
		case write.DryRun:
			text += " A dry run passed."
		}
		t.w.paragraph("    ", text, nil)
	}
}

func (t *removalText) remains(item result.Removal) {
	if len(item.Remains) > 0 {
		names := finding.And(finding.Each(item.Remains, entryName))
		if len(item.Entries) == 0 {
			t.w.paragraph("    ", "It is held by "+names+".", t.w.style.waitingText)
		} else {
			t.w.paragraph("    ", "After the removal, the object is still held by "+names+".", t.w.style.waitingText)
		}
	}
	for _, warning := range item.Warnings {
		t.w.paragraph("    Warning: ", warning, t.w.style.causeText)
	}
}

// diagnosed writes the one sentence of the diagnosis, with a list where several things block the object.
func (t *removalText) diagnosed(item result.Removal) {
	t.w.paragraph("    ", cmp.Or(item.Sums.Text, item.Diagnosis), nil)
	for _, text := range item.Sums.Items {
		t.w.paragraph("      - ", text, nil)
	}
	if item.Sums.More > 0 {
		t.w.paragraph("      - ", fmt.Sprintf("%d more", item.Sums.More), nil)
	}
}

// judgement writes what the diagnosis says of a removal: why it doesn't object, or each objection. Where a
// removal by force is refused, the answer after its plan says the objections.
func (t *removalText) judgement(entry result.RemovalEntry, answered bool) {
	for _, cause := range entry.Beside {
		code, verb := string(cause.Reason), "does not object"
		if cause.Objects {
			verb = "objects"
		}
		if cause.Certainty != finding.Unknown { // the reason says that itself
			code += ", " + strings.ToLower(string(cause.Certainty))
		}
		t.w.paragraph("      - ", fmt.Sprintf("The diagnosis %s (%s). %s", verb, code, cause.Message), nil)
	}
	for _, objection := range entry.Objected {
		text := fmt.Sprintf("The diagnosis objects (%s). %s", speaksAgainst(objection), objection.Message)
		if answered && !objection.Overridden {
			text = fmt.Sprintf("The diagnosis objects (%s); the refusal below says why.", objection.Code)
		}
		t.w.paragraph("      - ", text, t.w.style.waitingText)
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
func (t *removalText) otherRemovals(blocks []removalBlock) {
	count := 0
	for _, block := range blocks {
		count += len(block)
	}
	t.w.line()
	t.w.paragraph("  ", fmt.Sprintf("%d more, which -o wide shows in full:", count), nil)
	for _, block := range blocks {
		item := block[0]
		names := finding.Each(item.Entries, func(entry result.RemovalEntry) string {
			against := finding.Each(entry.Objected,
				func(objection result.Objection) string { return " (objection " + speaksAgainst(objection) + ")" })
			return entryName(entry.Hold) + strings.Join(against, "")
		})
		t.w.paragraph("  - ", block.name()+": "+strings.Join(names, ", "), nil)
		if text := block.names(); text != "" {
			t.w.paragraph("    ", text, nil)
		}
		t.takenWith("    ", block)
		t.remains(item)
	}
	t.lossesOf(blocks)
}

// lossesOf says what is lost with the entries of several objects, each loss once.
func (t *removalText) lossesOf(blocks []removalBlock) {
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
					t.w.paragraph("    Loses: ", text, t.w.style.causeText)
				}
			}
		}
	}
}

func (t *removalText) consent(plan *result.RemovalReport) {
	if plan.Token == "" || isRefused(plan) {
		return
	}
	t.w.section("TO CARRY IT OUT")
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
	t.w.paragraph("  ", how+":", nil)
	t.w.command("       ", command)
}
