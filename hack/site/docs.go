package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source is a page of the repository.
type source struct {
	file, title, body string
}

var heading = regexp.MustCompile(`^#+ (.*)\n`)

// sources returns the pages in docs/, and README.md.
func sources(repository string) (all []source, err error) {
	root := os.DirFS(repository)
	files := []string{"README.md"}
	err = fs.WalkDir(root, "docs", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".md" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		titled := heading.FindStringSubmatch(text)
		if titled == nil {
			return nil, fmt.Errorf("%s does not begin with a heading", file)
		}
		all = append(all, source{file, strings.ReplaceAll(titled[1], "`", ""), text[len(titled[0]):]})
	}
	return all, nil
}

const causes = "docs/causes.md"

// pathOf is the file of the site that a file of the repository becomes.
func pathOf(file string) string {
	switch name := strings.TrimSuffix(file, ".md"); {
	case file == "README.md":
		return "_index.md"
	case file == causes:
		return "causes/_index.md"
	case path.Base(name) == "README":
		return path.Dir(name) + "/_index.md"
	default:
		return strings.ToLower(name) + "/index.md"
	}
}

// documentation returns the home page, the pages of docs/, and a page for each cause.
func documentation(repository string) ([]page, error) {
	read, err := sources(repository)
	if err != nil {
		return nil, err
	}
	lead := links{repository: repository, addresses: map[string]string{}, sections: map[string]string{}}
	order := map[string]int{}
	for _, from := range read {
		lead.addresses[from.file] = page{Path: pathOf(from.file)}.Address()
		for _, cause := range causeSections(from) {
			lead.sections[causes+"#"+strings.ToLower(cause.title)] = page{Path: causePath(cause)}.Address()
		}
		if from.file == "README.md" {
			for i, linked := range link.FindAllStringSubmatch(from.body, -1) {
				name, _, _ := strings.Cut(linked[1], "#")
				order[name] = cmp.Or(order[name], i+1)
			}
		}
	}
	var pages []page
	for _, from := range read {
		made, err := pagesOf(from, lead, cmp.Or(order[from.file], len(order)+1))
		if err != nil {
			return nil, err
		}
		pages = append(pages, made...)
	}
	return append(pages, contents(pages)), nil
}

// pagesOf returns the pages that a file of the repository becomes.
func pagesOf(from source, lead links, weight int) ([]page, error) {
	body, err := lead.rewrite(from.file, from.body)
	if err != nil {
		return nil, err
	}
	from.body = body
	made := page{Path: pathOf(from.file), Body: body, head: head{
		Title: from.title, Description: described(plain(body)), Weight: weight,
	}}
	switch {
	case from.file == "README.md":
		made.Title, made.Body = "Why is this object still Terminating?", welcome+"## "+from.title+"\n"+body
	case from.file == causes:
		cause := causeSections(from)
		made.Body = withoutSections(from)
		return append([]page{made}, causePages(cause)...), nil
	case path.Dir(from.file) != "docs": // the commands and the decisions have a page that lists them
		made.Sidebar.Exclude = path.Base(made.Path) == "index.md"
	}
	return []page{made}, nil
}

// welcome is what the home page says before the text of README.md.
const welcome = `Is something stuck in Terminating? Search for the name of its finalizer: the page says what removes it,
what is lost if you remove it by hand, and how to go about it safely. Nothing needs to be installed for that.

- [All finalizers, by project](/projects/)
- [All finalizers, by name](/finalizers/)
- [All root causes](/causes/)
- [How Kubernetes deletes objects](/docs/deletion/)

`

// contents is the page that lists the pages of docs/.
func contents(pages []page) page {
	listed := slices.DeleteFunc(slices.Clone(pages), func(known page) bool {
		return !strings.HasPrefix(known.Path, "docs/") || known.Sidebar.Exclude
	})
	slices.SortStableFunc(listed, func(a, b page) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.Title, b.Title))
	})
	var text strings.Builder
	text.WriteString("All pages of the documentation. [Root causes](/causes/) and [finalizers](/projects/) have pages " +
		"of their own.\n\n")
	for _, known := range listed {
		first, _, _ := strings.Cut(known.Description, ". ")
		fmt.Fprintf(&text, "- [%s](%s): %s\n", literal(known.Title), known.Address(), literal(strings.Trim(first, ".:")+"."))
	}
	return page{Path: path.Join("docs", "_index.md"), Body: text.String(), head: head{
		Title: "Documentation", Description: "All pages of the documentation of kubectl-finalizers.",
	}}
}
