package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// removalsShown is how many objects of a plan are told in full; the others are named.
const removalsShown = 5

// RemovalPlan is a removal before anything is done.
type RemovalPlan struct{ *RemovalReport }

// human writes what would be removed, and what is to be known before: what is better, what is lost, what refuses it.
func (p RemovalPlan) human(w *writer) {
	plan := p.RemovalReport
	w.line(w.style.headingText("PLAN"), "  ", planned(plan))
	if plan.Server != "" {
		w.paragraph("  ", "At "+plan.Server+", as "+cmp.Or(plan.User, "a user of whom the server says nothing")+".", nil)
	}
	for i, item := range plan.Items {
		if i == removalsShown && len(plan.Items) > removalsShown+1 && !w.style.Wide {
			w.otherRemovals(plan.Items[i:])
			break
		}
		w.line()
		w.removal(item)
	}
	w.better(plan.Items)
	if !plan.Forced { // else what follows tells them
		w.refusals(plan.Guards, nil, true)
	}
	if plan.Forced && plan.Word != "" {
		w.line()
		w.paragraph("  ", "The word of this plan, by which you consent to all of it: "+plan.Word, w.style.headingText)
	}
}

func planned(plan *RemovalReport) string {
	switch {
	case plan.Forced && plan.DryRun != "":
		return "what --force would remove; a dry run, which changes nothing"
	case plan.Forced:
		return "what --force removes if every guard holds; nothing has been changed yet"
	}
	return "to remove finalizers by force; nothing has been changed"
}

func (w *writer) removal(item Removal) {
	w.line("  ", w.style.headingText(item.Target.String()))
	w.paragraph("    ", fmt.Sprintf("%s: %s", item.Verdict, item.Diagnosis), nil)
	for _, entry := range item.Entries {
		times := ""
		if entry.Times > 1 {
			times = fmt.Sprintf(", which stands there %d times", entry.Times)
		}
		w.paragraph("    ", "Would remove "+entryName(entry.Hold)+times+".", w.style.causeText)
		for i, why := range entry.Why {
			if i >= len(entry.ToldBy) || entry.ToldBy[i] < 0 { // else it is told below
				w.paragraph("      - ", why, nil)
			}
		}
		for _, objection := range entry.Objected {
			w.paragraph("      - ", speaksAgainst(objection)+": "+objection.Message, w.style.waitingText)
		}
		for _, loses := range entry.Loses {
			w.paragraph("      Loses: ", strings.TrimSuffix(loses, ".")+".", w.style.causeText)
		}
	}
	w.taken("    Goes with it: ", item.Takes)
	w.remains(item)
	if len(item.Dependents) > 0 {
		w.paragraph("    Dependents: ", some(item.Dependents, finding.Ref.String, 5, w.style.Wide, "more")+".", nil)
	}
	for _, write := range item.Writes {
		text := "Sends: " + write.Request + "."
		switch {
		case write.Refusal != "":
			text += " The dry run was refused: " + write.Refusal
		case write.DryRun:
			text += " The dry run passed."
		}
		w.paragraph("    ", text, nil)
	}
}

func (w *writer) remains(item Removal) {
	if len(item.Remains) > 0 {
		names := strings.Join(finding.Each(item.Remains, entryName), ", ")
		w.paragraph("    ", "Still held afterwards by "+names+".", w.style.waitingText)
	}
	for _, warning := range item.Warnings {
		w.paragraph("    Warning: ", warning, w.style.causeText)
	}
}

func speaksAgainst(objection Objection) string {
	if objection.Overridden {
		return objection.Code + " speaks against it, and is set aside"
	}
	return objection.Code + " speaks against it"
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
func (w *writer) otherRemovals(items []Removal) {
	w.line()
	w.paragraph("  ", fmt.Sprintf("And from %d more, of which -o wide tells as much:", len(items)), nil)
	for _, item := range items {
		names := finding.Each(item.Entries, func(entry RemovalEntry) string {
			against := finding.Each(entry.Objected, func(one Objection) string { return " (" + speaksAgainst(one) + ")" })
			return entryName(entry.Hold) + strings.Join(against, "")
		})
		w.paragraph("  - ", item.Target.String()+": "+strings.Join(names, ", "), nil)
		w.taken("    Goes with it: ", item.Takes)
		w.remains(item)
	}
	w.lossesOf(items)
}

// lossesOf says what is lost with the entries of several objects, each loss once.
func (w *writer) lossesOf(items []Removal) {
	told := map[[2]string]bool{}
	for _, entry := range eachOf(items, func(item Removal) []RemovalEntry { return item.Entries }) {
		for i, key := range entry.LossKeys {
			if is := [2]string{entry.Name, key}; !told[is] {
				told[is] = true
				w.paragraph("    Loses: ", strings.TrimSuffix(entry.Name+": "+entry.Loses[i], ".")+".", w.style.causeText)
			}
		}
	}
}

func (w *writer) better(items []Removal) {
	const few = 6
	var remedies []finding.Remedy
	for _, remedy := range eachOf(items, func(item Removal) []finding.Remedy { return item.Better }) {
		if !slices.ContainsFunc(remedies, remedy.SameStep) {
			remedies = append(remedies, remedy)
		}
	}
	if len(remedies) == 0 {
		return
	}
	w.section("BETTER", "  try this first")
	for i, remedy := range remedies {
		if i == few && !w.style.Wide && len(remedies) > few+1 {
			w.line(fmt.Sprintf("  and %d more; -o wide lists them all", len(remedies)-few))
			return
		}
		w.remedy(i+1, remedy, RootCause{}, false)
	}
}

func (w *writer) consent(plan *RemovalReport) {
	if plan.Token == "" || slices.ContainsFunc(plan.Guards, func(guard Guard) bool { return !guard.Passed }) {
		return
	}
	w.section("TO CARRY IT OUT")
	how := "On a terminal, give the same command with --force, and type what it asks for. Without a terminal, " +
		"confirm exactly this plan with its token, which fits as long as nothing changes"
	command := plan.Command
	if len(command) == 0 {
		how += ": give the same command with the same on standard input, and with"
		command = finding.Command{"--force", "--confirm", plan.Token}
	}
	w.paragraph("  ", how+":", nil)
	w.command("       ", command)
}
