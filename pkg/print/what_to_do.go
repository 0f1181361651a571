package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// chapterOfSteps is what to do about causes that are alike.
type chapterOfSteps struct {
	group []int
	steps []step
}

// whatToDo lists what to do, safest first: what to ask after a mistake, what to know before, what keeps data, the steps
// about each cause, and the steps about what is written above without them.
func (t *diagnosisText) whatToDo(d *result.Diagnosis) {
	if d.Verdict == result.NotTerminating { // which has its steps where they belong
		return
	}
	warnings := observationsAt(d, finding.PlacedFirst)
	var beside []result.Observation
	for _, observation := range d.Observations {
		if placeOf(observation) == finding.PlacedBeside && t.shows(d, observation) && len(observation.Remedies) > 0 {
			beside = append(beside, observation)
		}
	}
	causes := slices.ContainsFunc(d.RootCauses, func(cause result.RootCause) bool { return len(cause.Remedies) > 0 })
	keep := d.Keep != nil && len(d.RootCauses) == 0
	if len(warnings)+len(beside)+len(d.Mistake) == 0 && !causes && !keep {
		return
	}
	t.w.section("WHAT TO DO")
	t.rescue(d)
	for _, observation := range warnings {
		t.said.message(observation.Message, observation.InShort)
		t.said.evidence(observation.Evidence, ofRemark)
		t.advice.furtherSteps(observation.Remedies, result.RootCause{})
	}
	if keep {
		t.advice.furtherSteps([]finding.Remedy{*d.Keep}, result.RootCause{})
	}
	if causes {
		t.remedies(d)
	}
	if causes && t.extent.without >= sparesBesides {
		return
	}
	for _, observation := range beside {
		if causes {
			t.w.paragraph("  ", fmt.Sprintf("About what is under %s:", headingOf(d, observation)), nil)
		}
		t.advice.furtherSteps(observation.Remedies, result.RootCause{})
	}
}

// remedies lists what to do cause by cause. For causes with the same steps it has the commands alone, and for the same
// step with the same command where that step is. Several causes have a list of steps each.
func (t *diagnosisText) remedies(d *result.Diagnosis) {
	var told []chapterOfSteps
	causes := d.RootCauses
	groups, _ := t.described(d)
	for _, group := range groups {
		cause := causes[group[0]]
		steps := stepsOf(finding.Each(group, func(number int) result.RootCause { return causes[number] })...)
		before := slices.IndexFunc(told, func(other chapterOfSteps) bool {
			return slices.EqualFunc(other.steps, steps, func(a, b step) bool { return a.SameStep(b.Remedy) })
		})
		if len(groups) > 1 {
			t.advice.numbered = 0
		}
		switch {
		case len(causes) == len(groups[0]):
		case before >= 0:
			t.w.paragraph("  ", fmt.Sprintf("About %s, %s: the same steps as for %s, with these commands:",
				numbers(group), cause.Reason, numbers(told[before].group)), nil)
		default:
			t.w.paragraph("  ", fmt.Sprintf("About %s, %s:", numbers(group), cause.Reason), nil)
		}
		for _, one := range steps {
			lead, above := t.advice.number(), ""
			for _, other := range told {
				if at := slices.IndexFunc(other.steps, one.equals); at >= 0 && above == "" {
					above = fmt.Sprintf("Do step %d about %s, if you have not.", at+1, numbers(other.group))
				}
			}
			switch {
			case before >= 0:
				t.w.labelledCommands(stepBlock, lead+"  ", one.commands...)
			case above != "":
				t.advice.retains(one.Remedy)
				t.w.labelled(stepBlock, lead, above, t.w.style.riskPaint(one.Risk))()
			default:
				t.advice.step(stepBlock, lead, one, cause)
			}
		}
		told = append(told, chapterOfSteps{group, steps})
	}
}

// number is the lead of the next step of the answer.
func (a *advice) number() string {
	a.numbered++
	return a.lead()
}

// lead is that of the last step.
func (a *advice) lead() string { return fmt.Sprintf("  %d. ", a.numbered) }

// steps lists the steps of a list of its own.
func (a *advice) steps(remedies []finding.Remedy, cause result.RootCause) {
	a.numbered = 0
	a.furtherSteps(remedies, cause)
}

// furtherSteps lists steps after the ones that were written before.
func (a *advice) furtherSteps(remedies []finding.Remedy, cause result.RootCause) {
	cause.Remedies = remedies
	for _, one := range stepsOf(cause) {
		a.step(stepBlock, a.number(), one, cause)
	}
}

// takes says what is deleted with what is Terminating, or would be with what isn't, and what is left behind.
func (t *diagnosisText) takes(d *result.Diagnosis) {
	t.advice.takesTold = len(d.Takes) > 0
	would := ""
	if d.Verdict == result.NotTerminating {
		would = "WOULD BE "
	}
	t.advice.takenUnder(would, d.Takes)
	if would != "" && d.Keep != nil && len(d.RootCauses) == 0 {
		t.advice.furtherSteps([]finding.Remedy{*d.Keep}, result.RootCause{})
	}
}

// takenUnder writes what is deleted and what is left behind under a heading each, which would begins.
func (a *advice) takenUnder(would string, all []finding.Taken) {
	for _, leaves := range []bool{false, true} {
		if part := finding.TakenBy(all, leaves); len(part) > 0 {
			a.w.section(would + map[bool]string{false: "DELETED WITH IT", true: "LEFT BEHIND"}[leaves])
			a.taken(part, a.w.item)
		}
	}
}
