package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// forge is where files of the repository can be read that are no pages of the site.
const forge = "https://github.com/kubectl-finalizers/kubectl-finalizers"

// links rewrites the links of pages in a repository to links of the site.
type links struct {
	repository string
	// addresses are those of the pages by their files: docs/guide.md is /docs/guide/.
	addresses map[string]string
	// sections are the addresses of sections that are pages of their own: docs/causes.md#stillinuse.
	sections map[string]string
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// rewrite returns the text of a file with links of the site. The error is that a link leads nowhere.
func (l links) rewrite(file, text string) (string, error) {
	var failed error
	fenced := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		lines[i] = link.ReplaceAllStringFunc(line, func(found string) string {
			target, err := l.target(file, link.FindStringSubmatch(found)[1])
			if err != nil {
				failed = err
			}
			return "](" + target + ")"
		})
	}
	return strings.Join(lines, "\n"), failed
}

// target returns where a link in a file leads.
func (l links) target(file, destination string) (string, error) {
	if strings.Contains(destination, "://") {
		return destination, nil
	}
	name, section, anchored := strings.Cut(destination, "#")
	named := file
	if name != "" {
		named = path.Join(path.Dir(file), name)
	}
	if address := l.sections[named+"#"+section]; address != "" {
		return address, nil
	}
	if address := l.addresses[named]; address != "" {
		if anchored {
			address += "#" + section
		}
		return address, nil
	}
	if pictured, is := strings.CutPrefix(named, "docs/pictures/"); is {
		_, err := os.Stat(filepath.Join(l.repository, filepath.FromSlash(named)))
		return "/pictures/" + pictured, err
	}
	there, err := os.Stat(filepath.Join(l.repository, filepath.FromSlash(named)))
	if err != nil {
		return "", fmt.Errorf("%s: the link to %s leads nowhere: %w", file, destination, err)
	}
	shown := "blob"
	if there.IsDir() {
		shown = "tree"
	}
	address := forge + "/" + shown + "/main/" + named
	if anchored {
		address += "#" + section
	}
	return address, nil
}
