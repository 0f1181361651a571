package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// humanList writes a table of the root causes, each of them with what waits for it, and what else is open or moves.
// Wide output, and the answer to who didn't ask why, is a row for each object. That nothing is Terminating has been
// said.
func humanList(l *result.List, w *writer) {
	judged := slices.ContainsFunc(l.Items, func(item result.ListItem) bool { return item.Verdict != "" })
	switch {
	case w.page != nil:
		w.listPage(l, judged)
	case judged && !w.style.Wide:
		w.list(l)
	case len(l.Items) > 0:
		w.listTable(l)
	}
}

func (w *writer) list(list *result.List) {
	w.headline(Headline(list))
	w.graph(sceneOf(list))
	chapters := chaptersOf(list.RootCauses, list.Items)
	w.overview(list, chapters)
	for i, one := range chapters {
		if i == causesTold && len(chapters) > causesTold+1 {
			w.line()
			w.paragraph("", fmt.Sprintf("Causes %d to %d are not shown in detail. For their objects: -o wide, or list "+
				"-n NAMESPACE.", one.first, len(list.RootCauses)), nil)
			break
		}
		w.line()
		w.listCause(list, one)
	}
	w.listOthers(list, "NOT CLEAR", result.Undetermined)
	w.listOthers(list, "IN PROGRESS", result.Progressing)
	w.unread(list.Unreadable)
}

func (w *writer) listCause(list *result.List, one chapter) {
	cause := list.RootCauses[one.causes[0]]
	w.chapter(list.RootCauses, one, func() {
		if text := one.releases(); text != "" {
			w.paragraph("  ", text, nil)
		}
		if itself := len(one.waiting) == 1 && one.waiting[0].Target == cause.Object; !itself || len(list.RootCauses) == 1 {
			w.alike(list, one.waiting, one)
		}
	})
	w.first(cause, one)
}

// chapter says what is wrong, and of how many objects, which are written after that. About several causes, it says so
// of all, and describes one after their objects.
func (w *writer) chapter(causes []result.RootCause, one chapter, objects func()) {
	example := causes[one.causes[0]]
	if len(one.causes) > 1 {
		w.causeTitle(one.numbers(), len(causes), example, "")
		w.paragraph("  ", one.together(), nil)
		objects()
		w.paragraph("  ", "For example:", nil)
		w.message(example.Message, example.InShort)
		return
	}
	defer objects()
	w.causeHeading(one.numbers(), len(causes), example, "")
	if one.objects > 1 {
		w.shareCause(example)
	}
}

// first writes what to do first about a cause, and how to learn more: of several causes, about the one that was told.
func (w *writer) first(cause result.RootCause, one chapter) {
	if len(one.causes) > 1 {
		cause.Count, cause.Others = 1, nil
	}
	var ask finding.Command
	for _, item := range one.waiting {
		for _, its := range item.RootCauses {
			if its.Index == one.causes[0] && (len(ask) == 0 || item.Target == cause.Object) {
				ask = item.Ask
			}
		}
	}
	if len(cause.Remedies) > 0 {
		first := cause.Remedies[0]
		w.firstStep(stepOf(first), cause, one)
		if first.Command.Asks("why") { // which tells as much, and does that
			return
		}
	}
	if len(ask) > 0 {
		w.labelledCommands(labelBlock, "  More: ", ask)
	}
}

// firstStep writes a step, or, if a chapter above has its commands, its words and that chapter.
func (w *writer) firstStep(first step, cause result.RootCause, of chapter) {
	at := slices.IndexFunc(w.firsts, func(above firstOf) bool { return above.equals(first) })
	if at >= 0 {
		says := w.inShort(first.Action, first.InShort)
		if len(first.commands) > 0 {
			says = fmt.Sprintf("As for %s: %s", w.firsts[at].of.numbers(), says)
		}
		w.labelled(labelBlock, "  First: ", says, w.riskText(first.Risk))()
		w.afterKeeping(first, cause)
		return
	}
	w.firsts = append(w.firsts, firstOf{first, of})
	lead := "  First: "
	if first.keeps() { // and says itself that it comes first
		lead = "  "
	}
	w.step(labelBlock, lead, first, cause)
	w.afterKeeping(first, cause)
}

// afterKeeping writes the first step that does something about a cause, where the one above only keeps data. Commands
// that lose something are left to why.
func (w *writer) afterKeeping(first step, cause result.RootCause) {
	if !first.keeps() || len(cause.Remedies) < 2 {
		return
	}
	const lead = "  Then: "
	then := cause.Remedies[1]
	if then.Loses != "" || len(then.Lost) > 0 {
		w.labelled(labelBlock, lead, w.inShort(then.Action, then.InShort), w.riskText(then.Risk))()
		return
	}
	w.step(labelBlock, lead, stepOf(then), cause)
}

// keeps reports whether a step only keeps data, before any other.
func (s step) keeps() bool { return s.Step == "RetainFirst" }

// firstOf is the step that comes first about a chapter.
type firstOf struct {
	step
	of chapter
}

// alike writes a table of objects, one line for those of one kind that wait for the same: the oldest of each first.
func (w *writer) alike(list *result.List, items []result.ListItem, of chapter) {
	also := func(item result.ListItem) string { return of.otherCauses(item) }
	by := func(item result.ListItem) string { return of.finalizerOf(list, item) }
	sure := func(item result.ListItem) string { return of.certaintyOf(list, item) }
	var rows [][]string
	groups := groupBy(items, func(item result.ListItem) string {
		return finding.KeyOf(item.Resource, also(item), by(item), sure(item))
	})
	if len(of.causes) > 1 { // the largest first
		slices.SortStableFunc(groups, func(a, b []result.ListItem) int { return len(b) - len(a) })
	}
	for _, group := range groups[:mostRows(len(groups))] {
		first := group[0] // the oldest
		names := some(group, func(item result.ListItem) string { return item.Target.Path() }, 3, false, "more")
		rows = append(rows, []string{
			since(list.GeneratedAt, first), fmt.Sprint(len(group)), first.Target.Kind, also(first), sure(first), by(first),
			names,
		})
	}
	headings, rows := withoutEmpty([]string{"FOR", "COUNT", "KIND", "ALSO", "CERTAINTY", "FINALIZER", "OBJECTS"}, rows)
	w.table("    ", headings, rows, w.style.width())
	w.rowsLeft("    ", len(groups)-len(rows))
}

// certaintyOf is how certain it is that the chapter's cause blocks an object, if that is less certain than the cause.
func (c chapter) certaintyOf(list *result.List, item result.ListItem) string {
	for _, cause := range item.RootCauses {
		if len(c.causes) == 1 && cause.Index == c.causes[0] && cause.Certainty != list.RootCauses[cause.Index].Certainty {
			return strings.ToLower(string(cause.Certainty))
		}
	}
	return ""
}

// mostRows is how many rows of so many are shown. The last few are never left out alone.
func mostRows(rows int) int {
	if rows > rowsTold+1 {
		return rowsTold
	}
	return rows
}

func (w *writer) rowsLeft(indent string, left int) {
	if left > 0 {
		w.paragraph(indent, fmt.Sprintf("and %d more rows; -o wide has a row for each object", left), nil)
	}
}

// listOthers writes the objects of one verdict that wait for no root cause.
func (w *writer) listOthers(list *result.List, heading string, verdict result.Verdict) {
	items := slices.DeleteFunc(slices.Clone(list.Items), func(item result.ListItem) bool {
		return item.Verdict != verdict || len(item.RootCauses) > 0
	})
	if len(items) == 0 {
		return
	}
	w.section(heading)
	words := map[string]string{} // of the first of a key: groups with the same words are one
	for _, item := range slices.Backward(items) {
		words[item.Key] = item.Fares
	}
	groups := groupBy(items, func(item result.ListItem) string { return words[item.Key] })
	slices.SortFunc(groups, func(a, b []result.ListItem) int { // the largest first
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Fares, b[0].Fares))
	})
	for i, group := range groups {
		if i == othersTold && len(groups) > othersTold+1 {
			left := finding.Plural(len(slices.Concat(groups[i:]...)), "more object")
			w.paragraph("  ", fmt.Sprintf("and %s; -o wide has a row for each", left), nil)
			return
		}
		if len(group) == 1 {
			one := group[0]
			ago := since(list.GeneratedAt, one)
			w.paragraph("  ", fmt.Sprintf("%s (Terminating for %s) %s.", one.Target, ago, one.Fares), nil)
			continue
		}
		w.paragraph("  ", "Each of these "+group[0].Fares+":", nil)
		w.alike(list, group, chapter{})
	}
}
