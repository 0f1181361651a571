package print

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// history tells in wide output what happened in which order, each with how long ago that was.
func (t *diagnosisText) history(diagnosis *result.Diagnosis) {
	if !t.w.style.Wide && t.w.page == nil || len(diagnosis.History) == 0 {
		return
	}
	defer t.w.folded("HISTORY")()
	if diagnosis.HistoryLeftOut > 0 {
		t.w.paragraph("  ", fmt.Sprintf("%s left out.", finding.Plural(diagnosis.HistoryLeftOut, "earlier line")), nil)
	}
	for _, happening := range diagnosis.History {
		ago, text := finding.Ago(diagnosis.GeneratedAt, happening.At), happening.Message
		if happening.Count > 1 {
			text += fmt.Sprintf(" (%d times)", happening.Count)
		}
		t.w.labelled(labelBlock, fmt.Sprintf("  %8s ago  ", ago), text, nil)()
	}
}
