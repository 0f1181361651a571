package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// explanationText writes what explain knows.
type explanationText struct{ renderer }

// write writes what is known: of one finalizer in full, of several on a kind in a paragraph each. What all
// kinds of one finalizer have in common is said once. One that is on many kinds is a table of them.
func (t *explanationText) write(e *result.Explanation) {
	if e.Finalizer != "" && len(e.Known) >= fewAlike && !t.w.style.Wide {
		t.onKinds(e)
	} else {
		t.allKnown(e)
	}
	if len(e.Known) == 0 {
		text := " is not in the catalogue. What follows comes from the cluster."
		if e.Cluster != nil && e.Cluster.Guessed {
			text = " is not in the catalogue. What follows comes from the cluster, for kinds of the API group that the " +
				"finalizer is named after. If objects of another group have it, name their kind with --kind."
		}
		t.w.paragraph("", e.Finalizer+text, t.w.style.headingText)
	}
	t.inCluster(e.Cluster)
}

func (t *explanationText) allKnown(e *result.Explanation) {
	var shared []fact
	full := e.Finalizer != "" || t.w.style.Wide
	if e.Finalizer != "" && len(e.Known) > 1 {
		shared = t.sharedFacts(e.Known)
	}
	for i, known := range e.Known {
		if i > 0 {
			t.w.line()
		}
		t.w.paragraph("", knownSummary(e.Finalizer, known), t.w.style.headingText)
		own := slices.DeleteFunc(t.factsOf(known), func(one fact) bool {
			return !full || slices.ContainsFunc(shared, one.equals)
		})
		if len(own) > 0 {
			t.w.line()
			t.facts(own)
		}
	}
	t.shared("For all of these kinds:", shared)
}

func (t *explanationText) shared(heading string, facts []fact) {
	if len(facts) > 0 {
		t.w.line()
		t.w.paragraph("", heading, t.w.style.headingText)
		t.w.line()
		t.facts(facts)
	}
}

// onKinds writes a table of the kinds that a finalizer is on, what they have in common, and how to ask about one.
func (t *explanationText) onKinds(e *result.Explanation) {
	t.w.paragraph("", kindsHeadline(e), t.w.style.headingText)
	t.w.line()
	rows := finding.Each(e.Known, func(known result.Known) []string {
		return []string{onKinds(known), known.RemovedBy, whenRemoved(known)}
	})
	headings := []string{"ON", "REMOVED BY", "WHEN"}
	if len(unique(finding.Each(e.Known, func(known result.Known) string { return known.RemovedBy }))) == 1 {
		headings = []string{"ON", "WHEN " + e.Known[0].RemovedBy + " REMOVES IT"}
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 1, 2)
		}
	}
	last := len(headings) - 1
	if room := t.w.style.width() - widths(headings, rows, last); t.w.page != nil || room >= leastWidth {
		t.w.table("", headings, rows, t.w.style.width())
	} else { // a paragraph for each
		for _, known := range e.Known {
			t.w.paragraph("", onKinds(known), nil)
			t.w.paragraph("    ", known.RemovedBy+" removes it when "+whenRemoved(known)+".", nil)
		}
	}
	t.shared("For all of these kinds:", t.sharedFacts(e.Known))
	kind := ""
	if kinds := e.Known[0].Kinds; len(kinds) > 0 {
		kind = kinds[0]
	}
	t.w.line()
	t.w.paragraph("", "To see what a removal by force loses, and what to do instead, ask about one kind:", nil)
	t.w.command("    ", e.Program.Command("explain", e.Finalizer, "--kind", kind))
}

// kindsHeadline says on how many kinds a finalizer is that means something else on each.
func kindsHeadline(e *result.Explanation) string {
	projects := strings.Join(unique(finding.Each(e.Known, func(known result.Known) string { return known.Project })), ", ")
	on := finding.Plural(len(eachOf(e.Known, func(known result.Known) []string { return known.Kinds })), "kind")
	if slices.ContainsFunc(e.Known, func(known result.Known) bool { return len(known.Kinds) == 0 }) {
		on += " and others"
	}
	return fmt.Sprintf("%s (%s) is on %s. When it is removed depends on the kind.", e.Finalizer, projects, on)
}

// whenRemoved says what a finalizer waits for.
func whenRemoved(k result.Known) string {
	if k.Doubt != "" {
		return k.WaitsFor + " (unverified)"
	}
	return k.WaitsFor
}

func onKinds(known result.Known) string { return cmp.Or(kindsInShort(known.Kinds), "any kind") }

// knownSummary is the sentence that answers what a finalizer is, under the name that was asked about.
func knownSummary(asked string, known result.Known) string {
	name := cmp.Or(asked, strings.Join(known.Names, ", "))
	held := "the object" // what its pronouns stand for
	if len(known.Kinds) == 1 {
		if kind, _, _ := strings.Cut(known.Kinds[0], "."); !strings.Contains(kind, "*") {
			held = "the " + kind
		}
	}
	text := fmt.Sprintf("%s (%s): %s removes it from %s when %s.", name, known.Project, known.RemovedBy, held,
		known.WaitsFor)
	if known.Doubt != "" {
		text += " That is unverified: " + known.Doubt + "."
	}
	return text
}

// projectsHeadline says how much the catalogue has.
func projectsHeadline(l *result.ProjectList) string {
	total := 0
	for _, item := range l.Items {
		total += len(item.Finalizers)
	}
	return fmt.Sprintf("%d finalizers of %d projects are known. Ask for one by its name, "+
		"or for those of a kind with --kind.", total, len(l.Items))
}

func humanProjects(l *result.ProjectList, w *writer) {
	w.paragraph("", projectsHeadline(l), w.style.headingText)
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
