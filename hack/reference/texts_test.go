package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts returns what people read, by path below the top of the repository.
func texts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "bin", "dist", "node_modules", "reference"}, entry.Name()):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md" || filepath.Base(filepath.Dir(path)) == "workflows":
			data, err := os.ReadFile(path)
			found[path] = strings.ReplaceAll(string(data), "\r\n", "\n")
			return err
		}
		return nil
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("%d texts, %v", len(found), err)
	}
	return found
}

// TestLinks follows each link within the repository, to the heading if it names one.
func TestLinks(t *testing.T) {
	for path, text := range texts(t) {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(link[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			data, err := os.ReadFile(target)
			if info, failed := os.Stat(target); failed == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if heading != "" && !slices.Contains(headings(string(data)), heading) {
				t.Errorf("%s links to %s, and there is no such heading", path, link[1])
			}
		}
	}
}

// headings returns what a forge names the headings of a page.
func headings(text string) (names []string) {
	for _, match := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(match[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestTargets looks for each `make` target that a text or a workflow names.
func TestTargets(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{}
	for _, line := range regexp.MustCompile(`(?m)^([a-z][a-z -]*):`).FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, strings.Fields(line[1])...)
	}
	for path, text := range texts(t) {
		for _, named := range regexp.MustCompile(
			"(?m)(?:`make|run: make) ([a-z -]+)|^make ([a-z-]+)(?:$|  )").FindAllStringSubmatch(text, -1) {
			for _, target := range strings.Fields(named[1] + " " + named[2]) {
				if !slices.Contains(targets, target) {
					t.Errorf("%s names make %s, and there is no such target", path, target)
				}
			}
		}
	}
}

// TestPagesAreReachable finds each page of docs/ named in another text.
func TestPagesAreReachable(t *testing.T) {
	all := texts(t)
	for path := range all {
		if filepath.Dir(path) != filepath.Join("..", "..", "docs") {
			continue
		}
		named := false
		for other, text := range all {
			named = named || other != path && strings.Contains(text, filepath.Base(path))
		}
		if !named {
			t.Errorf("nothing leads to %s", path)
		}
	}
}
