package print

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"html/template"
	"time"
)

//go:embed html
var htmlFiles embed.FS

// sheet is what the template gets.
type sheet struct {
	Title, Policy string
	Style         template.CSS
	Script        template.JS
	At            string // when the answer was given
	Blocks        []*block
}

// renderHTML writes an answer as one file for browsers, which needs nothing else and runs nothing but the script in it:
// the page's own policy names it by its hash. All texts pass through html/template.
func renderHTML(of paged, w *writer) {
	page, err := template.ParseFS(htmlFiles, "html/page.html")
	if err != nil {
		w.err = err
		return
	}
	style, err := htmlFiles.ReadFile("html/page.css")
	if err != nil {
		w.err = err
		return
	}
	script, err := htmlFiles.ReadFile("html/page.js")
	if err != nil {
		w.err = err
		return
	}
	blocks := of.blocks(w.style)
	number := 0
	for _, one := range blocks {
		if one.Kind == graphBlock {
			number++
			one.Picture = pictureOf(one.scene, number, Style{Width: mostWidth})
		}
	}
	w.err = page.Execute(w.out, sheet{
		Title: of.title, Blocks: blocks, At: generated(of.answer),
		Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // these two files, and nothing of the answer
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashOf(style) +
			"; script-src " + hashOf(script),
	})
}

// hashOf names a file in a Content-Security-Policy.
func hashOf(file []byte) string {
	hash := sha256.Sum256(file)
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// generated is the time of an answer, empty where there is none.
func generated(answer result.Result) string {
	var at time.Time
	switch one := answer.(type) {
	case *result.Diagnosis:
		at = one.GeneratedAt
	case *result.DiagnosisList:
		if len(one.Items) > 0 {
			at = one.Items[0].GeneratedAt
		}
	case *result.List:
		at = one.GeneratedAt
	case *result.Tree:
		at = one.GeneratedAt
	case *result.Check:
		at = one.GeneratedAt
	case *result.Preview:
		at = one.GeneratedAt
	case *result.RescuePlan:
		at = one.GeneratedAt
	case *result.PreviewList:
		if len(one.Items) > 0 {
			at = one.Items[0].GeneratedAt
		}
	}
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// Beside is what is beside a heading.
func (b *block) Beside() string { return b.beside() }
