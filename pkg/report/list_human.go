package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ListHuman writes what is Terminating for a person: root cause by root cause, the one that frees most
// first, and beneath each what waits for it.
func ListHuman(out io.Writer, list *List, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", headline(list), style.headingText)
	for number := range list.RootCauses {
		w.line()
		w.listCause(list, number)
	}
	w.listOthers(list, "NOT SETTLED", Undetermined)
	w.listOthers(list, "GOING ON", Progressing)
	w.unread(list.Unreadable)
	return w.err
}

// headline counts: 12 objects are Terminating: 9 are stuck, …
func headline(list *List) string {
	counts := map[Verdict]int{}
	for _, item := range list.Items {
		counts[item.Verdict]++
	}
	var parts []string
	for _, one := range []struct {
		verdict Verdict
		words   string
	}{{Stuck, "stuck"}, {Undetermined, "undetermined"}, {Progressing, "progressing"}} {
		if counts[one.verdict] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[one.verdict], one.words))
		}
	}
	text := fmt.Sprintf("%s Terminating", isOrAre(len(list.Items), "object"))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if causes := len(list.RootCauses); causes > 0 {
		text += fmt.Sprintf("; %s", plural(causes, "root cause"))
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

func isOrAre(count int, noun string) string {
	if count == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", count, noun)
}

func plural(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}

func (w *writer) listCause(list *List, number int) {
	cause := list.RootCauses[number]
	heading := "ROOT CAUSE  "
	if len(list.RootCauses) > 1 {
		heading = fmt.Sprintf("ROOT CAUSE %d of %d  ", number+1, len(list.RootCauses))
	}
	w.line(w.style.headingText(heading), w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.paragraph("  ", cause.Message, nil)
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
		w.paragraph("  ", fmt.Sprintf("Mending this alone frees %d of them for certain; the others wait for more, or may come to.", cause.Frees), nil)
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
	w.command(ask)
}

// certainty says in brackets how certain something is. Where it isn't at all, the reason says so.
func certainty(of finding.Certainty) string {
	if of == "" || of == finding.Unknown {
		return ""
	}
	return " (" + strings.ToLower(string(of)) + ")"
}

// command writes a command by itself.
func (w *writer) command(command finding.Command) {
	const indent = "    "
	for _, line := range wrapCommand(command, w.style.width()-len(indent)) {
		w.line(indent, line)
	}
}

// alike writes a table of objects, one line for those of one kind that wait for the same.
func (w *writer) alike(now time.Time, items []ListItem, number int) {
	type group struct {
		items []ListItem
		also  string
	}
	var groups []*group
	known := map[string]*group{}
	for _, item := range items { // the oldest first
		also := otherCauses(item, number)
		key := item.Resource + "\x00" + also
		if known[key] == nil {
			known[key] = &group{also: also}
			groups = append(groups, known[key])
		}
		known[key].items = append(known[key].items, item)
	}
	headings := []string{"SINCE", "COUNT", "KIND", "OBJECTS"}
	withAlso := slices.ContainsFunc(groups, func(one *group) bool { return one.also != "" })
	if withAlso {
		headings = []string{"SINCE", "COUNT", "KIND", "ALSO", "OBJECTS"}
	}
	var rows [][]string
	for _, one := range groups {
		row := []string{since(now, one.items[0]), fmt.Sprint(len(one.items)), one.items[0].Target.Kind, one.also, w.namesOf(one.items)}
		if !withAlso {
			row = slices.Delete(row, 3, 4)
		}
		rows = append(rows, row)
	}
	w.table("    ", headings, rows, w.style.width())
}

func since(now time.Time, item ListItem) string {
	return duration.HumanDuration(max(0, now.Sub(item.Deletion.RequestedAt)))
}

// otherCauses names the causes that an object waits for besides one: causes 2, 5.
func otherCauses(item ListItem, number int) string {
	var others []string
	for _, cause := range item.RootCauses {
		if cause.Index != number && number >= 0 {
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

// namesOf names some objects: a few and a count.
func (w *writer) namesOf(items []ListItem) string {
	const few = 3
	var names []string
	for i, item := range items {
		if i == few && len(items) > few+1 {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(items)-few)
		}
		names = append(names, item.Target.Path())
	}
	return strings.Join(names, ", ")
}

// listOthers tells of the objects of one verdict that wait for no root cause.
func (w *writer) listOthers(list *List, heading string, verdict Verdict) {
	groups := map[string][]ListItem{}
	for _, item := range list.Items {
		if item.Verdict == verdict && len(item.RootCauses) == 0 {
			groups[item.Awaits] = append(groups[item.Awaits], item)
		}
	}
	if len(groups) == 0 {
		return
	}
	w.line()
	w.line(w.style.headingText(heading))
	awaited := make([]string, 0, len(groups))
	for text := range groups {
		awaited = append(awaited, text)
	}
	slices.SortFunc(awaited, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), strings.Compare(a, b))
	})
	for i, text := range awaited {
		if i == pathLines && len(awaited) > pathLines+1 {
			w.paragraph("  ", fmt.Sprintf("and %d more; -o wide has every object on a line", len(awaited)-i), nil)
			return
		}
		w.paragraph("  ", "Waiting for "+text+":", w.style.waitingText)
		w.alike(list.GeneratedAt, groups[text], -1)
	}
}
