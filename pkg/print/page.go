package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
	stepBlock    blockKind = "step"  // a text after its number, which is the label, and what is inside
	labelBlock   blockKind = "label" // a text after a label, and what is inside
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
// which is the one place that decides what is told in which order, and says what each part is (parts.go).
type page struct {
	root block
	open []*block // that are begun, the innermost last
}

// paged is a result that is written as a page.
type paged struct {
	answer result.Result
	title  string // names the answer in a few words
}

// pageOf returns a result as a page; not every result can be one.
func pageOf(answer result.Result) (paged, bool) {
	title := titleOf(answer)
	return paged{answer, title}, title != ""
}

// blocks returns a page as blocks.
func (p paged) blocks(style Style) []*block {
	style.Color, style.Wide, style.Width, style.NoHeadings = false, false, mostWidth, false
	return blocksOf(style, func(w *writer) { human(p.answer, w) })
}

// blocksOf returns what some code writes as blocks.
func blocksOf(style Style, write func(w *writer)) []*block {
	w := &writer{style: style, page: &page{}}
	write(w)
	return w.page.root.Inside
}

func (p *page) within() *block {
	if len(p.open) > 0 {
		return p.open[len(p.open)-1]
	}
	return &p.root
}

func (p *page) add(one *block) { p.within().add(one) }

func (b *block) add(one *block) *block {
	b.Inside = append(b.Inside, one)
	return one
}

// last is the last block of a kind, where nothing follows it; else a new one.
func (b *block) last(kind blockKind) *block {
	if end := len(b.Inside) - 1; end >= 0 && b.Inside[end].Kind == kind {
		return b.Inside[end]
	}
	return b.add(&block{Kind: kind})
}

// drawn adds a line to a drawing. An empty one, which parts what is above from what is below, says nothing on a page.
func (p *page) drawn(text string) {
	if text = strings.TrimRight(text, " "); text == "" {
		return
	}
	drawing := p.within().last(drawingBlock)
	drawing.Text = strings.TrimPrefix(drawing.Text+"\n"+text, "\n")
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
