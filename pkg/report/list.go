package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// List is everything Terminating in a part of the cluster, under shared root causes. Its kind is DiagnosisList.
type List struct {
	APIVersion  string     `json:"apiVersion"`
	Kind        string     `json:"kind"`
	GeneratedAt time.Time  `json:"generatedAt"`
	Items       []ListItem `json:"items"` // the objects, the oldest deletion first
	// RootCauses are sorted by how many objects each frees. Their paths are those of the objects that waited longest.
	RootCauses []RootCause  `json:"rootCauses"`
	Graph      Graph        `json:"graph"`
	Unreadable []Unreadable `json:"unreadable"`
}

// ListItem is one Terminating object of a list. Without causes, it has no verdict.
type ListItem struct {
	Target   finding.Ref `json:"target"`
	Resource string      `json:"resource"` // RESOURCE or RESOURCE.GROUP, as kubectl takes it
	Verdict  Verdict     `json:"verdict,omitempty"`
	Summary  string      `json:"summary,omitempty"`
	Awaits   string      `json:"awaits,omitempty"` // what it waits for, in words
	Key      string      `json:"-"`                // the same for objects that wait for the same
	Deletion Deletion    `json:"deletion"`
	// What --sort-by and --show-labels want of the object's metadata.
	Labels     map[string]string `json:"-"`
	CreatedAt  time.Time         `json:"-"`
	RootCauses []ItemCause       `json:"rootCauses,omitempty"`
	Ask        finding.Command   `json:"ask"` // the command that tells all about it
}

// ItemCause is a root cause of one object, told in full at its index among the list's.
type ItemCause struct {
	Index     int               `json:"index"`
	Reason    finding.Reason    `json:"reason"`
	Object    finding.Ref       `json:"object"`
	Finalizer string            `json:"finalizer,omitempty"`
	Certainty finding.Certainty `json:"certainty"`
	Count     int               `json:"count"` // objects with this cause that it waits for
}

func (w *writer) listTable(list *List) {
	rows := finding.Each(list.Items, func(item ListItem) []string {
		return []string{
			item.Target.Namespace, item.Resource + "/" + item.Target.Name, since(list.GeneratedAt, item),
			string(item.Verdict), heldBy(item.Deletion.Holds), causesOf(item),
		}
	})
	headings := []string{"NAMESPACE", "NAME", "SINCE", "VERDICT", "HELD BY", "CAUSES"}
	headings, rows = withoutEmpty(headings, rows, headings[:3]...)
	if w.style.Labels {
		headings = append(headings, "LABELS")
		for i, item := range list.Items {
			rows[i] = append(rows[i], labels.FormatLabels(item.Labels))
		}
	}
	w.table("", headings, rows, w.style.Width)
	w.unread(list.Unreadable)
}

func heldBy(holds []finding.Hold) string {
	return cmp.Or(strings.Join(finding.Each(holds, holdName), ","), "<none>")
}

func holdName(hold finding.Hold) string {
	switch hold.Type {
	case finding.GracePeriod:
		return "grace period"
	case finding.SpecFinalizer:
		return "spec:" + hold.Name
	}
	return hold.Name
}

func causesOf(item ListItem) string {
	if len(item.RootCauses) == 0 && item.Verdict != "" {
		return "waits for " + item.Awaits
	}
	return strings.Join(finding.Each(item.RootCauses, func(cause ItemCause) string {
		if cause.Count > 1 {
			return fmt.Sprintf("%s %s and %d more", cause.Reason, cause.Object, cause.Count-1)
		}
		return fmt.Sprintf("%s %s", cause.Reason, cause.Object)
	}), "; ")
}

// human writes each root cause with what waits for it, or, in wide output and without a request for causes, a row for
// each object. That nothing is Terminating has been said.
func (l *List) human(w *writer) {
	if slices.ContainsFunc(l.Items, func(item ListItem) bool { return item.Verdict != "" }) && !w.style.Wide {
		w.list(l)
	} else if len(l.Items) > 0 {
		w.listTable(l)
	}
}

func (w *writer) list(list *List) {
	w.paragraph("", Headline(list), w.style.headingText)
	for number := range list.RootCauses {
		w.line()
		w.listCause(list, number)
	}
	w.listOthers(list, "NOT SETTLED", Undetermined)
	w.listOthers(list, "GOING ON", Progressing)
	w.unread(list.Unreadable)
}

// Headline is a list in one sentence.
func Headline(list *List) string {
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

func (w *writer) listCause(list *List, number int) {
	cause := list.RootCauses[number]
	w.causeHeading(numbers([]int{number}), len(list.RootCauses), cause)
	if cause.Count > 1 {
		w.paragraph("  ", fmt.Sprintf("The same holds for %d more.", cause.Count-1), nil)
	}
	waiting := slices.DeleteFunc(slices.Clone(list.Items), func(item ListItem) bool {
		return !slices.ContainsFunc(item.RootCauses, func(one ItemCause) bool { return one.Index == number })
	})
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

// listOthers prints the objects of one verdict that wait for no root cause.
func (w *writer) listOthers(list *List, heading string, verdict Verdict) {
	items := slices.DeleteFunc(slices.Clone(list.Items), func(item ListItem) bool {
		return item.Verdict != verdict || len(item.RootCauses) > 0
	})
	if len(items) == 0 {
		return
	}
	w.section(heading)
	words := map[string]string{} // of the first of a key: groups with the same text are one
	for _, item := range slices.Backward(items) {
		words[item.Key] = item.Awaits
	}
	groups := groupBy(items, func(item ListItem) string { return words[item.Key] })
	slices.SortFunc(groups, func(a, b []ListItem) int { // the largest first
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a[0].Awaits, b[0].Awaits))
	})
	for i, group := range groups {
		if i == pathLines && len(groups) > pathLines+1 {
			w.paragraph("  ", fmt.Sprintf("and %d more; -o wide has every object on a line", len(groups)-i), nil)
			return
		}
		who := group[0].Target.String() + " waits for " // the clause may continue about it
		if len(group) > 1 {
			who = "Each of these waits for "
		}
		w.paragraph("  ", who+group[0].Awaits+":", w.style.waitingText)
		w.alike(list.GeneratedAt, group, -1)
	}
}
