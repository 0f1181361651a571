package main

import (
	_ "embed"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

//go:embed unrevised.txt
var unrevised string

// TestWords holds everything that people read to the banned words, unless unrevised.txt lists it. That list only
// becomes shorter: it fails for a line whose source is clean.
func TestWords(t *testing.T) {
	found, err := search("../..", nil)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	exceptions := lines(unrevised)
	for _, one := range found {
		excepted := false
		for _, source := range exceptions {
			if beginsWith(one.source, []string{source}) {
				used[source], excepted = true, true
			}
		}
		if !excepted {
			t.Error(one)
		}
	}
	for _, source := range exceptions {
		if !used[source] {
			t.Errorf("unrevised.txt lists %s, which has no banned word: remove the line", source)
		}
	}
}

// lines returns the lines of a list that are not empty and not comments.
func lines(text string) (list []string) {
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// TestRules tries rules on sentences that they must find, and on sentences that they must let pass.
func TestRules(t *testing.T) {
	rules, err := parseRules(banned)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"isRunning tells whether it runs.", "It waits for somebody\nunidentified.", "Take the reference off the dependent.",
		"the kind of which nothing is known", "Mending this frees 2 objects.", "It stands in the index.", "AFTERWARDS",
		"Of an object that was not deleted, say why.", "It is awaited.", "a group that goes by its name",
		"It can't be told whether it runs.", "Scale Deployment shop/x to nothing.", "It has hung since an hour.",
		"What is wrong is its name.",
	} {
		if len(check([]passage{{"x", 1, text}}, rules)) == 0 {
			t.Errorf("not found: %s", text)
		}
	}
	for _, text := range []string{
		"Take it out of the bindings first.", "its Pods were asked to go", "the finalizer is off it", "those, left behind",
		"Once Flux is gone, nothing is lost.", "the source lets go of the volume", "See that the operator runs.",
	} {
		if len(check([]passage{{"plugins/x.yaml", 1, text}}, rules)) == 0 {
			t.Errorf("not found in the catalogue: %s", text)
		}
	}
	for _, text := range []string{
		"See why it hangs.", "Once it is gone, bring the node back.", "isRunning reports whether it runs.",
		"LB stands for load balancer.", "Of is the kind that owns it.", "Await waits for it.",
		"a stand-in for a cluster", "It goes through the graph.", "What is kept is listed below.",
		"They can't be told apart.",
		"Kubernetes takes about ten seconds off-peak.", "afterwards", "the foreground color", "Take off your hat.",
	} {
		for _, one := range check([]passage{{"x", 1, text}}, rules) {
			t.Errorf("false alarm in %q: %s", text, one)
		}
	}
}

// TestSources looks for a banned word in each place where people read it, and for none where they don't.
func TestSources(t *testing.T) {
	repository := fstest.MapFS{}
	for path, text := range map[string]string{
		"README.md":                "a\nnobody, `nobody`\n```\nnobody\n```\n",
		"docs/guide.md":            "<!-- transcript: X -->\n```\nnobody\n```\nwords\n",
		"docs/reference/why.md":    "nobody",
		"docs/decisions/0001-x.md": "nobody",
		"docs/rbac/reader.yaml":    "kind: nobody # for nobody\n",
		"CHANGELOG.md":             "\n## Unreleased\n\n- nobody\n\n## v1\n\n- nobody\n",
		"pkg/finding/texts/X.yaml": "nobody: {awaits: '{{nobody}} is held by nobody'}\n",
		"plugins/x.yaml": "# nobody\nfinalizers:\n- names: [nobody]\n  waits: [{where: nobody,\n" +
			"    says: is nobody's}]\n",
		"pkg/diagnosis/testdata/human/x.txt": "-- nobody --\nnobody\n",
		"pkg/x/x.go": "package x\n\n// X is for\n// nobody:\n//\n//\tnobody\nvar X = \"nobody\" // " +
			"nobody\n\n// nobody is nil.\nvar nobody any\n",
	} {
		repository[path] = &fstest.MapFile{Data: []byte(text)}
	}
	passages, err := collect(repository)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := parseRules(`\bnobody\b => no one`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, one := range check(passages, rules) {
		if strings.HasPrefix(one.source, "help: ") {
			continue
		}
		got[one.String()] = true
	}
	for _, place := range []string{
		"README.md:2", "README.md:4", "docs/decisions/0001-x.md:1", "docs/guide.md (transcripts):3",
		"docs/rbac/reader.yaml:1", "CHANGELOG.md:4",
		"pkg/finding/texts/X.yaml:1", "plugins/x.yaml:1", "plugins/x.yaml:5",
		"pkg/diagnosis/testdata/human/x.txt:2", "pkg/x/x.go:4", "pkg/x/x.go:7",
	} {
		want := place + `: "nobody"; say: no one`
		if !got[want] {
			t.Errorf("not found: %s", want)
		}
		delete(got, want)
	}
	for name := range got {
		t.Errorf("not expected: %s", name)
	}
}

// TestNamedFiles makes sure that each Go file that a page for developers names is there.
func TestNamedFiles(t *testing.T) {
	root := os.DirFS("../..")
	var there []string
	for _, folder := range []string{"cmd", "hack", "pkg", "plugins"} {
		err := fs.WalkDir(root, folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				there = append(there, "/"+path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pages, err := fs.Glob(root, "docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named, count := regexp.MustCompile("`([a-z0-9_/]+\\.go)[`:]"), 0
	for _, page := range append(pages, "docs/architecture.md", "CONTRIBUTING.md") {
		text, err := fs.ReadFile(root, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllStringSubmatch(string(text), -1) {
			count++
			if !slices.ContainsFunc(there, func(path string) bool { return strings.HasSuffix(path, "/"+name[1]) }) {
				t.Errorf("%s names %s, which is not there", page, name[1])
			}
		}
	}
	if count == 0 {
		t.Error("no page names a file")
	}
}
