package main

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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

func read(site fs.FS, name string) (found document, err error) {
	file, err := site.Open(name)
	if err != nil {
		return found, err
	}
	defer func() { _ = file.Close() }()
	root, err := html.Parse(file)
	if err != nil {
		return found, err
	}
	found.ids = map[string]bool{}
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
	return found, nil
}

// faults follows every link of a built site, and each section that one names, compares the titles of its pages, and
// counts these.
func faults(site fs.FS) (found []string, pages int, err error) {
	files, documents, titles := map[string]bool{}, map[string]document{}, map[string]string{}
	err = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		files[name] = true
		if err == nil && path.Ext(name) == ".html" && name != "404.html" {
			documents[name], err = read(site, name)
		}
		return err
	})
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		page := documents[name]
		if other := titles[page.title]; other != "" || page.title == "" {
			found = append(found, fmt.Sprintf("%s and %s have the title %q", other, name, page.title))
		}
		titles[page.title] = name
		for _, lead := range page.leads {
			if fault := follow(name, lead, files, documents); fault != "" {
				found = append(found, name+": "+lead+" "+fault)
			}
		}
	}
	return found, len(documents), err
}

// follow says what is wrong with a link of a page, if anything is.
func follow(name, lead string, files map[string]bool, documents map[string]document) string {
	parsed, err := url.Parse(lead)
	if err != nil {
		return err.Error()
	}
	if parsed.Host == "kubectl-finalizers.github.io" {
		parsed.Scheme, parsed.Host = "", ""
	}
	if parsed.Host != "" || parsed.Scheme != "" {
		if parsed.Scheme != "https" {
			return "is no https address"
		}
		return ""
	}
	at := name
	if parsed.Path != "" {
		whole := parsed.Path
		if !path.IsAbs(whole) {
			whole = path.Join(base, path.Dir(name), whole)
		}
		below, is := strings.CutPrefix(whole+"/", base) // the path of the site itself may have lost its slash
		below = strings.TrimSuffix(below, "/")
		if at = strings.TrimSuffix(below, "/"); strings.HasSuffix(parsed.Path, "/") || at == "" {
			at = path.Join(at, "index.html")
		}
		if !is || !files[at] {
			return "leads nowhere"
		}
	}
	if parsed.Fragment != "" && !documents[at].ids[parsed.Fragment] {
		return "leads to no section"
	}
	return ""
}

// TestBuilt looks at the site that make site has built.
func TestBuilt(t *testing.T) {
	folder := os.Getenv("SITE")
	if folder == "" {
		t.Skip("SITE is not set (make site-test)")
	}
	found, pages, err := faults(os.DirFS(folder))
	if err != nil || len(found) > 0 {
		t.Error(err, strings.Join(found, "\n"))
	}
	if pages < 850 {
		t.Errorf("the site has %d pages", pages)
	}
}

func TestFaults(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	found, pages, err := faults(fstest.MapFS{
		"style.css": file(""),
		"index.html": file(`<title>One</title><link href="/kubectl-finalizers/style.css"><h2 id="here"></h2>` +
			`<a href="#here"></a><a href="/kubectl-finalizers/two/#there"></a><a href="two/"></a>` +
			`<a href="https://example.com/x#y"></a>` +
			`<a href="#gone"></a><a href="/two/"></a><img src="pictures/gone.png"><a href="javascript:alert(1)"></a>`),
		"two/index.html": file(`<title>One</title><p id="there"></p><a href="../"></a>` +
			`<a href="/kubectl-finalizers/#gone"></a>`),
	})
	want := []string{
		"index.html: #gone leads to no section", "index.html: /two/ leads nowhere",
		"index.html: pictures/gone.png leads nowhere", "index.html: javascript:alert(1) is no https address",
		`index.html and two/index.html have the title "One"`, "two/index.html: /kubectl-finalizers/#gone leads to no section",
	}
	if err != nil || pages != 2 || !slices.Equal(found, want) {
		t.Errorf("%v; of %d pages %s", err, pages, strings.Join(found, "\n"))
	}
}
