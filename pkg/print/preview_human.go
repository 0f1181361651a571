package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// humanPreview writes the answer first, then what goes, what refuses and hangs, whose finalizers are on the way, what
// is lost, and what stays.
func humanPreview(p *result.Preview, w *writer) {
	w.verdict(outcomeWord(p.Outcome), p.Summary, w.style.outcomeText(p.Outcome))
	w.graph(scene{Tree: previewTree(&p.Target, *p)})
	w.going(p)
	w.items("ALREADY TERMINATING", finding.Each(p.Terminating, func(one result.Before) string { return one.Message }))
	for _, refused := range p.Refusals {
		w.refused(refused)
	}
	for number, cause := range p.RootCauses {
		w.hanging(p, number, cause)
	}
	w.unclear(p)
	w.items("WEBHOOKS THAT WOULD BE CALLED",
		finding.Each(p.Asked, func(one result.AskedWebhook) string { return one.Message }))
	w.items("FINALIZERS THAT THE DELETION WAITS FOR",
		finding.Each(p.Holds, func(one result.FinalizerOnTheWay) string { return one.Message }))
	w.lost(p)
	w.items("WOULD STAY", finding.Each(p.Stays, func(one result.Staying) string { return one.Message }))
	w.items("WOULD BREAK ELSEWHERE", finding.Each(p.Breaks, func(one result.Broken) string { return one.Message }))
	w.items(losesController, finding.Each(p.Later, func(one result.Later) string { return one.Message }))
	w.commandsOf(p)
	w.unread(p.Unreadable)
}

func (s Style) outcomeText(outcome result.Outcome) func(string) string {
	switch outcome {
	case result.WouldHang, result.WouldBeRefused:
		return s.causeText
	case result.WouldGo:
		return s.headingText
	}
	return s.waitingText
}

// losesController is the heading over what stays, and what would remove its finalizers does not.
const losesController = "WOULD LOSE ITS CONTROLLER"

// outcomeWord is an outcome as people read it: what is already being deleted is not gone.
func outcomeWord(o result.Outcome) string {
	if o == result.AlreadyDeleted {
		return "AlreadyTerminating"
	}
	return string(o)
}

// items lists sentences under a heading: a few, or all of them in wide output.
func (w *writer) items(heading string, sentences []string) {
	const few = 12
	if len(sentences) == 0 {
		return
	}
	if heading != "" {
		w.section(heading)
	}
	for i, sentence := range sentences {
		if i == few && len(sentences) > few+1 && !w.style.Wide {
			w.item(fmt.Sprintf("and %d more; -o wide lists them all", len(sentences)-few), nil)
			return
		}
		w.item(sentence, nil)
	}
}

func (w *writer) going(p *result.Preview) {
	if len(p.Goes) == 0 {
		return
	}
	order := ", in this order"
	if len(p.Unreadable) > 0 {
		order += "; not everything could be read"
	}
	heading := "WOULD BE DELETED"
	if p.Outcome == result.WouldBeRefused {
		heading = "WOULD BE DELETED UNLESS REFUSED"
	}
	w.section(heading, order)
	goes := slices.DeleteFunc(slices.Clone(p.Goes), func(one result.Going) bool { return one.Tells() && !w.style.Wide })
	name := func(object finding.Ref) string { return nameIn(p, object) }
	rows := finding.Each(goes, func(one result.Going) []string {
		names := some(one.Objects, name, 2, w.style.Wide, "more")
		return []string{one.Resource, fmt.Sprint(one.Count), names}
	})
	w.table("  ", []string{"KIND", "COUNT", "NAMES"}, rows, w.style.width())
}

// nameIn is the name of an object, with its namespace only where that isn't the one that everything is in.
func nameIn(p *result.Preview, object finding.Ref) string {
	if object.Namespace == p.Target.Namespace || p.Target.Kind == "Namespace" && object.Namespace == p.Target.Name {
		return object.Name
	}
	return object.Path()
}

// wouldRefuse is the heading over what would refuse the deletion, and hangs the one over a root cause.
const wouldRefuse = "WOULD REFUSE"

func hangsHeading(p *result.Preview, number int) string {
	waits := func(one result.Hanging) bool { return slices.Contains(one.RootCauses, number) }
	surely := func(one result.Hanging) bool { return waits(one) && one.Verdict == result.Stuck }
	open := slices.ContainsFunc(p.Hanging, waits) && !slices.ContainsFunc(p.Hanging, surely)
	if open || p.RootCauses[number].Certainty == finding.Unknown {
		return "MAY HANG"
	}
	return "WOULD HANG"
}

func (w *writer) refused(refused result.Refusal) {
	w.section(wouldRefuse, "  ", w.style.causeText(string(refused.Reason)), certainty(refused.Certainty))
	w.message(refused.Message, refused.InShort)
	if len(refused.Others) > 0 {
		w.paragraph("  ", "It would refuse the deletion of "+w.listed(refused.Others)+", too.", nil)
	}
	w.evidence(refused.Evidence, mostEvidence)
	w.steps(refused.Remedies, result.RootCause{})
}

func (w *writer) hanging(p *result.Preview, number int, cause result.RootCause) {
	w.section(hangsHeading(p, number), "  ", w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.message(cause.Message, cause.InShort)
	if len(cause.Others) > 0 {
		w.alsoHolds(cause.Others)
	}
	also := map[finding.Ref]bool{cause.Object: true, p.Target: true}
	for _, other := range cause.Others {
		also[other] = true
	}
	var held []finding.Ref
	for _, one := range p.Hanging {
		if slices.Contains(one.RootCauses, number) && !also[one.Object] {
			held = append(held, one.Object)
		}
	}
	if len(held) > 0 {
		w.paragraph("  ", "This would block "+w.listed(held)+".", nil)
	}
	w.evidence(cause.Evidence, mostEvidence)
	w.steps(cause.Remedies, cause)
}

// listed names objects in a sentence: all of them in wide output.
func (w *writer) listed(objects []finding.Ref) string {
	const few = 3
	names := finding.Each(objects, finding.Ref.String)
	if w.style.Wide {
		return finding.And(names)
	}
	return finding.Listed(few, names)
}

func (w *writer) unclear(p *result.Preview) {
	var open []string
	for _, one := range p.Hanging {
		switch {
		case len(one.RootCauses) == 0 && !one.Summed:
			text := fmt.Sprintf("%s would wait for %s", one.Object, one.Awaits)
			if isUnreadIn(p, one.Object) {
				text += "; the object itself could not be read"
			}
			open = append(open, text+".")
		case len(one.RootCauses) > 0 && one.Unclear != "":
			text := "It is not clear whether anything else would block %s (%s)."
			open = append(open, fmt.Sprintf(text, one.Object, one.Unclear))
		}
	}
	for _, doubt := range p.Unsure {
		open = append(open, doubt.Source+": "+doubt.Observed)
	}
	w.items("NOT CLEAR", append(open, p.Notes...))
}

// isUnreadIn reports whether an object that goes could not be read itself.
func isUnreadIn(p *result.Preview, object finding.Ref) bool {
	return slices.ContainsFunc(p.Goes, func(kind result.Going) bool {
		return slices.Contains(kind.Objects, object) && slices.ContainsFunc(p.Unreadable, func(one result.Unreadable) bool {
			return one.Resource == kind.Resource && one.Namespace == object.Namespace && one.Name == object.Name
		})
	})
}

func (w *writer) lost(p *result.Preview) {
	w.takenUnder("WOULD BE ", p.Takes)
	if p.Keep != nil {
		w.steps([]finding.Remedy{*p.Keep}, result.RootCause{})
	}
}

func (w *writer) commandsOf(p *result.Preview) {
	commands := slices.DeleteFunc([]finding.Command{p.Delete, p.Follow},
		func(one finding.Command) bool { return len(one) == 0 })
	if len(commands) == 0 {
		return
	}
	heading, first := "TO DELETE IT, AND SEE ITS PROGRESS", ""
	if len(p.Follow) == 0 {
		heading = "TO DELETE IT"
	}
	switch {
	case len(p.Delete) == 0:
		heading = "TO SEE WHAT BLOCKS IT"
	case p.Outcome == result.WouldBeRefused:
		first = "First resolve what is under WOULD REFUSE. Until then, the API server refuses this deletion."
	case p.Outcome == result.WouldHang && len(p.Refusals)+len(p.RootCauses) > 0:
		first = "First resolve what is under " + previewHeadings(p) + ". Until then, the object would stay Terminating."
	}
	if len(p.Delete) > 0 && len(p.Later) > 0 {
		first += " Afterwards, nothing can remove the finalizers of the objects under " + losesController + "."
	}
	w.section(heading)
	if first != "" {
		w.paragraph("  ", strings.TrimSpace(first), nil)
	}
	for _, command := range commands {
		w.command("    ", command)
	}
}

// previewHeadings names the headings above that have steps.
func previewHeadings(p *result.Preview) string {
	var names []string
	if len(p.Refusals) > 0 {
		names = append(names, wouldRefuse)
	}
	for number := range p.RootCauses {
		names = append(names, hangsHeading(p, number))
	}
	return finding.And(unique(names))
}

// goingIn are the objects that a deletion takes.
func goingIn(p result.Preview) []finding.Ref {
	return eachOf(p.Goes, func(kind result.Going) []finding.Ref { return kind.Objects })
}
