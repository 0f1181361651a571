package report

import (
	"cmp"
	"fmt"
	"strings"
)

// labelWidth is the columns of the labels before what is known.
const labelWidth = 13

// human writes what is known: one finalizer in full, several on a kind in a paragraph each.
func (e *Explanation) human(w *writer) {
	for i, known := range e.Known {
		if i > 0 {
			w.line()
		}
		w.knownSummary(e.Finalizer, known)
		if e.Finalizer != "" || w.style.Wide {
			w.line()
			w.knownFacts(known)
		}
	}
	if len(e.Known) == 0 {
		text := ": no plugin knows it. What follows is found out from the cluster."
		if e.Cluster != nil && e.Cluster.Guessed {
			text += " It is about the API group in its name, which is a guess; --kind names the kind that has it."
		}
		w.paragraph("", e.Finalizer+text, w.style.headingText)
	}
	w.inCluster(e.Cluster)
}

func (w *writer) knownSummary(asked string, known Known) {
	name := cmp.Or(asked, strings.Join(known.Names, ", "))
	text := fmt.Sprintf("%s (%s): %s removes it when %s.", name, known.Project, known.RemovedBy, known.WaitsFor)
	if known.Doubt != "" {
		text += " That is unverified: " + known.Doubt + "."
	}
	w.paragraph("", text, w.style.headingText)
}

func (w *writer) knownFacts(known Known) {
	if pattern := strings.Join(known.Names, ", "); strings.Contains(pattern, "*") {
		w.fact("KNOWN AS", pattern)
	}
	w.fact("ON", cmp.Or(strings.Join(known.Kinds, ", "), "any kind"))
	w.fact("ADDED BY", known.AddedBy)
	for _, wait := range known.Waits {
		w.fact("WAITS FOR", fmt.Sprintf("%s (%s): one that %s", wait.Resource, scopes(wait.Scope), wait.Says))
	}
	for _, guard := range known.Guards {
		w.fact("GUARDS", guarded(guard))
	}
	w.fact("FORCE LOSES", known.Loses)
	w.fact("INSTEAD", known.SafeWayOut)
	w.fact("CONTROLLER", w.controller(known))
	if known.MayRunOutside != "" {
		w.fact("", "It may run outside the cluster: "+known.MayRunOutside+".")
	}
	for _, field := range known.StatusFields {
		w.fact("SEE", field.Path+": "+field.Says)
	}
	for _, field := range known.ResourceFields {
		w.fact("STANDS FOR", field.Path+": "+field.Says)
	}
	w.fact("NOTE", known.Notes)
	for i, sure := range sureness(known) {
		w.fact([]string{"HOW SURE", "", ""}[i], sure)
	}
	w.fact("FROM", cmp.Or(known.Source, "no source is given"))
	w.fact("TOLD BY", known.File)
	for _, link := range known.Links {
		w.fact("MORE", link)
	}
}

// fact writes a labelled paragraph, or nothing if there is nothing to say.
func (w *writer) fact(label, text string) {
	if text != "" {
		w.paragraph(fmt.Sprintf("%-*s", labelWidth, label), text, nil)
	}
}

func (w *writer) controller(known Known) string {
	var parts []string
	add := func(what string, names []string) {
		if len(names) > 0 {
			parts = append(parts, what+strings.Join(names, ", "))
		}
	}
	add("", known.Workloads)
	add("container ", known.Containers)
	add("in namespace ", known.Namespaces)
	add("Pods with ", known.Labels)
	add("Lease ", known.Leases)
	add("writes as ", known.Managers)
	return strings.Join(parts, "; ")
}

func scopes(scope string) string {
	if scope == "Cluster" {
		return "in the whole cluster"
	}
	return "in its own namespace"
}

func guarded(guard string) string {
	says, known := map[string]string{
		"InUse":         "something that still refers to the object",
		"External":      "something outside this cluster",
		"Cascade":       "other objects or processes in the cluster, which are cleaned up in order",
		"Bookkeeping":   "records; nothing that lasts",
		"OptInDeletion": "data that it was put there to delete: taking it off keeps the data",
	}[guard]
	if !known {
		return guard
	}
	return says
}

// sureness says how each group of statements was checked, those that were checked best first.
func sureness(known Known) []string {
	groups := map[string][]string{}
	add := func(what, check string, said bool) {
		if said {
			groups[check] = append(groups[check], what)
		}
	}
	add("its name", known.Verified.Name, true)
	add("when it is removed", known.Verified.WaitsFor, true)
	add("its controller", known.Verified.Controller,
		len(known.Workloads)+len(known.Containers)+len(known.Labels)+len(known.Namespaces)+len(known.Leases) > 0)
	add("its fields", known.Verified.Fields,
		len(known.StatusFields)+len(known.ResourceFields)+len(known.Managers) > 0)
	groups["None"] = append(groups["None"], groups[""]...)
	var sure []string
	for _, check := range []struct{ name, says string }{
		{"Source", "read in the project's source or documentation"},
		{"Excerpt", "read in a piece of source code of which the project was inferred"},
		{"None", "not checked, take it as a hint"},
	} {
		if what := groups[check.name]; len(what) > 0 {
			sure = append(sure, strings.Join(what, ", ")+": "+check.says)
		}
	}
	return sure
}

// human writes a table of projects and how many of their finalizers are known.
func (l *ProjectList) human(w *writer) {
	total := 0
	for _, item := range l.Items {
		total += len(item.Finalizers)
	}
	w.paragraph("", fmt.Sprintf("%d finalizers of %d projects are known. Ask for one by its name, "+
		"or for those of a kind with --kind.", total, len(l.Items)), w.style.headingText)
	w.line()
	for _, item := range l.Items {
		w.line(fmt.Sprintf("%5d  ", len(item.Finalizers)), item.Project)
		if w.style.Wide {
			for _, name := range item.Finalizers {
				w.line("         ", name)
			}
		}
	}
}
