package main

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// base is where the site is published, below its host.
const base = "/kubectl-finalizers/"

// document is what a built page has.
type document struct {
	ids   map[string]bool
	leads []string // where its links, pictures, scripts and styles are
	title string
}

func read(t *testing.T, site fs.FS, name string) document {
	t.Helper()
	file, err := site.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	root, err := html.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	found := document{ids: map[string]bool{}}
	for node := range root.Descendants() {
		if node.Data == "title" && node.Parent.Data == "head" && node.FirstChild != nil {
			found.title = strings.TrimSpace(node.FirstChild.Data)
		}
		for _, attribute := range node.Attr {
			switch attribute.Key {
			case "id":
				found.ids[attribute.Val] = true
			case "href", "src":
				found.leads = append(found.leads, attribute.Val)
			}
		}
	}
	return found
}

// TestBuilt follows every link of the site that make site has built, and each section that one names. Nothing but links
// leads to another host.
func TestBuilt(t *testing.T) {
	folder := os.Getenv("SITE")
	if folder == "" {
		t.Skip("SITE is not set (make site-test)")
	}
	site := os.DirFS(folder)
	files, documents, titles := map[string]bool{}, map[string]document{}, map[string]string{}
	err := fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		files[name] = true
		if filepath.Ext(name) == ".html" && name != "404.html" {
			documents[name] = read(t, site, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range documents {
		if other := titles[page.title]; other != "" || page.title == "" {
			t.Errorf("%s and %s have the title %q", name, other, page.title)
		}
		titles[page.title] = name
		for _, lead := range page.leads {
			follow(t, name, lead, files, documents)
		}
	}
	if len(documents) < 850 {
		t.Errorf("the site has %d pages", len(documents))
	}
}

// follow looks for what a page links to.
func follow(t *testing.T, name, lead string, files map[string]bool, documents map[string]document) {
	t.Helper()
	parsed, err := url.Parse(lead)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if parsed.Host == "kubectl-finalizers.github.io" {
		parsed.Scheme, parsed.Host = "", ""
	}
	if parsed.Host != "" || parsed.Scheme != "" {
		if parsed.Scheme != "https" {
			t.Errorf("%s: it leads to %s", name, lead)
		}
		return
	}
	at := name
	if parsed.Path != "" {
		below, is := strings.CutPrefix(path.Join(base+path.Dir(name), parsed.Path), strings.TrimSuffix(base, "/"))
		if path.IsAbs(parsed.Path) {
			below, is = strings.CutPrefix(parsed.Path, strings.TrimSuffix(base, "/"))
		}
		if at = strings.Trim(below, "/"); strings.HasSuffix(parsed.Path, "/") || at == "" {
			at = path.Join(at, "index.html")
		}
		if !is || !files[at] {
			t.Errorf("%s: the link to %s leads nowhere", name, lead)
			return
		}
	}
	if parsed.Fragment != "" && !documents[at].ids[parsed.Fragment] {
		t.Errorf("%s: the link to %s leads to no section", name, lead)
	}
}
