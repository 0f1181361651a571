package report

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// human writes the answer first, then what goes, what refuses and hangs, whose finalizers are on the way, what is lost,
// and what stays.
func (p *Preview) human(w *writer) {
	paint := w.style.waitingText
	switch p.Outcome {
	case WouldHang, WouldBeRefused:
		paint = w.style.causeText
	case WouldGo:
		paint = w.style.headingText
	}
	w.verdict(string(p.Outcome), p.Summary, paint)
	w.graph(scene{Tree: p.tree()})
	w.going(p)
	w.items("ALREADY TERMINATING", finding.Each(p.Terminating, func(one Before) string { return one.Message }))
	for _, refused := range p.Refusals {
		w.refused(refused)
	}
	for number, cause := range p.RootCauses {
		w.hanging(p, number, cause)
	}
	w.unclear(p)
	w.items("WEBHOOKS THAT WOULD BE CALLED", finding.Each(p.Asked, func(one AskedWebhook) string { return one.Message }))
	w.items("FINALIZERS THAT MUST BE REMOVED",
		finding.Each(p.Holds, func(one FinalizerOnTheWay) string { return one.Message }))
	w.lost(p)
	w.items("WHAT STAYS", finding.Each(p.Stays, func(one Staying) string { return one.Message }))
	w.items("WHAT BREAKS ELSEWHERE", finding.Each(p.Breaks, func(one Broken) string { return one.Message }))
	w.items("WHAT HANGS LATER", finding.Each(p.Later, func(one Later) string { return one.Message }))
	w.commandsOf(p)
	w.unread(p.Unreadable)
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

func (w *writer) going(p *Preview) {
	if len(p.Goes) == 0 {
		return
	}
	seen := ""
	if len(p.Unreadable) > 0 {
		seen = ", as far as could be looked at"
	}
	heading := "WHAT GOES"
	if p.Outcome == WouldBeRefused {
		heading = "WHAT WOULD GO WITHOUT THE REFUSAL"
	}
	w.section(heading, ", in this order"+seen)
	goes := slices.DeleteFunc(slices.Clone(p.Goes), func(one Going) bool { return one.Tells() && !w.style.Wide })
	rows := finding.Each(goes, func(one Going) []string {
		names := some(one.Objects, p.nameOf, 2, w.style.Wide, "more")
		return []string{one.Resource, fmt.Sprint(one.Count), names}
	})
	w.table("  ", []string{"KIND", "COUNT", "NAMES"}, rows, w.style.width())
}

// nameOf is the name of an object, with its namespace only where that isn't the one that everything is in.
func (p *Preview) nameOf(object finding.Ref) string {
	if object.Namespace == p.Target.Namespace || p.Target.Kind == "Namespace" && object.Namespace == p.Target.Name {
		return object.Name
	}
	return object.Path()
}

func (w *writer) refused(refused Refusal) {
	w.section("WOULD REFUSE", "  ", w.style.causeText(string(refused.Reason)), certainty(refused.Certainty))
	w.message(refused.Message, refused.InShort)
	if len(refused.Others) > 0 {
		w.paragraph("  ", "It would refuse the deletion of "+w.listed(refused.Others)+", too.", nil)
	}
	w.evidence(refused.Evidence, mostEvidence)
	w.steps(refused.Remedies, RootCause{})
}

func (w *writer) hanging(p *Preview, number int, cause RootCause) {
	heading := "WOULD HANG"
	if cause.Certainty == finding.Unknown {
		heading = "MAY HANG"
	}
	w.section(heading, "  ", w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.message(cause.Message, cause.InShort)
	if len(cause.Others) > 0 {
		w.alsoHolds(len(cause.Others), cause.Object, cause.Others)
	}
	also := map[finding.Ref]bool{cause.Object: true}
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

func (w *writer) unclear(p *Preview) {
	var open []string
	for _, one := range p.Hanging {
		if len(one.RootCauses) == 0 {
			open = append(open, fmt.Sprintf("%s would wait for %s.", one.Object, one.Awaits))
		}
	}
	for _, doubt := range p.Unsure {
		open = append(open, doubt.Source+": "+doubt.Observed)
	}
	w.items("NOT CLEAR", append(open, p.Notes...))
}

func (w *writer) lost(p *Preview) {
	if len(p.Takes) == 0 {
		return
	}
	w.section("WHAT IS LOST, AND LEFT BEHIND")
	w.taken(p.Takes, w.item)
	if p.Keep != nil {
		w.steps([]finding.Remedy{*p.Keep}, RootCause{})
	}
}

func (w *writer) commandsOf(p *Preview) {
	commands := slices.DeleteFunc([]finding.Command{p.Delete, p.Follow},
		func(one finding.Command) bool { return len(one) == 0 })
	if len(commands) == 0 {
		return
	}
	heading, first := "TO DELETE IT, AND SEE ITS PROGRESS", ""
	switch {
	case len(p.Delete) == 0:
		heading = "TO SEE ITS PROGRESS"
	case p.Outcome == WouldBeRefused:
		heading = "WHEN NOTHING REFUSES IT ANY MORE"
		first = "First do what is said under WOULD REFUSE: until then, the API server refuses this deletion."
	case p.Outcome == WouldHang && len(p.Refusals)+len(p.RootCauses) > 0:
		first = "First do what is said above: if you delete it now, it stays Terminating."
	}
	w.section(heading)
	if first != "" {
		w.paragraph("  ", first, nil)
	}
	for _, command := range commands {
		w.command("    ", command)
	}
}

func (p *Preview) names() (names []string) {
	for _, kind := range p.Goes {
		for _, object := range kind.Objects {
			names = append(names, kind.Resource+"/"+object.Name)
		}
	}
	return names
}

// outlined is a result with a tree that can be drawn as text, beside its sentences.
type outlined interface {
	pictured
	outline(w *writer)
}

func renderOutline(result outlined, w *writer) { result.outline(w) }

func (p *Preview) outline(w *writer)     { p.tree().human(w) }
func (l *PreviewList) outline(w *writer) { l.tree().human(w) }

// tree is the picture of a preview: the objects that own, are owned, wait, or are waited for.
func (p *Preview) tree() *Tree {
	drawn := &Tree{Target: &p.Target}
	p.addTo(drawn)
	return drawn
}

// tree is the picture of several, beside each other.
func (l *PreviewList) tree() *Tree {
	drawn := &Tree{}
	for i := range l.Items {
		l.Items[i].addTo(drawn)
	}
	return drawn
}

func (p *Preview) addTo(drawn *Tree) {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range p.RootCauses {
		reasons[cause.Object] = append(reasons[cause.Object], cause.Reason)
	}
	first := len(drawn.Nodes)
	for _, node := range p.Graph.Nodes {
		drawn.Nodes = append(drawn.Nodes, TreeNode{
			Node: node, Known: true, Foreseen: p.Outcome != AlreadyDeleted, Reasons: reasons[node.Ref],
		})
	}
	for _, edge := range p.Graph.Edges {
		edge.From, edge.To = edge.From+first, edge.To+first
		drawn.Edges = append(drawn.Edges, TreeEdge{Edge: edge})
	}
}
