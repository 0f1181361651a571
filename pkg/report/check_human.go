package report

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// human writes what was found, the worst first; in wide output, a row for each object with a reported.
func (c *Check) human(w *writer) {
	if w.style.Wide {
		w.table("", []string{"SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}, c.rows(), w.style.Width)
	} else {
		w.paragraph("", c.headline(), w.style.headingText)
		for _, reported := range c.Findings {
			w.line()
			w.finding(reported)
		}
	}
	w.notes(c.Notes)
	w.unread(c.Unreadable)
}

func (w *writer) notes(notes []string) {
	if len(notes) > 0 {
		w.line()
	}
	for _, note := range notes {
		w.paragraph("", note, nil)
	}
}

func (c *Check) headline() string {
	counts := map[Severity]int{}
	for _, reported := range c.Findings {
		counts[reported.Severity]++
	}
	var parts []string
	for _, one := range []struct {
		severity Severity
		noun     string
	}{{Error, "error"}, {Warning, "warning"}, {Info, "remark"}} {
		if counts[one.severity] > 0 {
			parts = append(parts, plural(counts[one.severity], one.noun))
		}
	}
	found := "Nothing found"
	if len(parts) > 0 {
		found = "Found " + strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%s among %s with owners and %d with finalizers%s.",
		found, plural(c.Owned, "object"), c.Held, inPart(c.Unreadable))
}

func (w *writer) finding(reported Finding) {
	paint := w.style.waitingText
	if reported.Severity == Error {
		paint = w.style.causeText
	}
	heading := w.style.headingText(strings.ToUpper(string(reported.Severity)) + "  ")
	w.line(heading, paint(string(reported.Reason)), certainty(reported.Certainty))
	w.paragraph("  ", reported.Message, nil)
	if reported.Count > 1 {
		w.alsoHolds(reported.Count-1, reported.Others)
	}
	w.evidence(reported.Evidence)
	for step, remedy := range reported.Remedies {
		w.remedy(step+1, remedy, RootCause{Count: reported.Count, Object: reported.Object}, false)
	}
}

// rows are one for each object with a reported.
func (c *Check) rows() (rows [][]string) {
	for _, reported := range c.Findings {
		about := reported.Finalizer
		if reported.Owner != nil {
			about = reported.Owner.String()
		}
		if reported.Reference != finding.Honoured {
			about = strings.TrimSpace(about + " " + string(reported.Reference))
		}
		for _, ref := range append([]finding.Ref{reported.Object}, reported.Others...) {
			row := []string{string(reported.Severity), string(reported.Reason), ref.Namespace, qualifiedName(ref), about}
			rows = append(rows, row)
		}
	}
	return rows
}
