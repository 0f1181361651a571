package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// human writes what is Terminating root cause by root cause, the one that frees most first, and beneath each what waits
// for it. In wide output, and where nobody asked why, each object has a row. That nothing is Terminating has been said.
func (l *List) human(w *writer) {
	diagnosed := slices.ContainsFunc(l.Items, func(item ListItem) bool { return item.Verdict != "" })
	switch {
	case len(l.Items) == 0:
	case w.style.Wide || !diagnosed:
		w.listTable(l)
	default:
		w.list(l)
	}
}

func (w *writer) list(list *List) {
	w.paragraph("", headline(list), w.style.headingText)
	for number := range list.RootCauses {
		w.line()
		w.listCause(list, number)
	}
	w.listOthers(list, "NOT SETTLED", Undetermined)
	w.listOthers(list, "GOING ON", Progressing)
	w.unread(list.Unreadable)
}

// headline counts: 12 objects are Terminating: 9 are stuck, …
func headline(list *List) string {
	counts := map[Verdict]int{}
	for _, item := range list.Items {
		counts[item.Verdict]++
	}
	var parts []string
	for _, verdict := range []Verdict{Stuck, Undetermined, Progressing} {
		if counts[verdict] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[verdict], strings.ToLower(string(verdict))))
		}
	}
	text := finding.Plural(len(list.Items), "object") + " are Terminating"
	if len(list.Items) == 1 {
		text = "1 object is Terminating"
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if causes := len(list.RootCauses); causes > 0 {
		text += "; " + finding.Plural(causes, "root cause")
	}
	return text + inPart(list.Unreadable) + "."
}

// inPart warns of a count that may leave something out.
func inPart(unreadable []Unreadable) string {
	if len(unreadable) == 0 {
		return ""
	}
	return "; not everything could be looked at"
}

func (w *writer) listCause(list *List, number int) {
	cause := list.RootCauses[number]
	w.causeHeading(numbers([]int{number}), len(list.RootCauses), cause)
	if cause.Count > 1 {
		w.paragraph("  ", fmt.Sprintf("The same holds for %d more.", cause.Count-1), nil)
	}
	var waiting []ListItem
	for _, item := range list.Items {
		if slices.ContainsFunc(item.RootCauses, func(one ItemCause) bool { return one.Index == number }) {
			waiting = append(waiting, item)
		}
	}
	switch {
	case cause.Frees >= len(waiting):
	case cause.Frees == 0:
		w.paragraph("  ", "Mending this alone frees none of them for certain: they wait for more, or may come to.", nil)
	default:
		w.paragraph("  ", fmt.Sprintf("Mending this alone frees %d of them for certain; "+
			"the others wait for more, or may come to.", cause.Frees), nil)
	}
	w.alike(list.GeneratedAt, waiting, number)
	var ask finding.Command
	if len(waiting) > 0 {
		ask = waiting[0].Ask
	}
	if len(cause.Remedies) > 0 {
		first := cause.Remedies[0]
		w.paragraph("  ", "First: "+first.Action, w.riskText(first.Risk))
		if first.Command.StartsWith("kubectl", "finalizers", "why") { // which tells as much, and does that
			ask = first.Command
		}
	}
	w.command("    ", ask)
}

// alike writes a table of objects, one line for those of one kind that wait for the same.
func (w *writer) alike(now time.Time, items []ListItem, number int) {
	also := func(item ListItem) string { return otherCauses(item, number) }
	var rows [][]string
	for _, group := range groupBy(items, func(item ListItem) string { return item.Resource + "\x00" + also(item) }) {
		first := group[0] // the oldest
		names := some(group, func(item ListItem) string { return item.Target.Path() }, 3, false, "more")
		rows = append(rows, []string{since(now, first), fmt.Sprint(len(group)), first.Target.Kind, also(first), names})
	}
	headings, rows := withoutEmpty([]string{"SINCE", "COUNT", "KIND", "ALSO", "OBJECTS"}, rows)
	w.table("    ", headings, rows, w.style.width())
}

func since(now time.Time, item ListItem) string {
	return finding.Voice{Now: now}.Ago(item.Deletion.RequestedAt)
}

// otherCauses names the causes that an object waits for besides one: causes 2, 5.
func otherCauses(item ListItem, number int) string {
	var others []string
	for _, cause := range item.RootCauses {
		if cause.Index != number {
			others = append(others, fmt.Sprint(cause.Index+1))
		}
	}
	switch len(others) {
	case 0:
		return ""
	case 1:
		return "cause " + others[0]
	}
	return "causes " + strings.Join(others, ", ")
}

// listOthers tells of the objects of one verdict that wait for no root cause.
func (w *writer) listOthers(list *List, heading string, verdict Verdict) {
	var items []ListItem
	for _, item := range list.Items {
		if item.Verdict == verdict && len(item.RootCauses) == 0 {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return
	}
	w.section(heading)
	groups := groupByAwaited(items)
	for i, group := range groups {
		if i == pathLines && len(groups) > pathLines+1 {
			w.paragraph("  ", fmt.Sprintf("and %d more; -o wide has every object on a line", len(groups)-i), nil)
			return
		}
		w.paragraph("  ", "Waiting for "+group[0].Awaits+":", w.style.waitingText)
		w.alike(list.GeneratedAt, group, -1)
	}
}

// groupByAwaited groups objects by what they wait for, the largest group first.
func groupByAwaited(items []ListItem) [][]ListItem {
	groups := groupBy(items, func(item ListItem) string { return item.Key })
	slices.SortFunc(groups, func(a, b []ListItem) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Awaits, b[0].Awaits))
	})
	return groups
}
