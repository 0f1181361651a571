package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// CheckHuman writes what was found for a person, the worst first.
func CheckHuman(out io.Writer, check *Check, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", checkHeadline(check), style.headingText)
	for _, reported := range check.Findings {
		w.line()
		w.finding(reported)
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
	for _, reported := range check.Findings {
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
	return fmt.Sprintf("%s among %s with owners and %d with finalizers%s.", found, plural(check.Owned, "object"), check.Held, inPart(check.Unreadable))
}

func (w *writer) finding(reported Finding) {
	paint := w.style.waitingText
	if reported.Severity == Error {
		paint = w.style.causeText
	}
	w.line(w.style.headingText(strings.ToUpper(string(reported.Severity))+"  "), paint(string(reported.Reason)), certainty(reported.Certainty))
	w.paragraph("  ", reported.Message, nil)
	if reported.Count > 1 {
		w.paragraph("  ", fmt.Sprintf("The same holds for %d more: %s.", reported.Count-1, w.others(RootCause{Others: reported.Others})), nil)
	}
	w.evidence(reported.Evidence)
	for step, remedy := range reported.Remedies {
		w.remedy(step+1, remedy, RootCause{Count: reported.Count, Object: reported.Object}, false)
	}
}

// CheckTable writes one row for each object with a reported.
func CheckTable(out io.Writer, check *Check, style Style) error {
	w := &writer{out: out, style: style}
	var rows [][]string
	for _, reported := range check.Findings {
		about := reported.Finalizer
		if reported.Owner != nil {
			about = reported.Owner.String()
		}
		if reported.Reference != finding.Honoured {
			about = strings.TrimSpace(about + " " + string(reported.Reference))
		}
		for _, ref := range append([]finding.Ref{reported.Object}, reported.Others...) {
			rows = append(rows, []string{string(reported.Severity), string(reported.Reason), ref.Namespace, qualifiedName(ref), about})
		}
	}
	w.table("", []string{"SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}, rows, style.Width)
	w.notes(check.Notes)
	w.unread(check.Unreadable)
	return w.err
}

// CheckNames writes the objects with findings as kubectl's -o name does, each once.
func CheckNames(out io.Writer, check *Check) error {
	var refs []finding.Ref
	for _, reported := range check.Findings {
		refs = append(append(refs, reported.Object), reported.Others...)
	}
	return names(out, refs)
}
