package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ListTable writes one row for each object.
func ListTable(out io.Writer, list *List, style Style) error {
	w := &writer{out: out, style: style}
	diagnosed := slices.ContainsFunc(list.Items, func(item ListItem) bool { return item.Verdict != "" })
	headings := []string{"NAMESPACE", "NAME", "SINCE", "VERDICT", "HELD BY", "CAUSES"}
	if !diagnosed {
		headings = []string{"NAMESPACE", "NAME", "SINCE", "HELD BY"}
	}
	var rows [][]string
	for _, item := range list.Items {
		row := []string{item.Target.Namespace, item.Resource + "/" + item.Target.Name, since(list.GeneratedAt, item)}
		if diagnosed {
			row = append(row, string(item.Verdict), heldBy(item.Deletion.Holds), causesOf(item))
		} else {
			row = append(row, heldBy(item.Deletion.Holds))
		}
		rows = append(rows, row)
	}
	w.table("", headings, rows, w.style.Width)
	w.unread(list.Unreadable)
	return w.err
}

// NothingFound writes an answer that found nothing and could not look at everything, with what is missing.
func NothingFound(out io.Writer, says string, unreadable []Unreadable, style Style) error {
	w := &writer{out: out, style: style}
	w.paragraph("", EscapeText(says), style.headingText)
	w.unread(unreadable)
	return w.err
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
	if len(names) == 0 {
		return "waits for " + item.Awaits
	}
	return strings.Join(names, "; ")
}

// ListNames writes the objects as kubectl's -o name does.
func ListNames(out io.Writer, list *List) error {
	for _, item := range list.Items {
		if _, err := fmt.Fprintf(out, "%s/%s\n", item.Resource, item.Target.Name); err != nil {
			return err
		}
	}
	return nil
}
