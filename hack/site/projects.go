package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// projectPath is the file of the page about the project of a file of the catalogue.
func projectPath(file string) string {
	return "projects/" + strings.TrimSuffix(path.Base(file), ".yaml") + "/index.md"
}

// projectPages returns a page for each project of the catalogue, and the one that lists them with their finalizers.
func projectPages(set *plugins.Set) []page {
	all := finalizersOf(set)
	var pages []page
	var list strings.Builder
	list.WriteString("The projects whose finalizers the catalogue knows, and the names of these. The same " +
		"[by name](/finalizers/).\n")
	for _, project := range set.Projects() {
		made := page{Path: projectPath(project.File), head: head{
			Title: "Finalizers of " + project.Project, LinkTitle: project.Project, Sidebar: sidebar{Hide: true, Exclude: true},
			Description: described(fmt.Sprintf("The finalizers of %s: what removes each, what is lost if you remove it by "+
				"hand, and how to go about it safely: %s.", project.Project, finding.And(project.Names))),
		}}
		fmt.Fprintf(&list, "\n## [%s](%s)\n\n", literal(project.Project), made.Address())
		var text strings.Builder
		text.WriteString("Each of these pages says what removes the finalizer, what is lost if you remove it by hand, and " +
			"how to go about it safely.\n\n")
		for _, known := range all {
			if !slices.Contains(project.Names, known.Name) {
				continue
			}
			fmt.Fprintf(&list, "- [%s](%s)\n", literal(known.Name), known.address())
			for _, meaning := range known.Entries {
				if meaning.Project == project.Project {
					fmt.Fprintf(&text, "- [%s](%s): %s removes it from %s when %s.\n", literal(known.Name), known.address(),
						literal(meaning.RemovedBy), literal(meaning.On()), literal(meaning.WaitsFor))
				}
			}
		}
		made.Body = text.String()
		pages = append(pages, made)
	}
	return append(pages, page{Path: "projects/_index.md", Body: list.String(), head: head{
		Title: "Finalizers by project", Sidebar: sidebar{Hide: true}, NotSearched: true,
		Description: fmt.Sprintf("The Kubernetes finalizers of %d projects.", len(pages)),
	}})
}
