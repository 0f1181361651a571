package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// severityNoun is a severity as people read it.
func severityNoun(s result.Severity) string {
	if s == result.Info {
		return "remark"
	}
	return strings.ToLower(string(s))
}

func findingObjects(f result.Finding) []finding.Ref {
	return append([]finding.Ref{f.Object}, f.Others...)
}

// unnamedObjects are the other objects with this finding that its message doesn't name.
func unnamedObjects(f result.Finding) []finding.Ref {
	var named []finding.Ref
	if naming, is := f.Details.(finding.Naming); is {
		named = naming.Names()
	}
	return slices.DeleteFunc(slices.Clone(f.Others), func(ref finding.Ref) bool { return slices.Contains(named, ref) })
}

// checkText writes what check has found.
type checkText struct {
	renderer
	extent extent
}

// write writes what was found, the worst first; in wide output, a row for each object, or that there is none.
func (t *checkText) write(c *result.Check) {
	groups := alikeFindings(c.Findings)
	t.extent = t.w.fullest(len(groups), true, func(to *writer, tried extent) {
		(&checkText{newRenderer(to), tried}).writeParts(c, groups)
	})
	t.writeParts(c, groups)
}

func (t *checkText) writeParts(c *result.Check, groups [][]result.Finding) {
	w := t.w
	if w.style.Wide && len(c.Findings) > 0 {
		t.rows(c)
	} else {
		w.headline(checkHeadline(c, foremostFindings(groups)))
		described := min(t.extent.described, len(groups))
		for _, alike := range groups[:described] {
			w.line()
			t.finding(alike)
		}
		t.further(finding.Each(groups[described:], func(alike []result.Finding) mention {
			return t.mentioned(titleOfFinding(alike[0], len(alike[0].Others)+len(alsoBlocked(alike))), alike[0])
		}))
	}
	w.notes(c.Notes, len(c.Findings) > 0)
	if len(c.Ask) > 0 {
		w.line()
		w.paragraph("", "To see what blocks the objects that are already Terminating:", nil)
		w.command("  ", c.Ask)
	}
	t.said.unread(c.Unreadable)
}

// notes writes remarks on the whole, under a heading where findings are above them.
func (w *writer) notes(notes []string, below bool) {
	switch {
	case len(notes) == 0:
		return
	case below || len(notes) > 1:
		w.section("NOTES")
	default:
		w.line()
	}
	for _, note := range notes {
		if below || len(notes) > 1 {
			w.item(note, nil)
		} else {
			w.paragraph("", note, nil)
		}
	}
}

// checkHeadline counts findings, as far as a person sees more than one of them.
func checkHeadline(c *result.Check, findings []result.Finding) string {
	counts := map[result.Severity]int{}
	for _, reported := range findings {
		counts[reported.Severity]++
	}
	var parts []string
	for _, severity := range []result.Severity{result.Error, result.Warning, result.Info} {
		if counts[severity] > 0 {
			parts = append(parts, finding.Plural(counts[severity], severityNoun(severity)))
		}
	}
	part := inPart(c.Unreadable)
	text := "No problems found."
	switch {
	case len(parts) > 0:
		text = "Found " + finding.And(parts) + "."
	case c.Doubtful:
		text = "Found no certain problems, but see below."
	case part != "":
		text, part = "No problems found in what could be read.", ""
	}
	return text + " " + checkedInWords(c) + part
}

// checkedInWords says among how many objects that was found.
func checkedInWords(c *result.Check) string {
	var parts []string
	if c.Owned > 0 {
		parts = append(parts, finding.Plural(c.Owned, "object")+" with owners")
	}
	switch {
	case c.Held > 0 && c.Owned > 0:
		parts = append(parts, fmt.Sprintf("%d with finalizers", c.Held))
	case c.Held > 0:
		parts = append(parts, finding.Plural(c.Held, "object")+" with finalizers")
	case c.Owned == 0:
		asked := namespacesOf(c.Clusters)
		if c.Namespace != "" {
			asked = []string{c.Namespace}
		}
		return "No objects with owners or finalizers were found" + inNamespaces(asked)
	}
	return "Checked " + finding.And(parts) + "."
}

// finding writes findings that are one for a person.
func (t *checkText) finding(alike []result.Finding) {
	reported := alike[0]
	paint := t.w.style.waitingText
	if reported.Severity == result.Error {
		paint = t.w.style.causeText
	}
	severity := strings.ToUpper(severityNoun(reported.Severity)) + "  "
	t.w.heading(severity, paint(string(reported.Reason)), certainty(reported.Certainty))
	t.said.message(reported.Message, reported.InShort)
	if others := unnamedObjects(reported); len(others) > 0 {
		t.said.alsoHolds(others)
	}
	if others := alsoBlocked(alike); len(others) > 0 {
		t.said.more("This would also block", others)
	}
	t.said.evidenced = nil
	t.said.evidence(reported.Evidence, mostEvidence)
	t.advice.steps(reported.Remedies, result.RootCause{Count: reported.Count, Object: reported.Object})
}

// titleOfFinding names a finding in a line, and how many more objects it is about.
func titleOfFinding(reported result.Finding, more int) string {
	title := fmt.Sprintf("%s %s: %s", severityNoun(reported.Severity), reported.Reason, reported.Object)
	if more > 0 {
		title += fmt.Sprintf(" and %d more", more)
	}
	return title
}

// mentioned is a finding that is listed under a title.
func (t *checkText) mentioned(title string, reported result.Finding) mention {
	cause := result.RootCause{Count: reported.Count, Object: reported.Object, Remedies: reported.Remedies}
	return mention{title, cause, t.extent.steps}
}

// further lists the findings that are not described: wide output has a row for each object, and pages say everything.
func (t *checkText) further(findings []mention) {
	t.briefly("FINDING", findings, func() {
		t.w.paragraph("  ", "-o wide has a row for each object, and -o markdown everything that there is to say.", nil)
	})
}

// rows writes a row for each object.
func (t *checkText) rows(c *result.Check) {
	headings := []string{"CLUSTER", "SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}
	headings, rows := withoutEmpty(headings, checkRows(c), headings[1:]...)
	t.w.table("", headings, rows, t.w.style.Width)
}

func checkRows(c *result.Check) (rows [][]string) {
	for _, reported := range c.Findings {
		about := reported.Finalizer
		if reported.Owner != nil {
			about = reported.Owner.String()
		}
		if reported.Reference != finding.Honoured {
			about = strings.TrimSpace(about + " " + string(reported.Reference))
		}
		for _, ref := range findingObjects(reported) {
			row := []string{
				ref.Cluster, string(reported.Severity), string(reported.Reason), ref.Namespace, qualifiedName(ref), about,
			}
			rows = append(rows, row)
		}
	}
	return rows
}
