package report

import "fmt"

// human writes the plan and how to carry it out, or, where that was asked for, what was done and what wasn't.
func (r *RemovalReport) human(w *writer) {
	if !r.Forced {
		RemovalPlan{r}.human(w)
		w.consent(r)
		return
	}
	w.paragraph("", fmt.Sprintf("%s: %s", r.Outcome, r.Summary), w.style.headingText)
	for _, item := range r.Items {
		w.removed(item, len(r.Items) == 1)
	}
	w.refusals(r.Guards, r.Told, false)
	for _, item := range r.Items {
		if item.After != nil {
			w.section("WHAT STILL HOLDS IT")
			item.After.human(w)
		}
	}
}

// removed tells what became of one object, which may be the only one.
func (w *writer) removed(item Removal, single bool) {
	switch {
	case item.Message == "":
	case item.Outcome == Gone && (!single || item.Successor != nil):
		w.paragraph("  - ", item.Message, nil)
	case !single:
		w.paragraph("  - ", fmt.Sprintf("%s: %s: %s", item.Target, item.Outcome, item.Message), nil)
	}
	for _, write := range item.Writes {
		if write.Done {
			after := "the object went with it"
			if write.After != "" {
				after = "resourceVersion " + write.Before + " to " + write.After
			}
			w.paragraph("    ", fmt.Sprintf("Sent: %s (%s).", write.Request, after), nil)
		}
	}
	if item.Backup != nil {
		extra := ""
		if item.Backup.MetadataOnly {
			extra = " It is a Secret: only its metadata was saved."
		}
		w.paragraph("    ", "Saved in "+item.Backup.Path+extra, nil)
	}
}

// refusals lists the guards that refused, each reason once, and not again the one that was told before. Where the
// objections were told above, they are not repeated.
func (w *writer) refusals(guards []Guard, before *Guard, objectionsTold bool) {
	told := map[string]bool{}
	for _, guard := range guards {
		if guard.Passed || told[guard.Key] {
			continue
		}
		if len(told) == 0 {
			w.section("REFUSED")
		}
		told[guard.Key] = true
		about, why := "", ": "+guard.Why
		if guard.Target != nil {
			about = ", " + guard.Target.String()
		}
		switch {
		case before != nil && before.Key == guard.Key:
			why = ""
		case objectionsTold:
			why = ": " + guard.Brief
		}
		w.paragraph("  - ", fmt.Sprintf("guard %d, %s%s%s", guard.Number, guard.Name, about, why), w.style.causeText)
		w.paragraph("    To satisfy it: ", guard.Satisfy+".", nil)
	}
}
