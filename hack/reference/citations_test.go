package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// broken returns the citations of pages of docs/ in a text that lead nowhere, and counts all of them. headingsOf has
// the headings of a page, and none if it doesn't exist. Notes that are not in the repository lead nowhere, too.
func broken(text string, headingsOf func(page string) []string) (found []string, citations int) {
	text = regexp.MustCompile(`\n\s*(//|#) ?`).ReplaceAllString(text, " ")        // a comment may be broken anywhere
	cited := regexp.MustCompile(`(?:^|[^/\w])(docs/([\w/-]+\.md)(?:#([\w-]+))?)`) // and not a part of a URL
	for _, citation := range cited.FindAllStringSubmatch(text, -1) {
		citations++
		headings := headingsOf(citation[2])
		if len(headings) == 0 || citation[3] != "" && !slices.Contains(headings, citation[3]) {
			found = append(found, citation[1])
		}
	}
	found = append(found, regexp.MustCompile(`(?i)deletion[-]mechanics|\bdocs/decisions/\d+(?:[^-\d]|$)`).
		FindAllString(text, -1)...)
	return found, citations
}

// TestCitations follows each citation of a page of docs/ in comments, manifests and pages.
func TestCitations(t *testing.T) {
	pages := map[string][]string{}
	headingsOf := func(page string) []string {
		if pages[page] == nil {
			data, err := os.ReadFile(filepath.Join("..", "..", "docs", filepath.FromSlash(page)))
			if err != nil {
				return nil
			}
			pages[page] = headings(string(data))
		}
		return pages[page]
	}
	skipped := []string{".git", "bin", "dist", "node_modules", "testdata"}
	madeUp := []string{"citations_test.go", "words_test.go"} // they cite pages that don't exist
	all := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && slices.Contains(skipped, entry.Name()) {
				return filepath.SkipDir
			}
			return err
		}
		known := []string{".go", ".yaml", ".md", ".json", ".sh", ".txt", ""}
		if !slices.Contains(known, filepath.Ext(path)) || slices.Contains(madeUp, entry.Name()) {
			return nil
		}
		data, err := os.ReadFile(path)
		lost, citations := broken(string(data), headingsOf)
		all += citations
		for _, citation := range lost {
			t.Errorf("%s cites %s, which is not there", path, citation)
		}
		return err
	})
	if err != nil || all < 100 {
		t.Errorf("%d citations found, %v", all, err)
	}
}

func TestBroken(t *testing.T) {
	headingsOf := func(page string) []string {
		return map[string][]string{"a.md": {"one-two"}, "decisions/0001-x.md": {"x"}}[page]
	}
	for text, want := range map[string][]string{
		"see docs/a.md, (docs/a.md#one-two) and docs/decisions/0001-x.md": nil,
		"// it is said in\n// docs/a.md#one-two.":                         nil,
		"docs/a.md#one":                   {"docs/a.md#one"},
		"docs/b.md":                       {"docs/b.md"},
		"https://example.com/docs/b.md":   nil,
		"# docs/b.md#one-two":             {"docs/b.md#one-two"},
		"docs/decisions/0001.":            {"docs/decisions/0001."},
		"// (deletion-mechanics\n// M05)": {"deletion-mechanics"},
	} {
		if got, _ := broken(text, headingsOf); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := headings("# A `b` (c)\n\n### D-e, f"); strings.Join(got, " ") != "a-b-c d-e-f" {
		t.Errorf("headings: %q", got)
	}
}
