package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// removalText writes what remove would do, and what it did.
type removalText struct{ renderer }

// write writes the plan and how to carry it out, or, where that was asked for, what was done and what wasn't.
func (t *removalText) write(r *result.RemovalReport) {
	if !r.Forced {
		t.plan(result.RemovalPlan{RemovalReport: r})
		t.consent(r)
		return
	}
	t.w.paragraph("", fmt.Sprintf("%s: %s", r.Outcome, r.Summary), t.w.style.headingText)
	for _, item := range r.Items {
		t.removed(item, len(r.Items) == 1)
	}
	t.refusals(r.Guards, r.Refusing, false)
	for _, item := range r.Items {
		if item.After != nil {
			t.w.section("WHAT STILL HOLDS IT")
			(&diagnosisText{renderer: t.renderer}).write(item.After, nil)
		}
	}
}

// restore says how to bring an object back: of several, only which file it is created from.
func (t *removalText) restore(item result.Removal, single bool) {
	wrote := slices.ContainsFunc(item.Writes, func(write result.Write) bool { return write.Done || write.Error != "" })
	switch {
	case item.Backup.Create == "" || !wrote:
	case !single:
		t.w.paragraph("    ", "To create it again:", nil)
		t.w.command("      ", item.Backup.Restore[len(item.Backup.Restore)-1].Command)
	default:
		when := ""
		if item.Outcome == result.StillHeld {
			when = "  when it is gone"
		}
		t.w.section("TO BRING IT BACK", when)
		t.advice.steps(item.Backup.Restore, result.RootCause{})
	}
}

func (t *removalText) removed(item result.Removal, single bool) {
	switch {
	case item.Message == "":
	case item.Successor != nil, item.Outcome == result.Gone && !single:
		t.w.paragraph("  - ", item.Message, nil)
	case !single:
		t.w.paragraph("  - ", fmt.Sprintf("%s: %s: %s", item.Target, item.Outcome, item.Message), nil)
	}
	for _, write := range item.Writes {
		if write.Done {
			after := "The object is gone with it."
			if write.After != "" {
				after = "Its resourceVersion was " + write.Before + " and is now " + write.After + "."
			}
			t.w.paragraph("    ", fmt.Sprintf("Sent %s. %s", write.Request, after), nil)
		}
	}
	if item.Backup != nil {
		t.w.line("    Saved in ", finding.Command{item.Backup.Path}.String()) // whole and quoted, to be copied
		if item.Backup.MetadataOnly {
			t.w.paragraph("    ", "It is a Secret: only its metadata was saved, none of its DATA.", nil)
		}
		t.restore(item, single)
	}
}
