package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// wouldRefuse is the heading over what would refuse the deletion, and hangs the one over a root cause.
const wouldRefuse, wouldHang, mayHang = "WOULD REFUSE", "WOULD HANG", "MAY HANG"

func hangsHeading(p *result.Preview, number int) string {
	waits := func(hanging result.Hanging) bool { return slices.Contains(hanging.RootCauses, number) }
	surely := func(hanging result.Hanging) bool { return waits(hanging) && hanging.Verdict == result.Stuck }
	open := slices.ContainsFunc(p.Hanging, waits) && !slices.ContainsFunc(p.Hanging, surely)
	if open || p.RootCauses[number].Certainty == finding.Unknown {
		return mayHang
	}
	return wouldHang
}

// causes describes what refuses and what hangs, and lists what there is no room for.
func (t *previewText) causes(p *result.Preview) {
	var further []mention
	for number, refused := range p.Refusals {
		if number < t.extent.described {
			t.refused(p.Target, refused)
			continue
		}
		title := fmt.Sprintf("%s %s, which would refuse the deletion", refused.Reason, refused.By)
		further = append(further, mention{title, result.RootCause{Remedies: refused.Remedies}, t.extent.steps})
	}
	for number, cause := range p.RootCauses {
		if len(p.Refusals)+number < t.extent.described {
			t.hanging(p, number, cause)
			continue
		}
		would := map[string]string{mayHang: "may hang", wouldHang: "would hang"}[hangsHeading(p, number)]
		item := result.ItemCause{Reason: cause.Reason, Object: cause.Object, Count: cause.Count}
		title := fmt.Sprintf("%s, for which the deletion %s", causeOf(item), would)
		further = append(further, mention{title, cause, t.extent.steps})
	}
	t.mentions(further, nil)
}

// describedCause is a cause that was described, in the answer about a target.
type describedCause struct {
	object finding.Ref
	reason finding.Reason
	steps  []step
	target finding.Ref
}

// sendAbove sends to the answer about another target, if a cause is described there, and else remembers it. It reports
// which. Wide output and pages describe it again.
func (t *previewText) sendAbove(target finding.Ref, cause result.RootCause) bool {
	steps := stepsOf(cause)
	at := slices.IndexFunc(t.above, func(one describedCause) bool {
		return one.target != target && one.object == cause.Object && one.reason == cause.Reason &&
			slices.EqualFunc(one.steps, steps, step.equals)
	})
	if at < 0 || t.w.page != nil || t.w.style.Wide {
		t.above = append(t.above, describedCause{cause.Object, cause.Reason, steps, target})
		return false
	}
	t.w.paragraph("  ", fmt.Sprintf("%s: see the answer about %s above.", cause.Object, t.above[at].target), nil)
	return true
}

func (t *previewText) refused(target finding.Ref, refused result.Refusal) {
	t.w.section(wouldRefuse, "  ", t.w.style.causeText(string(refused.Reason)), certainty(refused.Certainty))
	cause := result.RootCause{Object: refused.By, Reason: refused.Reason, Remedies: refused.Remedies}
	if t.sendAbove(target, cause) {
		return
	}
	t.said.message(refused.Message, refused.InShort)
	if len(refused.Others) > 0 {
		t.w.paragraph("  ", "It would refuse the deletion of "+t.listed(refused.Others)+", too.", nil)
	}
	t.evidence(refused.Evidence)
	if !t.stepsAbove() {
		t.advice.steps(refused.Remedies, result.RootCause{})
	}
}

// stepsAbove sends to the steps of another cause, if the one that is being described has the same, and several, and
// reports whether it did: a webhook that would refuse the deletion often refuses the removal of finalizers, too. Wide
// output and pages list them again.
func (t *previewText) stepsAbove() bool {
	last := len(t.above) - 1
	steps := t.above[last].steps
	at := slices.IndexFunc(t.above[:last], func(one describedCause) bool {
		return slices.EqualFunc(one.steps, steps, step.equals)
	})
	if at < 0 || len(steps) < 2 || t.w.page != nil || t.w.style.Wide {
		return false
	}
	t.w.paragraph("  ", fmt.Sprintf("The steps are those for %s above.", t.above[at].object), nil)
	return true
}

func (t *previewText) hanging(p *result.Preview, number int, cause result.RootCause) {
	t.w.section(hangsHeading(p, number), "  ", t.w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	if t.sendAbove(p.Target, cause) {
		return
	}
	silent := t.silentAbove()
	if silent {
		text := fmt.Sprintf("%s would refuse the removal of finalizers, too: see above.", cause.Object)
		t.w.paragraph("  ", text, nil)
	} else {
		t.said.message(cause.Message, cause.InShort)
	}
	if len(cause.Others) > 0 {
		t.said.alsoHolds(cause.Others)
	}
	also := map[finding.Ref]bool{cause.Object: true, p.Target: true}
	for _, other := range cause.Others {
		also[other] = true
	}
	var held []finding.Ref
	for _, hanging := range p.Hanging {
		if slices.Contains(hanging.RootCauses, number) && !also[hanging.Object] {
			held = append(held, hanging.Object)
		}
	}
	if len(held) > 0 {
		t.w.paragraph("  ", "This would block "+t.listed(held)+".", nil)
	}
	if silent {
		return
	}
	t.evidence(cause.Evidence)
	if !t.stepsAbove() {
		t.advice.steps(cause.Remedies, cause)
	}
}

// silentAbove reports whether the cause that is being described is a webhook without an answer that is described above:
// it would refuse the deletion, and what the deletion waits for. Wide output and pages describe it again.
func (t *previewText) silentAbove() bool {
	last := len(t.above) - 1
	if last < 0 || t.w.page != nil || t.w.style.Wide {
		return false
	}
	one := t.above[last]
	return one.reason == finding.WebhookUnavailable &&
		slices.ContainsFunc(t.above[:last], func(other describedCause) bool {
			return other.reason == one.reason && other.object == one.object &&
				slices.EqualFunc(other.steps, one.steps, step.equals)
		})
}

// evidence lists what a cause rests on, unless there is no room even for all commands.
func (t *previewText) evidence(evidence []finding.Evidence) {
	if t.extent.without < sparesCommands {
		t.said.evidence(evidence, mostEvidence)
	}
}

// listed names objects in a sentence: all of them in wide output.
func (t *previewText) listed(objects []finding.Ref) string {
	const few = 3
	names := finding.Each(objects, finding.Ref.String)
	if t.w.style.Wide {
		return finding.And(names)
	}
	return finding.Listed(few, names)
}
