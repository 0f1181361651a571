package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// CheckHuman writes what was found for a person, the worst first.
func CheckHuman(out io.Writer, check *Check, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", checkHeadline(check), style.headingText)
	for _, finding := range check.Findings {
		w.line()
		w.finding(finding)
	}
	w.notes(check.Notes)
	w.unread(check.Unreadable)
	return w.err
}

func (w *writer) notes(notes []string) {
	if len(notes) > 0 {
		w.line()
	}
	for _, note := range notes {
		w.paragraph("", note, nil)
	}
}

func checkHeadline(check *Check) string {
	counts := map[Severity]int{}
	for _, finding := range check.Findings {
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
	return fmt.Sprintf("%s among %s with owners and %d with finalizers%s.", found, plural(check.Owned, "object"), check.Held, inPart(check.Unreadable))
}

func (w *writer) finding(finding Finding) {
	paint := w.style.waitingText
	if finding.Severity == Error {
		paint = w.style.causeText
	}
	w.line(w.style.headingText(strings.ToUpper(string(finding.Severity))+"  "), paint(string(finding.Reason)), certainty(finding.Certainty))
	w.paragraph("  ", finding.Message, nil)
	if finding.Count > 1 {
		w.paragraph("  ", fmt.Sprintf("The same holds for %d more: %s.", finding.Count-1, w.others(RootCause{Others: finding.Others})), nil)
	}
	w.evidence(finding.Evidence)
	for step, remedy := range finding.Remedies {
		w.remedy(step+1, remedy, RootCause{Count: finding.Count, Object: finding.Object}, false)
	}
}

// CheckTable writes one row for each object with a finding.
func CheckTable(out io.Writer, check *Check, style Style) error {
	w := &writer{out: out, style: style}
	var rows [][]string
	for _, finding := range check.Findings {
		about := finding.Finalizer
		if finding.Owner != nil {
			about = finding.Owner.String()
		}
		if finding.Reference != graph.Honoured {
			about = strings.TrimSpace(about + " " + string(finding.Reference))
		}
		for _, ref := range append([]graph.Ref{finding.Object}, finding.Others...) {
			rows = append(rows, []string{string(finding.Severity), string(finding.Reason), ref.Namespace, qualifiedName(ref), about})
		}
	}
	w.table("", []string{"SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}, rows, style.Width)
	w.notes(check.Notes)
	w.unread(check.Unreadable)
	return w.err
}

// CheckNames writes the objects with findings as kubectl's -o name does, each once.
func CheckNames(out io.Writer, check *Check) error {
	var refs []graph.Ref
	for _, finding := range check.Findings {
		refs = append(append(refs, finding.Object), finding.Others...)
	}
	return names(out, refs)
}
