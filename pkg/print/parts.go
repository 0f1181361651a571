package print

import (
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// The parts that answers for people consist of. Each is text, or, where the answer is written as a page, a block.

// verdict writes a sentence after a verdict, which has its colour.
func (w *writer) verdict(verdict, text string, paint func(string) string) {
	if w.page != nil {
		w.page.add(&block{Kind: verdictBlock, Label: verdict, Text: text})
		return
	}
	word := verdict + ":"
	for i, line := range wrap(word+" "+text, w.style.width()) {
		if rest, begins := strings.CutPrefix(line, word); i == 0 && begins {
			w.line(paint(word), w.style.headingText(rest))
			continue
		}
		w.line(w.style.headingText(line))
	}
}

// headline writes the sentence that sums up an answer without a verdict.
func (w *writer) headline(text string) {
	if w.page != nil {
		w.page.add(&block{Kind: verdictBlock, Text: text})
		return
	}
	w.paragraph("", text, w.style.headingText)
}

// line writes a line as it is: an empty one, or one of a drawing, whose columns matter.
func (w *writer) line(parts ...string) {
	if w.page != nil {
		w.page.drawn(strings.Join(parts, ""))
		return
	}
	if w.err == nil {
		_, w.err = io.WriteString(w.out, escape.NoCommand(strings.TrimRight(strings.Join(parts, ""), " "))+"\n")
	}
}

// section writes a heading below an empty line.
func (w *writer) section(heading string, rest ...string) {
	w.line()
	w.heading(heading, rest...)
}

// heading writes a heading in capitals, and what is beside it.
func (w *writer) heading(heading string, rest ...string) {
	if w.page != nil {
		beside := strings.TrimSpace(strings.Join(rest, ""))
		w.page.add(&block{Kind: headingBlock, Text: asTitle(heading), Label: beside})
		return
	}
	w.line(append([]string{w.style.headingText(heading)}, rest...)...)
}

// paragraph writes text broken into lines, the first after lead, the others after blanks, or again after a tree's lead.
func (w *writer) paragraph(lead, text string, paint func(string) string) {
	if w.page != nil {
		w.page.add(&block{Kind: textBlock, Text: text})
		return
	}
	indent := lead
	if !strings.Contains(lead, "│") {
		indent = strings.Repeat(" ", displayWidth(lead))
	}
	for _, line := range wrap(text, w.style.width()-displayWidth(lead)) {
		if paint != nil {
			line = paint(line)
		}
		w.line(lead, line)
		lead = indent
	}
}

// item writes a line of a list.
func (w *writer) item(text string, paint func(string) string) {
	if w.page != nil {
		w.page.within().last(listBlock).add(&block{Kind: textBlock, Text: text})
		return
	}
	w.paragraph("  - ", text, paint)
}

// labelled begins a step, or another text behind a label, which is the lead. What is written before the returned
// function is called belongs to it.
func (w *writer) labelled(kind blockKind, lead, text string, paint func(string) string) (end func()) {
	if w.page == nil {
		w.paragraph(lead, text, paint)
	}
	return w.begin(&block{Kind: kind, Label: strings.TrimSpace(lead), Text: text})
}

// labelledCommands writes commands behind a label, which is the lead.
func (w *writer) labelledCommands(kind blockKind, lead string, commands ...finding.Command) {
	defer w.begin(&block{Kind: kind, Label: strings.TrimSpace(lead)})()
	w.commands(lead, commands)
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
	return w.begin(&block{Kind: asideBlock, Label: heading})
}

// begin begins a block of a page, which has what is written before the returned function is called. Where nothing is,
// there is nothing to unfold.
func (w *writer) begin(one *block) (end func()) {
	p := w.page
	if p == nil {
		return func() {}
	}
	p.open = append(p.open, one)
	return func() {
		p.open = p.open[:len(p.open)-1]
		if one.Kind != asideBlock || len(one.Inside) > 0 {
			p.add(one)
		}
	}
}

// commands writes commands below each other, the first after a lead.
func (w *writer) commands(lead string, commands []finding.Command) {
	for _, command := range commands {
		w.command(lead, command)
		lead = strings.Repeat(" ", len(lead))
	}
}

// command writes a command, its first line after lead and the others as far in.
func (w *writer) command(lead string, command finding.Command) {
	if w.page != nil {
		w.page.add(&block{Kind: commandBlock, Text: strings.Join(wrapCommand(command, w.style.width()), "\n")})
		return
	}
	for _, line := range wrapCommand(command, w.style.width()-len(lead)) {
		w.line(lead, w.style.commandText(line))
		lead = strings.Repeat(" ", len(lead))
	}
}
