package report

import (
	"regexp"
	"strings"
)

// A blockKind says what a part of a page is.
type blockKind string

// The kinds of blocks.
const (
	verdictBlock blockKind = "verdict" // a sentence, after a label that may be empty
	headingBlock blockKind = "heading" // a text, and what is beside it as label
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

// last is the last block of a kind, where nothing follows it; else a new one.
func (b *block) last(kind blockKind) *block {
	if end := len(b.Inside) - 1; end >= 0 && b.Inside[end].Kind == kind {
		return b.Inside[end]
	}
	return b.add(&block{Kind: kind})
}

// line takes a line as it is. An empty one ends what is above it.
func (p *page) line(text string) {
	p.step = nil
	text = strings.TrimRight(text, " ")
	if text == "" {
		return
	}
	drawing := p.within().last(drawingBlock)
	drawing.Text = strings.TrimPrefix(drawing.Text+"\n"+text, "\n")
}

func (p *page) heading(heading, beside string) {
	p.add(&block{Kind: headingBlock, Text: asTitle(heading), Label: strings.TrimSpace(beside)})
}

// beside is what is beside a heading, with what joins them.
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

// about adds what belongs to the step above by how far in it is. A step that doesn't is the next one.
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

// isNumber reports whether a step's label is its number.
func isNumber(label string) bool { return regexp.MustCompile(`^\d+\.$`).MatchString(label) }
