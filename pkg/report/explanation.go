package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Explanation is what is known of a finalizer, or of the finalizers on a kind.
type Explanation struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Finalizer  string     `json:"finalizer,omitempty"` // the one that was asked about; empty when all on a kind were
	OnKind     string     `json:"onKind,omitempty"`    // the kind that was asked about, if one was
	Known      []Known    `json:"known"`               // what fits best first
	Cluster    *InCluster `json:"cluster,omitempty"`   // absent where no finalizer was named
}

// Known is what a plugin says of a finalizer: its fields (docs/plugins.md), and where it says so.
type Known struct {
	Project string `json:"project"`
	File    string `json:"file"`
	plugins.Finalizer
	// Verified and Source are the plugin's. Verified is never absent here, and Source follows Doubt.
	Verified plugins.Verified `json:"verified"`
	Doubt    string           `json:"doubt,omitempty"` // why its removal is not certain; empty when it is
	Source   string           `json:"source,omitempty"`
}

// Explained returns what a plugin says of a finalizer.
func Explained(one plugins.Finalizer) Known {
	return Known{
		Project: one.Project, File: one.File, Finalizer: one,
		Verified: one.Verified, Doubt: one.Verified.Doubt(), Source: one.Source,
	}
}

// ProjectList is the projects of which finalizers are known.
type ProjectList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Items      []Project `json:"items"`
}

// Project is one plugin.
type Project struct {
	Project    string   `json:"project"`
	File       string   `json:"file"`
	Finalizers []string `json:"finalizers"`
}

// human writes what is known: of one finalizer in full, of several on a kind in a paragraph each. What all kinds of one
// finalizer have in common is said once.
func (e *Explanation) human(w *writer) {
	var shared []fact
	full := e.Finalizer != "" || w.style.Wide
	if e.Finalizer != "" && len(e.Known) > 1 {
		shared = sharedFacts(e.Known)
	}
	for i, known := range e.Known {
		if i > 0 {
			w.line()
		}
		w.knownSummary(e.Finalizer, known)
		own := slices.DeleteFunc(factsOf(known), func(one fact) bool {
			return !full || slices.ContainsFunc(shared, one.equals)
		})
		if len(own) > 0 {
			w.line()
			w.facts(own)
		}
	}
	if len(shared) > 0 {
		w.line()
		w.paragraph("", "All of these:", w.style.headingText)
		w.line()
		w.facts(shared)
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

// fact is something that is known, in paragraphs.
type fact struct {
	label string
	texts []string
}

func (f fact) equals(other fact) bool {
	return f.label == other.label && slices.Equal(f.texts, other.texts)
}

// sharedFacts are those that are the same of all.
func sharedFacts(all []Known) []fact {
	return slices.DeleteFunc(factsOf(all[0]), func(one fact) bool {
		return slices.ContainsFunc(all[1:], func(other Known) bool {
			return !slices.ContainsFunc(factsOf(other), one.equals)
		})
	})
}

func factsOf(known Known) (facts []fact) {
	add := func(label string, texts ...string) {
		if texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" }); len(texts) > 0 {
			facts = append(facts, fact{label, texts})
		}
	}
	if pattern := strings.Join(known.Names, ", "); strings.Contains(pattern, "*") {
		add("KNOWN AS", pattern)
	}
	add("ON", cmp.Or(strings.Join(known.Kinds, ", "), "any kind"))
	add("ADDED BY", known.AddedBy)
	add("WAITS FOR", append(finding.Each(known.Waits, awaited), drained(known.Drains)...)...)
	add("GUARDS", finding.Each(known.Guards, guarded)...)
	add("FORCE LOSES", known.Loses)
	add("INSTEAD", known.SafeWayOut)
	outside := ""
	if known.MayRunOutside != "" {
		outside = "It may run outside the cluster: " + known.MayRunOutside + "."
	}
	add("CONTROLLER", controllerOf(known), outside)
	says := func(field plugins.Field) string { return field.Path + ": " + field.Says }
	add("SEE", finding.Each(known.StatusFields, says)...)
	add("STANDS FOR", finding.Each(known.ResourceFields, says)...)
	add("NOTE", known.Notes)
	add("HOW SURE", sureness(known)...)
	add("FROM", cmp.Or(known.Source, "no source is given"))
	add("TOLD BY", known.File)
	add("MORE", known.Links...)
	return facts
}

// facts writes labelled paragraphs.
func (w *writer) facts(facts []fact) {
	for _, one := range facts {
		label := one.label
		for _, text := range one.texts {
			w.paragraph(fmt.Sprintf("%-13s", label), text, nil)
			if label == "HOW SURE" || label == "CONTROLLER" {
				label = ""
			}
		}
	}
}

func controllerOf(known Known) string {
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
	add("reports events as ", known.Reporters)
	return strings.Join(parts, "; ")
}

func awaited(wait plugins.Wait) string {
	where := "in its own namespace"
	if wait.Scope == plugins.ScopeCluster {
		where = "in the whole cluster"
	}
	return fmt.Sprintf("%s (%s): one that %s", wait.Resource, where, wait.Says)
}

// drained says of which Node the Pods go first, and which of them don't.
func drained(drain *plugins.Drain) []string {
	if drain == nil {
		return nil
	}
	says := []string{"the Pods of the Node: each that is to be evicted"}
	if drain.Node != "" {
		says[0] = "the Pods of the Node that " + drain.Node + " names: each that is to be evicted"
	}
	if drain.Because != "" {
		says = append(says, "among them each that "+drain.Because+", which isn't evicted")
	}
	return says
}

func guarded(guard plugins.Guard) string {
	return map[plugins.Guard]string{
		plugins.GuardInUse:         "something that still refers to the object",
		plugins.GuardExternal:      "something outside this cluster",
		plugins.GuardCascade:       "other objects or processes in the cluster, which are cleaned up in order",
		plugins.GuardBookkeeping:   "records; nothing that lasts",
		plugins.GuardOptInDeletion: "data that it was put there to delete: taking it off keeps the data",
	}[guard]
}

// sureness says how each group of statements was checked, those that were checked best first.
func sureness(known Known) (sure []string) {
	groups := map[plugins.Check][]string{}
	add := func(what string, check plugins.Check, said int) {
		if said > 0 {
			groups[check] = append(groups[check], what)
		}
	}
	add("its name", known.Verified.Name, 1)
	add("when it is removed", known.Verified.WaitsFor, 1)
	add("its controller", known.Verified.Controller,
		len(known.Workloads)+len(known.Containers)+len(known.Labels)+len(known.Namespaces)+len(known.Leases))
	add("its fields", known.Verified.Fields,
		len(known.StatusFields)+len(known.ResourceFields)+len(known.Managers)+len(known.Reporters))
	groups[plugins.CheckNone] = append(groups[plugins.CheckNone], groups[""]...)
	for _, check := range plugins.Checks() {
		if what := groups[check]; len(what) > 0 {
			sure = append(sure, strings.Join(what, ", ")+": "+map[plugins.Check]string{
				plugins.CheckSource:  "read in the project's source or documentation",
				plugins.CheckExcerpt: "read in a piece of source code of which the project was inferred",
				plugins.CheckNone:    "not checked, take it as a hint",
			}[check])
		}
	}
	return sure
}

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
