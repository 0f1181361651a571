package print

import (
	"io"
	"regexp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// mostDrawn is how many objects a flowchart in Markdown has at most: who renders them gives up on many.
const mostDrawn = 60

// renderMarkdown writes an answer for tickets and pull requests, in the Markdown of GitHub and GitLab.
func renderMarkdown(of paged, w *writer) {
	var text markdown
	text.blocks(of.blocks(w.style), "")
	_, w.err = io.WriteString(w.out, escape.NoCommand(strings.TrimSpace(text.String()))+"\n")
}

type markdown struct{ strings.Builder }

// paragraph writes lines, and an empty one after them.
func (m *markdown) paragraph(indent, text string) {
	for line := range strings.Lines(text) {
		m.WriteString(strings.TrimRight(indent+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
	m.WriteString("\n")
}

func (m *markdown) blocks(blocks []*block, indent string) {
	for i, one := range blocks {
		switch text := markdownText(one.Text); one.Kind {
		case verdictBlock:
			m.verdict(one, i > 0)
		case headingBlock:
			m.paragraph(indent, "### "+text+markdownText(one.beside()))
		case textBlock:
			m.paragraph(indent, text)
		case listBlock:
			for _, item := range one.Inside {
				m.WriteString(indent + "- " + markdownText(item.Text) + "\n")
			}
			m.WriteString("\n")
		case stepBlock, labelBlock:
			m.step(one, indent)
		case asideBlock:
			m.aside(one, func() { m.blocks(one.Inside, "") })
		case tableBlock:
			m.table(one)
		case commandBlock:
			m.fenced(indent, "sh", one.Text)
		case drawingBlock:
			m.fenced(indent, "text", one.Text)
		case graphBlock:
			if len(one.scene.Nodes) <= mostDrawn {
				m.aside(&block{Label: "Picture"}, func() { m.fenced("", "mermaid", mermaidOf(one.scene.Tree)) })
			}
		}
	}
}

func (m *markdown) verdict(one *block, further bool) {
	if further {
		m.paragraph("", "---")
	}
	text := markdownText(one.Text)
	if one.Label != "" {
		text = "**" + markdownText(one.Label) + ":** " + text
	}
	m.paragraph("", text)
}

// step writes an item of a numbered list, or a text behind a label, and what belongs to it beneath.
func (m *markdown) step(one *block, indent string) {
	label, further := "**"+markdownText(one.Label)+"**", indent
	if one.Kind == stepBlock {
		label, further = one.Label, indent+strings.Repeat(" ", len(one.Label)+1)
	}
	m.paragraph(indent, label+" "+markdownText(one.Text))
	m.blocks(one.Inside, further)
}

func (m *markdown) aside(one *block, inside func()) {
	m.paragraph("", "<details><summary>"+markdownText(one.Label)+"</summary>")
	inside()
	m.paragraph("", "</details>")
}

func (m *markdown) table(one *block) {
	rule := make([]string, len(one.Headings))
	for i := range rule {
		rule[i] = "---"
	}
	row := func(cells []string) { m.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(finding.Each(one.Headings, markdownText))
	row(rule)
	for _, cells := range one.Rows {
		row(finding.Each(cells, markdownText))
	}
	m.WriteString("\n")
}

// fenced writes text as it is, between fences that are longer than any in it.
func (m *markdown) fenced(indent, language, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	m.paragraph(indent, fence+language+"\n"+text+"\n"+fence)
}

// markdownText writes text so that Markdown and HTML take it for nothing else, and so that who renders it makes no
// links of it: to an address, a person, an issue. These are made of what the text looks like once it is rendered, where
// escapes are gone; a character of no width keeps them apart.
func markdownText(text string) string {
	const apart = "\u200b"
	text = strings.Join(strings.Fields(text), " ")
	for _, looks := range []string{
		`(:)(//)`, `(?i)(www)(\.)`, `(?i)(mailto:|xmpp:)()`, `(?i)(gh)(-\d)`, `([@#!$%~&^])(["\w])`,
	} {
		text = regexp.MustCompile(looks).ReplaceAllString(text, "${1}"+apart+"${2}")
	}
	text = regexp.MustCompile("[\\\\`*_\\[\\]|~#!$^]").ReplaceAllString(text, `\$0`)
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", apart, "&#8203;").Replace(text)
	return regexp.MustCompile(`^(\d*)([-+=/.)])`).ReplaceAllString(text, `${1}\${2}`)
}

// mermaidOf is a graph as a flowchart.
func mermaidOf(t *result.Tree) string {
	var text strings.Builder
	renderMermaid(t, &writer{out: &text})
	return strings.TrimSpace(text.String())
}
