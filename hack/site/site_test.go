package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	parsed "golang.org/x/net/html"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func generated(t *testing.T) []page {
	t.Helper()
	pages, err := generate(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestFinalizers looks for a page of each finalizer, with what people who search for its name need.
func TestFinalizers(t *testing.T) {
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]page{}
	for _, known := range generated(t) {
		pages[known.Title] = known
	}
	for _, known := range set.All() {
		for _, name := range known.Names {
			made, is := pages["Finalizer "+name]
			if !is {
				t.Errorf("%s has no page", name)
				continue
			}
			needed := []string{
				literal(known.RemovedBy), literal(known.WaitsFor), "Lost if it is removed by hand: " + literal(known.Loses),
				"Don't patch it", "kubectl finalizers why ", "kubectl get ", literal(known.Start), literal(known.EndsWait),
				literal(known.IfRunning), literal(known.SafeWayOut), literal(known.Source), literal(known.Notes),
			}
			for _, text := range needed {
				if !strings.Contains(strings.Join(strings.Fields(made.Body), " "), text) {
					t.Errorf("%s does not say %q", name, text)
				}
			}
			if !strings.Contains(made.Description, name) {
				t.Errorf("%s is not in the description: %s", name, made.Description)
			}
		}
	}
}

// TestNoCommandWrites looks at all commands of the pages that are made from the catalogue: each only reads.
func TestNoCommandWrites(t *testing.T) {
	for _, known := range generated(t) {
		if !strings.HasPrefix(known.Path, "finalizers/") {
			continue
		}
		for i, block := range strings.Split(known.Body, "```") {
			for line := range strings.Lines(block) {
				line = strings.TrimSpace(line)
				reads := strings.HasPrefix(line, "kubectl get ") || strings.HasPrefix(line, "kubectl finalizers why ")
				if i%2 == 1 && line != "" && !strings.HasPrefix(line, "#") && !reads {
					t.Errorf("%s: %s", known.Path, line)
				}
			}
		}
	}
}

// TestCauses looks for a page of each cause.
func TestCauses(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(causes)))
	if err != nil {
		t.Fatal(err)
	}
	pages := generated(t)
	rows := regexp.MustCompile(`(?m)^\| \[(\w+)\]\(#`).FindAllStringSubmatch(string(data), -1)
	for _, row := range rows {
		made := slices.IndexFunc(pages, func(known page) bool { return known.Title == row[1] })
		if made < 0 || !strings.Contains(pages[made].Body, "- **Don't**") || len(pages[made].Description) < 2*len(row[1]) {
			t.Errorf("%s has no page, or one that says little", row[1])
		}
	}
	if len(rows) < 20 {
		t.Errorf("the table has %d causes", len(rows))
	}
}

// TestPages compares titles, addresses and descriptions, and follows the links between pages.
func TestPages(t *testing.T) {
	pages := generated(t)
	addresses, titles := map[string]bool{}, map[string]string{}
	for _, known := range pages {
		if other := titles[strings.ToLower(known.Title)]; other != "" || known.Title == "" {
			t.Errorf("%s and %s have the title %q", other, known.Path, known.Title)
		}
		if addresses[known.Address()] {
			t.Errorf("two pages have the address %s", known.Address())
		}
		titles[strings.ToLower(known.Title)], addresses[known.Address()] = known.Path, true
		if len(known.Description) < 15 || len(known.Description) > mostDescribed {
			t.Errorf("%s has the description %q", known.Path, known.Description)
		}
		if _, err := known.file(); err != nil {
			t.Error(err)
		}
	}
	for _, known := range pages {
		for _, destination := range destinations(known.Body) {
			address, _, _ := strings.Cut(destination, "#")
			_, pictured := strings.CutPrefix(address, "/pictures/")
			if !addresses[address] && !pictured && !strings.HasPrefix(destination, "https://") {
				t.Errorf("%s: the link to %s leads nowhere", known.Path, destination)
			}
		}
	}
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(html.WithUnsafe()))

// destinations returns where the links and pictures of a text in Markdown lead.
func destinations(body string) (all []string) {
	source := []byte(body)
	_ = ast.Walk(markdown.Parser().Parse(text.NewReader(source)), func(node ast.Node, enter bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.Link:
			all = append(all, string(node.Destination))
		case *ast.Image:
			all = append(all, string(node.Destination))
		case *ast.AutoLink:
			all = append(all, strings.Replace(string(node.URL(source)), "http://", "https://", 1))
		}
		return ast.WalkContinue, nil
	})
	return all
}

// TestPagesHaveNoHTML finds HTML other than comments in pages, which the site's generator leaves out, with a warning
// that ends it.
func TestPagesHaveNoHTML(t *testing.T) {
	for _, page := range generated(t) {
		source := []byte(page.Body)
		_ = ast.Walk(markdown.Parser().Parse(text.NewReader(source)), func(node ast.Node, _ bool) (ast.WalkStatus, error) {
			block, is := node.(*ast.HTMLBlock)
			comment := is && block.HTMLBlockType == ast.HTMLBlockType2
			if node.Kind() == ast.KindRawHTML || is && !comment {
				t.Errorf("%s has HTML: write it in Markdown", page.Path)
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// hostile is an entry of a catalogue whose texts try to become more than text.
const hostile = `apiVersion: finalizers.kubectl/v1alpha1
kind: FinalizerPlugin
project: 'Evil <script>alert(0)</script>'
finalizers:
- names: [evil.example.com/x]
  kinds: [Thing.evil.example.com]
  addedBy: '<img src=x onerror=alert(1)>'
  removedBy: '[here](javascript:alert(2)) <script>alert(2)</script>'
  waitsFor: '` + "``` <script>alert(3)</script>" + ` and **nothing** else'
  guards: [External]
  loses: "![x](https://evil.example.com/x.png) &lt;b&gt; <b>all</b>\n\n# of it"
  safeWayOut: '<https://evil.example.com> | a | b |'
  notes: '<!-- hidden --> <iframe src="https://evil.example.com"></iframe>'
  statusFields: [{path: '{.status.x}', says: "` + "x``` <script>alert(4)</script>" + `"}]
  links: ['https://evil.example.com/")<script>alert(6)</script>']
  verified: {name: None, waitsFor: None}
  source: '<script>alert(7)</script>'
`

func TestTextsStayTexts(t *testing.T) {
	if text := web("javascript:alert(5)"); len(destinations(text)) > 0 {
		t.Errorf("%s is a link", text)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "evil.yaml"), []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := set.AddDir(folder); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	pages, err := finalizerPages(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range append(pages, projectPages(set)...) {
		if !strings.Contains(known.Body, "evil") {
			continue
		}
		var out bytes.Buffer
		if err := markdown.Convert([]byte(known.Body), &out); err != nil {
			t.Fatal(err)
		}
		root, err := parsed.Parse(&out)
		if err != nil {
			t.Fatal(err)
		}
		for node := range root.Descendants() {
			forbidden := []string{"script", "img", "iframe", "b", "h1", "table"}
			if slices.Contains(forbidden, node.Data) || node.Type == parsed.CommentNode {
				t.Errorf("%s: it has <%s>", known.Path, node.Data)
			}
			for _, attribute := range node.Attr {
				own, web := strings.HasPrefix(attribute.Val, "/"), strings.HasPrefix(attribute.Val, "https://")
				if attribute.Key == "href" && !own && !web {
					t.Errorf("%s: it leads to %s", known.Path, attribute.Val)
				}
			}
		}
	}
	made := slices.IndexFunc(pages, func(known page) bool { return known.Title == "Finalizer evil.example.com/x" })
	if made < 0 {
		t.Fatal("it has no page")
	}
	pages[made].Body = "{{< figure src=x >}}"
	if _, err := pages[made].file(); err == nil {
		t.Error("a shortcode is written")
	}
}
