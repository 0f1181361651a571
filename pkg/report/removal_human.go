package report

import (
	"fmt"
	"io"
	"strings"
)

// HumanRemoval writes what was done, and what wasn't.
func HumanRemoval(out io.Writer, done *RemovalReport, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", fmt.Sprintf("%s: %s", done.Outcome, done.Summary), w.style.headingText)
	single := len(done.Items) == 1
	for _, item := range done.Items {
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
	w.refusals(done.Guards, done.Summary)
	for _, item := range done.Items {
		if item.After != nil {
			w.line()
			w.line(w.style.headingText("WHAT STILL HOLDS IT"))
			if w.err == nil {
				w.err = Human(out, item.After, style)
			}
		}
	}
	return w.err
}

// refusals lists the guards that refused, each reason once, and not again if it was said before.
func (w *writer) refusals(guards []Guard, said string) {
	told := map[string]bool{}
	for _, guard := range guards {
		if guard.Passed || told[guard.Why] {
			continue
		}
		if len(told) == 0 {
			w.line()
			w.line(w.style.headingText("REFUSED"))
		}
		told[guard.Why] = true
		about := ""
		if guard.Target != nil {
			about = ", " + guard.Target.String()
		}
		why := ": " + guard.Why
		if strings.Contains(said, guard.Why) {
			why = ""
		}
		w.paragraph("  - ", fmt.Sprintf("guard %d, %s%s%s", guard.Number, guard.Name, about, why), w.style.causeText)
		w.paragraph("    To satisfy it: ", guard.Satisfy+".", nil)
	}
}
