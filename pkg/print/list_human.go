package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// listText writes a list.
type listText struct {
	renderer
	list   *result.List
	extent listExtent
	firsts []firstOf // of the chapters above
}

// write writes a table of the root causes, each of them with what waits for it, and what else is open or moves.
// Wide output, and the answer to who didn't ask why, is a row for each object. That nothing is Terminating has been
// said.
func (t *listText) write() {
	judged := slices.ContainsFunc(t.list.Items, func(item result.ListItem) bool { return item.Verdict != "" })
	switch {
	case t.w.page != nil:
		t.page(judged)
	case judged && !t.w.style.Wide:
		t.byCause()
	case len(t.list.Items) > 0:
		t.rows(t.list)
	}
}

// byCause writes as much as fits on two screens: a script to hand on does not count, nor does a page have an end.
func (t *listText) byCause() {
	chapters := chaptersOf(t.list.RootCauses, t.list.Items)
	t.extent = t.w.fullestList(func(to *writer, tried listExtent) {
		(&listText{renderer: newRenderer(to), list: t.list, extent: tried}).chapters(chapters)
	})
	t.chapters(chapters)
	t.said.ask(t.list.Ask, t.list.Unreadable)
}

func (t *listText) chapters(chapters []chapter) {
	list := t.list
	t.w.headline(Headline(list))
	t.w.graph(sceneOf(list))
	t.overview(chapters)
	for i, one := range chapters {
		if i == t.extent.causes && len(chapters) > t.extent.causes+1 {
			t.w.line()
			t.w.paragraph("", fmt.Sprintf("Causes %d to %d are not shown in detail. For their objects: -o wide, or list "+
				"-n NAMESPACE. For what to do about one of them, ask why about one of its objects.", one.first,
				len(list.RootCauses)), nil)
			break
		}
		t.w.line()
		t.cause(one)
	}
	t.others("NOT CLEAR", result.Undetermined)
	t.others("IN PROGRESS", result.Progressing)
	t.said.unread(list.Unreadable)
}

func (t *listText) cause(one chapter) {
	list := t.list
	cause := list.RootCauses[one.causes[0]]
	one.write(t.renderer, func() {
		if text := one.releases(); text != "" {
			t.w.paragraph("  ", text, nil)
		}
		if itself := len(one.waiting) == 1 && one.waiting[0].Target == cause.Object; !itself || len(list.RootCauses) == 1 {
			t.alike(one.waiting, one)
		}
	})
	t.first(cause, one)
}

// first writes what to do first about a cause, and how to learn more: of several causes, about the one that was told.
func (t *listText) first(cause result.RootCause, one chapter) {
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
		t.firstStep(stepOf(first), cause, one)
		if first.Command.Asks("why") { // which tells as much, and does that
			return
		}
	}
	if len(ask) > 0 {
		t.w.labelledCommands(labelBlock, "  More: ", ask)
	}
}

// firstStep writes a step, or, if a chapter above has its commands, its words and that chapter.
func (t *listText) firstStep(first step, cause result.RootCause, of chapter) {
	at := slices.IndexFunc(t.firsts, func(above firstOf) bool { return above.equals(first) })
	if at >= 0 {
		says := t.said.inShort(first.Action, first.InShort)
		if len(first.commands) > 0 {
			says = fmt.Sprintf("As for %s: %s", t.firsts[at].of.numbers(), says)
		}
		t.w.labelled(labelBlock, "  First: ", says, t.w.style.riskPaint(first.Risk))()
		t.afterKeeping(first, cause)
		return
	}
	t.firsts = append(t.firsts, firstOf{first, of})
	lead := "  First: "
	if first.keeps() { // and says itself that it comes first
		lead = "  "
	}
	t.advice.step(labelBlock, lead, first, cause)
	t.afterKeeping(first, cause)
}

// afterKeeping writes the first step that does something about a cause, where the one above only keeps data. Commands
// that lose something are left to why.
func (t *listText) afterKeeping(first step, cause result.RootCause) {
	if !first.keeps() || len(cause.Remedies) < 2 {
		return
	}
	const lead = "  Then: "
	then := cause.Remedies[1]
	if then.Loses != "" || len(then.Lost) > 0 {
		t.w.labelled(labelBlock, lead, t.said.inShort(then.Action, then.InShort), t.w.style.riskPaint(then.Risk))()
		return
	}
	t.advice.step(labelBlock, lead, stepOf(then), cause)
}

// keeps reports whether a step only keeps data, before any other.
func (s step) keeps() bool { return finding.Is(s.Step, finding.Retains) }

// firstOf is the step that comes first about a chapter.
type firstOf struct {
	step
	of chapter
}

// alike writes a table of objects, one line for those of one kind that wait for the same: the oldest of each first.
func (t *listText) alike(items []result.ListItem, of chapter) {
	list := t.list
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
	for _, group := range groups[:mostOf(len(groups), t.extent.rows)] {
		first := group[0] // the oldest
		names := some(group, func(item result.ListItem) string { return item.Target.Path() }, 3, false, "more")
		rows = append(rows, []string{
			since(list.GeneratedAt, first), fmt.Sprint(len(group)), first.Target.Kind, also(first), sure(first), by(first),
			names,
		})
	}
	headings, rows := withoutEmpty([]string{"FOR", "COUNT", "KIND", "ALSO", "CERTAINTY", "FINALIZER", "OBJECTS"}, rows)
	t.w.table("    ", headings, rows, t.w.style.width())
	t.rowsLeft("    ", len(groups)-len(rows))
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

func (t *listText) rowsLeft(indent string, left int) {
	if left > 0 {
		t.w.paragraph(indent, fmt.Sprintf("and %d more rows; -o wide has a row for each object", left), nil)
	}
}

// others writes the objects of one verdict that wait for no root cause.
func (t *listText) others(heading string, verdict result.Verdict) {
	list := t.list
	items := slices.DeleteFunc(slices.Clone(list.Items), func(item result.ListItem) bool {
		return item.Verdict != verdict || len(item.RootCauses) > 0
	})
	if len(items) == 0 {
		return
	}
	t.w.section(heading)
	words := map[string]string{} // of the first of a key: groups with the same words are one
	for _, item := range slices.Backward(items) {
		words[item.Key] = item.Fares
	}
	groups := groupBy(items, func(item result.ListItem) string { return words[item.Key] })
	slices.SortFunc(groups, func(a, b []result.ListItem) int { // the largest first
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Fares, b[0].Fares))
	})
	for i, group := range groups {
		if i == t.extent.others && len(groups) > t.extent.others+1 {
			left := finding.Plural(len(slices.Concat(groups[i:]...)), "more object")
			t.w.paragraph("  ", fmt.Sprintf("and %s; -o wide has a row for each", left), nil)
			return
		}
		if len(group) == 1 {
			listItem := group[0]
			ago := since(list.GeneratedAt, listItem)
			t.w.paragraph("  ", fmt.Sprintf("%s (Terminating for %s) %s.", listItem.Target, ago, listItem.Fares), nil)
			continue
		}
		t.w.paragraph("  ", "Each of these "+group[0].Fares+":", nil)
		t.alike(group, chapter{})
	}
}
