package report

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// human writes what was found, the worst first; in wide output, a row for each object with a finding.
func (c *Check) human(w *writer) {
	if w.style.Wide {
		w.table("", []string{"SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}, c.rows(), w.style.Width)
	} else {
		w.paragraph("", c.headline(), w.style.headingText)
		for _, finding := range c.Findings {
			w.line()
			w.finding(finding)
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
	for _, finding := range c.Findings {
		counts[finding.Severity]++
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

func (w *writer) finding(finding Finding) {
	paint := w.style.waitingText
	if finding.Severity == Error {
		paint = w.style.causeText
	}
	heading := w.style.headingText(strings.ToUpper(string(finding.Severity)) + "  ")
	w.line(heading, paint(string(finding.Reason)), certainty(finding.Certainty))
	w.paragraph("  ", finding.Message, nil)
	if finding.Count > 1 {
		w.alsoHolds(finding.Count-1, finding.Others)
	}
	w.evidence(finding.Evidence)
	for step, remedy := range finding.Remedies {
		w.remedy(step+1, remedy, RootCause{Count: finding.Count, Object: finding.Object}, false)
	}
}

// rows are one for each object with a finding.
func (c *Check) rows() (rows [][]string) {
	for _, finding := range c.Findings {
		about := finding.Finalizer
		if finding.Owner != nil {
			about = finding.Owner.String()
		}
		if finding.Reference != graph.Honoured {
			about = strings.TrimSpace(about + " " + string(finding.Reference))
		}
		for _, ref := range append([]graph.Ref{finding.Object}, finding.Others...) {
			row := []string{string(finding.Severity), string(finding.Reason), ref.Namespace, qualifiedName(ref), about}
			rows = append(rows, row)
		}
	}
	return rows
}
