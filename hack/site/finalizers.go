package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// finalizer is a name of the catalogue, and all that it is said to mean.
type finalizer struct {
	Name    string
	Entries []entry
}

// entry is what a finalizer means on some kinds.
type entry struct {
	result.Known
	// Of is the name that the page is about.
	Of string
}

// finalizersOf returns the finalizers of the catalogue by their names, sorted.
func finalizersOf(set *plugins.Set) (all []finalizer) {
	entries := map[string][]entry{}
	for _, known := range set.All() {
		for _, name := range known.Names {
			entries[name] = append(entries[name], entry{result.Explained(known), name})
		}
	}
	for _, name := range set.Names() {
		all = append(all, finalizer{name, entries[name]})
	}
	return all
}

//go:embed finalizer.md.tmpl
var finalizerText string

// finalizerPages returns a page for each finalizer, and the one that lists them.
func finalizerPages(set *plugins.Set) ([]page, error) {
	parsed, err := template.New("finalizer.md").Funcs(template.FuncMap{
		"literal": literal, "code": code, "web": web, "label": label,
	}).Parse(finalizerText)
	if err != nil {
		return nil, err
	}
	all := finalizersOf(set)
	pages := []page{finalizerList(all)}
	for _, known := range all {
		var text bytes.Buffer
		if err := parsed.Execute(&text, known); err != nil {
			return nil, fmt.Errorf("%s: %w", known.Name, err)
		}
		pages = append(pages, page{Path: "finalizers/" + slug(known.Name) + "/index.md", Body: text.String(), head: head{
			Title: "Finalizer " + known.Name, LinkTitle: known.Name, Description: described(known.summary()),
			Sidebar: sidebar{Hide: true, Exclude: true},
		}})
	}
	return pages, nil
}

var noPart = regexp.MustCompile(`[^a-z0-9.]+`)

// slug is a name as a part of an address.
func slug(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "*", "-any-")
	return strings.Trim(noPart.ReplaceAllString(name, "-"), "-.")
}

func (f finalizer) address() string { return "/finalizers/" + slug(f.Name) + "/" }

// Glob reports whether the name stands for several.
func (f finalizer) Glob() bool { return strings.Contains(f.Name, "*") }

// Projects are the projects that set it, each once.
func (f finalizer) Projects() (names []string) {
	for _, known := range f.Entries {
		if !slices.Contains(names, known.Project) {
			names = append(names, known.Project)
		}
	}
	return names
}

// summary says in two sentences what removes it, and what is lost by force.
func (f finalizer) summary() string {
	first := f.Entries[0]
	if len(f.Entries) == 1 {
		return fmt.Sprintf("%s removes the finalizer %s from %s when %s. Lost if it is removed by hand: %s.",
			first.RemovedBy, f.Name, first.On(), first.WaitsFor, first.Loses)
	}
	on := finding.Each(f.Entries, func(known entry) string { return strings.TrimPrefix(known.On(), "the ") })
	slices.Sort(on)
	return fmt.Sprintf("The finalizer %s of %s: what removes it, when, what is lost if it is removed by hand, and what "+
		"to do instead. On %s.", f.Name, finding.And(f.Projects()), finding.And(slices.Compact(on)))
}

// On names the kinds, without their API groups: a Node or a NodeClaim.
func (e entry) On() string {
	const most = 3
	var names []string
	for _, kind := range e.Kinds {
		name, _, _ := strings.Cut(kind, ".")
		if name != "*" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) > most {
		return "the object"
	}
	return "the " + strings.Join(names, " or ")
}

// ProjectAddress is the page of its project.
func (e entry) ProjectAddress() string { return page{Path: projectPath(e.File)}.Address() }

// Facts are what else is known of it: all but what the page says elsewhere.
func (e entry) Facts() []print.Fact {
	elsewhere := []string{"FORCE LOSES", "INSTEAD", "MORE", "FILE", "VERIFIED", "SOURCE"}
	return slices.DeleteFunc(print.Facts(e.Known), func(said print.Fact) bool {
		return slices.Contains(elsewhere, said.Label)
	})
}

// Checked says how far all this was checked, and where it was read.
func (e entry) Checked() []print.Fact {
	checked := []string{"VERIFIED", "SOURCE"}
	return slices.DeleteFunc(print.Facts(e.Known), func(said print.Fact) bool {
		return !slices.Contains(checked, said.Label)
	})
}

// label writes what a fact is about as a person would.
func label(text string) string {
	switch text {
	case "ON":
		return "On"
	case "OUTSIDE":
		return "What it stands for outside the cluster"
	case "VERIFIED":
		return "Checked"
	case "STATUS":
		return "Where the object says how far it is"
	}
	return text[:1] + strings.ToLower(text[1:])
}

// finalizerList returns the page that lists all finalizers.
func finalizerList(all []finalizer) page {
	var text strings.Builder
	fmt.Fprintf(&text, "The catalogue knows %d names of finalizers. In a name, `*` stands for any characters. The same "+
		"[by project](/projects/).\n\n", len(all))
	for _, known := range all {
		fmt.Fprintf(&text, "- [%s](%s) (%s)\n", literal(known.Name), known.address(), literal(finding.And(known.Projects())))
	}
	return page{Path: "finalizers/_index.md", Body: text.String(), head: head{
		Title: "Finalizers", Sidebar: sidebar{Hide: true}, NotSearched: true,
		Description: fmt.Sprintf("%d Kubernetes finalizers: what removes each, what is lost if you remove it by hand, and "+
			"how to go about it safely.", len(all)),
	}}
}
