package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// takenBySteps is what goes with objects by the steps of some causes.
func takenBySteps(causes ...result.RootCause) (taken []finding.Taken) {
	for _, cause := range causes {
		for _, remedy := range cause.Remedies {
			taken = append(taken, remedy.Taken...)
		}
	}
	return taken
}

// causeLosses says after the causes of a chapter what is lost with their objects, in one line.
func causeLosses(w *writer, all []result.RootCause, one chapter) {
	taken := takenBySteps(finding.Each(one.causes, func(i int) result.RootCause { return all[i] })...)
	if lost := finding.LosesOf(finding.Voice{}, "", taken); lost != "" {
		w.labelled(labelBlock, "  Lost with it: ", lost+".", w.style.lossPaint(finding.WorstOf(taken)))()
	}
}

// lostWith says below a table of objects what is lost with them, cause by cause.
func lostWith(w *writer, list *result.List) {
	headed := false
	for _, cause := range list.RootCauses {
		taken := takenBySteps(cause)
		lost := finding.LosesOf(finding.Voice{}, "", taken)
		if lost == "" {
			continue
		}
		if !headed {
			w.section("LOST WITH THEM")
		}
		headed = true
		whose := result.ItemCause{Reason: cause.Reason, Object: cause.Object, Count: cause.Count}
		w.item(causeOf(whose)+": "+lost+".", w.style.lossPaint(finding.WorstOf(taken)))
	}
}
