package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// listTable writes one row for each object.
func (w *writer) listTable(list *List) {
	var rows [][]string
	for _, item := range list.Items {
		rows = append(rows, []string{
			item.Target.Namespace, item.Resource + "/" + item.Target.Name, since(list.GeneratedAt, item),
			string(item.Verdict), heldBy(item.Deletion.Holds), causesOf(item),
		})
	}
	headings := []string{"NAMESPACE", "NAME", "SINCE", "VERDICT", "HELD BY", "CAUSES"}
	headings, rows = withoutEmpty(headings, rows, headings[:3]...)
	w.table("", headings, rows, w.style.Width)
	w.unread(list.Unreadable)
}

// heldBy names what holds an object.
func heldBy(holds []finding.Hold) string {
	var names []string
	for _, hold := range holds {
		names = append(names, holdName(hold))
	}
	return cmp.Or(strings.Join(names, ","), "<none>")
}

func holdName(hold finding.Hold) string {
	switch {
	case hold.Type == finding.GracePeriod:
		return "grace period"
	case hold.Type == finding.SpecFinalizer:
		return "spec:" + hold.Name
	}
	return hold.Name
}

// causesOf names the root causes of an object, or what it waits for where there is none.
func causesOf(item ListItem) string {
	var names []string
	for _, cause := range item.RootCauses {
		name := fmt.Sprintf("%s %s", cause.Reason, cause.Object)
		if cause.Count > 1 {
			name += fmt.Sprintf(" and %d more", cause.Count-1)
		}
		names = append(names, name)
	}
	if len(names) == 0 && item.Verdict != "" {
		return "waits for " + item.Awaits
	}
	return strings.Join(names, "; ")
}
