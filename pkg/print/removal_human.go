package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// humanRemoval writes the plan and how to carry it out, or, where that was asked for, what was done and what wasn't.
func humanRemoval(r *result.RemovalReport, w *writer) {
	if !r.Forced {
		humanPlan(result.RemovalPlan{RemovalReport: r}, w)
		w.consent(r)
		return
	}
	w.paragraph("", fmt.Sprintf("%s: %s", r.Outcome, r.Summary), w.style.headingText)
	for _, item := range r.Items {
		w.removed(item, len(r.Items) == 1)
	}
	w.refusals(r.Guards, r.Refusing, false)
	for _, item := range r.Items {
		if item.After != nil {
			w.section("WHAT STILL HOLDS IT")
			w.diagnosis(item.After, nil)
		}
	}
}

// restore says how to bring an object back: of several, only which file it is created from.
func (w *writer) restore(item result.Removal, single bool) {
	wrote := slices.ContainsFunc(item.Writes, func(write result.Write) bool { return write.Done || write.Error != "" })
	switch {
	case item.Backup.Create == "" || !wrote:
	case !single:
		w.paragraph("    ", "To create it again:", nil)
		w.command("      ", item.Backup.Restore[len(item.Backup.Restore)-1].Command)
	default:
		when := ""
		if item.Outcome == result.StillHeld {
			when = "  when it is gone"
		}
		w.section("TO BRING IT BACK", when)
		w.steps(item.Backup.Restore, result.RootCause{})
	}
}

func (w *writer) removed(item result.Removal, single bool) {
	switch {
	case item.Message == "":
	case item.Successor != nil, item.Outcome == result.Gone && !single:
		w.paragraph("  - ", item.Message, nil)
	case !single:
		w.paragraph("  - ", fmt.Sprintf("%s: %s: %s", item.Target, item.Outcome, item.Message), nil)
	}
	for _, write := range item.Writes {
		if write.Done {
			after := "The object is gone with it."
			if write.After != "" {
				after = "Its resourceVersion was " + write.Before + " and is now " + write.After + "."
			}
			w.paragraph("    ", fmt.Sprintf("Sent %s. %s", write.Request, after), nil)
		}
	}
	if item.Backup != nil {
		w.line("    Saved in ", finding.Command{item.Backup.Path}.String()) // whole and quoted, to be copied
		if item.Backup.MetadataOnly {
			w.paragraph("    ", "It is a Secret: only its metadata was saved, none of its DATA.", nil)
		}
		w.restore(item, single)
	}
}
