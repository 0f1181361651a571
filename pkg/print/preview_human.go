package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// previewText writes previews.
type previewText struct {
	renderer
	extent extent
	above  []describedCause // in answers about other targets
}

// write writes the answer first, then what goes, what refuses and hangs, whose finalizers are on the way, what
// is lost, and what stays.
func (t *previewText) write(p *result.Preview) {
	t.extent = t.w.fullest(len(p.Refusals)+len(p.RootCauses), true, func(to *writer, tried extent) {
		(&previewText{newRenderer(to), tried, slices.Clone(t.above)}).writeParts(p)
	})
	t.writeParts(p)
}

func (t *previewText) writeParts(p *result.Preview) {
	t.w.verdict(outcomeWord(p.Outcome), p.Summary, t.w.style.outcomeText(p.Outcome))
	t.w.graph(scene{Tree: previewTree(&p.Target, *p)})
	t.going(p)
	t.w.items("ALREADY TERMINATING", finding.Each(p.Terminating, func(one result.Before) string { return one.Message }))
	t.causes(p)
	t.unclear(p)
	t.w.items("WEBHOOKS THAT WOULD BE CALLED",
		finding.Each(p.Asked, func(askedWebhook result.AskedWebhook) string { return askedWebhook.Message }))
	t.w.items("FINALIZERS THAT THE DELETION WAITS FOR",
		unique(finding.Each(t.onTheWay(p), func(way result.FinalizerOnTheWay) string {
			return cmp.Or(way.Together, way.Message)
		})))
	t.lost(p)
	t.w.items("WOULD STAY", finding.Each(p.Stays, func(staying result.Staying) string { return staying.Message }))
	t.w.items("WOULD BREAK ELSEWHERE", finding.Each(p.Breaks, func(broken result.Broken) string { return broken.Message }))
	t.w.items(losesController, finding.Each(p.Later, func(later result.Later) string { return later.Message }))
	t.commandsOf(p)
	t.said.unread(p.Unreadable)
}

// writeAll writes what comes of all deletions together, and then of each.
func (t *previewText) writeAll(l *result.PreviewList) {
	if len(l.Items) > 1 {
		t.w.verdict(outcomeWord(l.Outcome), outcomesInWords(l.Items), t.w.style.outcomeText(l.Outcome))
	}
	described := t.w.described(len(l.Items), func(to *writer, number int) {
		(&previewText{renderer: newRenderer(to)}).write(&l.Items[number])
	})
	for i := range described {
		if i > 0 || len(l.Items) > 1 {
			t.w.line()
		}
		t.write(&l.Items[i])
	}
	t.w.inShort(finding.Each(l.Items[described:], func(p result.Preview) brief { return briefPreview(&p) }))
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
	if len(sentences) == 0 {
		return
	}
	if heading != "" {
		w.section(heading)
	}
	few := w.room(12)
	for i, sentence := range sentences {
		if i == few && len(sentences) > few+1 && !w.style.Wide {
			w.item(fmt.Sprintf("and %d more; -o wide lists them all", len(sentences)-few), nil)
			return
		}
		w.item(sentence, nil)
	}
}

func (t *previewText) going(p *result.Preview) {
	alone := len(p.Goes) == 1 && len(p.Goes[0].Objects) == 1 && p.Goes[0].Objects[0].SameAs(p.Target)
	if len(p.Goes) == 0 || alone && t.extent.without >= sparesPath {
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
	t.w.section(heading, order)
	goes := slices.DeleteFunc(slices.Clone(p.Goes), func(one result.Going) bool { return one.Tells() && !t.w.style.Wide })
	name := func(object finding.Ref) string { return nameIn(p, object) }
	rows := finding.Each(goes, func(going result.Going) []string {
		names := some(going.Objects, name, 2, t.w.style.Wide, "more")
		return []string{going.Resource, fmt.Sprint(going.Count), names}
	})
	if t.extent.without >= sparesHalf && len(rows) <= fewKinds {
		inWords := finding.Each(rows, func(row []string) string { return row[0] + " " + row[2] })
		t.w.paragraph("  ", strings.Join(inWords, "; "), nil)
		return
	}
	t.w.rows("  ", []string{"KIND", "COUNT", "NAMES"}, rows, 20)
}

// fewKinds is how many kinds of objects need no table where there is little room.
const fewKinds = 4

// onTheWay are the finalizers that a deletion waits for. Where there is little room, it leaves out the ones that would
// all hang: a cause above says why.
func (t *previewText) onTheWay(p *result.Preview) []result.FinalizerOnTheWay {
	if t.extent.without < sparesBesides {
		return p.Holds
	}
	return slices.DeleteFunc(slices.Clone(p.Holds), func(way result.FinalizerOnTheWay) bool {
		return way.Hang == way.Count && len(p.RootCauses) > 0
	})
}

// nameIn is the name of an object, with its namespace only where that isn't the one that everything is in.
func nameIn(p *result.Preview, object finding.Ref) string {
	if object.Namespace == p.Target.Namespace || p.Target.Kind == "Namespace" && object.Namespace == p.Target.Name {
		return object.Name
	}
	return object.Path()
}

func (t *previewText) unclear(p *result.Preview) {
	var open []string
	unread := unreadIn(p)
	for _, hanging := range p.Hanging {
		switch {
		case len(hanging.RootCauses) == 0 && !hanging.Summed:
			text := fmt.Sprintf("%s would wait for %s", hanging.Object, hanging.Awaits)
			if unread[hanging.Object] {
				text += "; the object itself could not be read"
			}
			open = append(open, text+".")
		case len(hanging.RootCauses) > 0 && hanging.Unclear != "":
			text := "It is not clear whether anything else would block %s (%s)."
			open = append(open, fmt.Sprintf(text, hanging.Object, hanging.Unclear))
		}
	}
	for _, doubt := range p.Unsure {
		text := doubt.Source + ": " + doubt.Observed
		if t.w.style.Wide || t.w.page != nil || !slices.Contains(t.said.evidenced, text) {
			open = append(open, text)
		}
	}
	t.w.items("NOT CLEAR", append(open, p.Notes...))
}

// unreadIn are the objects that go and could not be read themselves.
func unreadIn(p *result.Preview) map[finding.Ref]bool {
	type place struct{ resource, namespace, name string }
	failed, unread := map[place]bool{}, map[finding.Ref]bool{}
	for _, failure := range p.Unreadable {
		failed[place{failure.Resource, failure.Namespace, failure.Name}] = true
	}
	for _, kind := range p.Goes {
		for _, object := range kind.Objects {
			unread[object] = unread[object] || failed[place{kind.Resource, object.Namespace, object.Name}]
		}
	}
	return unread
}

func (t *previewText) lost(p *result.Preview) {
	t.advice.takenUnder("WOULD BE ", p.Takes)
	if p.Keep != nil {
		t.advice.steps([]finding.Remedy{*p.Keep}, result.RootCause{})
	}
}

// goingIn are the objects that a deletion takes.
func goingIn(p result.Preview) []finding.Ref {
	return eachOf(p.Goes, func(kind result.Going) []finding.Ref { return kind.Objects })
}
