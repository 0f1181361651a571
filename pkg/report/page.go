package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// A blockKind says what a part of a page is.
type blockKind string

// The kinds of blocks.
const (
	verdictBlock blockKind = "verdict" // a sentence, after a label that may be empty
	headingBlock blockKind = "heading" // a text, and what stands beside it as label
	textBlock    blockKind = "text"
	listBlock    blockKind = "list"  // of what is inside
	stepBlock    blockKind = "step"  // a text after a label, and what is inside
	asideBlock   blockKind = "aside" // what is inside, to be unfolded, under a label
	tableBlock   blockKind = "table"
	commandBlock blockKind = "command"
	drawingBlock blockKind = "drawing" // lines whose columns matter
	graphBlock   blockKind = "graph"
)

// block is a part of a page. Its texts are as the result has them: whoever writes them out escapes them.
type block struct {
	Kind        blockKind
	Label, Text string
	Headings    []string
	Rows        [][]string
	Inside      []*block
	scene       *scene   // of graphs
	Picture     *picture // of a graph that was laid out
}

// page collects an answer as blocks, for formats that lay it out by themselves. It takes what the human format writes,
// which is the one place that decides what is told in which order.
type page struct {
	root block
	open []*block // that are begun, the innermost last
	step *block   // to which what is further in belongs
}

// paged is a result that is written as a page.
type paged interface {
	Result
	// title names the answer in a few words.
	title() string
}

// pageOf returns a result as blocks.
func pageOf(result Result, style Style) []*block {
	style.Color, style.Wide, style.Width, style.NoHeadings = false, false, mostWidth, false
	return blocksOf(style, result.human)
}

// blocksOf returns what some code writes as blocks.
func blocksOf(style Style, write func(w *writer)) []*block {
	w := &writer{style: style, page: &page{}}
	write(w)
	return w.page.root.Inside
}

func (p *page) add(one *block) *block {
	p.step = nil
	return p.within().add(one)
}

func (b *block) add(one *block) *block {
	b.Inside = append(b.Inside, one)
	return one
}

func (p *page) within() *block {
	if len(p.open) > 0 {
		return p.open[len(p.open)-1]
	}
	return &p.root
}

// last is the last block of a kind, where nothing stands behind it; else a new one.
func (b *block) last(kind blockKind) *block {
	if end := len(b.Inside) - 1; end >= 0 && b.Inside[end].Kind == kind {
		return b.Inside[end]
	}
	return b.add(&block{Kind: kind})
}

// line takes a line as it is. An empty one ends what stands above it.
func (p *page) line(text string) {
	text = strings.TrimRight(text, " ")
	if text == "" {
		p.step = nil
		return
	}
	p.step = nil
	drawing := p.within().last(drawingBlock)
	drawing.Text = strings.TrimPrefix(drawing.Text+"\n"+text, "\n")
}

func (p *page) heading(heading, beside string) {
	p.add(&block{Kind: headingBlock, Text: asTitle(heading), Label: strings.TrimSpace(beside)})
}

// beside is what stands beside a heading, with what joins them.
func (b *block) beside() string {
	if b.Label == "" || strings.HasPrefix(b.Label, ",") {
		return b.Label
	}
	return ": " + b.Label
}

// asTitle writes a heading of capitals as other documents have headings.
func asTitle(heading string) string {
	heading = strings.TrimSpace(heading)
	return heading[:1] + strings.ToLower(heading[1:])
}

// paragraph takes a text. What leads to it says what it is: an item of a list, a step, or more about a step.
func (p *page) paragraph(lead, text string) {
	label := strings.TrimSpace(lead)
	switch one := (&block{Kind: textBlock, Text: text}); {
	case label == "" && len(p.root.Inside) == 0:
		one.Kind = verdictBlock
		p.add(one)
	case label == "-":
		p.step = nil
		p.within().last(listBlock).add(one)
	case label != "":
		one.Kind, one.Label = stepBlock, label
		p.about(lead, one)
	default:
		p.about(lead, one)
	}
}

func (p *page) command(lead, command string) {
	one := &block{Kind: commandBlock, Text: command}
	if label := strings.TrimSpace(lead); label != "" {
		p.about("", &block{Kind: stepBlock, Label: label})
		p.step.add(one)
		return
	}
	p.about(lead, one)
}

// about adds what belongs to the step above by how far in it stands. A step that doesn't is the next one.
func (p *page) about(lead string, one *block) {
	const within = 5
	if p.step != nil && len(lead)-len(strings.TrimLeft(lead, " ")) >= within {
		p.step.add(one)
		return
	}
	if p.add(one); one.Kind == stepBlock {
		p.step = one
	}
}

// folded begins a section that people unfold where the format can do that. It ends with the returned function.
func (w *writer) folded(heading string) (end func()) {
	if w.page == nil {
		w.section(heading)
	}
	return w.aside(asTitle(heading))
}

// aside begins what people unfold if they want to know. It ends with the returned function. Text has it as it is.
func (w *writer) aside(heading string) (end func()) {
	if w.page == nil {
		return func() {}
	}
	p := w.page
	one := &block{Kind: asideBlock, Label: heading}
	p.step, p.open = nil, append(p.open, one)
	return func() {
		p.step, p.open = nil, p.open[:len(p.open)-1]
		if len(one.Inside) > 0 {
			p.within().add(one)
		}
	}
}

// scene is what a picture shows: a graph, with what is known about its objects.
type scene struct {
	*Tree
	observations []Observation
	asks         map[finding.Ref]finding.Command
}

// graph shows a graph where the format can.
func (w *writer) graph(shown scene) {
	if w.page != nil && len(shown.Nodes) > 1 {
		w.page.add(&block{Kind: graphBlock, scene: &shown})
	}
}

// listPage has all that there is of a list: by cause, and a row for each object. Unlike text, it says if it is empty.
func (w *writer) listPage(list *List, judged bool) {
	if !judged {
		w.paragraph("", Headline(list), nil)
		w.listTable(list)
		return
	}
	w.list(list)
	defer w.aside("Each object")()
	w.listTable(&List{GeneratedAt: list.GeneratedAt, Items: list.Items})
}

func (l *List) scene() scene {
	shown := scene{Tree: treeOf(l.Graph, l.RootCauses, nil), asks: map[finding.Ref]finding.Command{}}
	for _, item := range l.Items {
		shown.asks[item.Target] = item.Ask
	}
	return shown
}

// treeOf is a blocking graph as a tree has it, with the reasons of root causes at the objects that they are about.
func treeOf(of Graph, causes []RootCause, target *finding.Ref) *Tree {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range causes {
		for _, object := range cause.objects() {
			reasons[object] = append(reasons[object], cause.Reason)
		}
	}
	drawn := &Tree{Target: target, RootCauses: causes}
	for _, node := range of.Nodes {
		drawn.Nodes = append(drawn.Nodes, TreeNode{Node: node, Known: true, Reasons: unique(reasons[node.Ref])})
	}
	for _, edge := range of.Edges {
		drawn.Edges = append(drawn.Edges, TreeEdge{Edge: edge})
	}
	return drawn
}

func (d *Diagnosis) title() string { return "why " + d.Target.String() }
func (l *DiagnosisList) title() string {
	return "why: " + objectsOf(l.Items, (*Diagnosis).title, "why ")
}
func (l *List) title() string    { return "list" }
func (c *Check) title() string   { return "check" }
func (p *Preview) title() string { return "preview " + p.Target.String() }
func (l *PreviewList) title() string {
	return "preview: " + objectsOf(l.Items, (*Preview).title, "preview ")
}

func (t *Tree) title() string {
	if t.Target == nil {
		return "tree"
	}
	return "tree " + t.Target.String()
}

func objectsOf[T any](items []T, title func(*T) string, without string) string {
	const few = 3
	var names []string
	for i := range items {
		names = append(names, strings.TrimPrefix(title(&items[i]), without))
	}
	return finding.Listed(few, names)
}

// headline counts what a tree shows: it has no sentence of its own.
func (t *Tree) headline() string {
	terminating := 0
	for _, node := range t.Nodes {
		if node.Terminating {
			terminating++
		}
	}
	text := fmt.Sprintf("%s, %d Terminating", finding.Plural(len(t.Nodes), "object"), terminating)
	if len(t.RootCauses) > 0 {
		text += "; " + finding.Plural(len(t.RootCauses), "root cause")
	}
	return text + inPart(t.Unreadable) + "."
}

// isNumber reports whether a step's label is its number.
func isNumber(label string) bool { return regexp.MustCompile(`^\d+\.$`).MatchString(label) }
