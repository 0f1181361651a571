package print_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// pageFormats are the formats that are pages, with the ends of their files' names.
var pageFormats = map[string]string{print.FormatMarkdown: ".md", print.FormatHTML: ".html"}

// rendered is a page as a browser gets it. Markdown is rendered as by GitHub, raw HTML in it included.
func rendered(t *testing.T, text, format string) string {
	t.Helper()
	if format != print.FormatMarkdown {
		return text
	}
	checkMentions(t, text)
	var out bytes.Buffer
	engine := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := engine.Convert([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// checkMentions looks for what becomes a link to a person, an issue or an address after Markdown is rendered.
func checkMentions(t *testing.T, text string) {
	t.Helper()
	text = regexp.MustCompile("(?ms)^ *(```+)[a-z]*\n.*?\n *```+$").ReplaceAllString(text, "")
	looks := regexp.MustCompile(`(?i)@\w|[^&]#\d|!\d|\bgh-\d|://|\bwww\.|mailto:s|(?m:^/)`)
	if found := looks.FindString(text); found != "" {
		t.Errorf("%q is in %s", found, text)
	}
}
