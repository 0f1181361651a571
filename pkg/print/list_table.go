package print

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"k8s.io/apimachinery/pkg/labels"
)

// rows writes a row for each object.
func (t *listText) rows(list *result.List) {
	rows := finding.Each(list.Items, func(item result.ListItem) []string {
		return []string{
			item.Target.Cluster, item.Target.Namespace, item.Resource + "/" + item.Target.Name, since(list.GeneratedAt, item),
			t.w.style.verdictText(item.Verdict)(string(item.Verdict)), heldBy(item), causesOf(item),
		}
	})
	headings := []string{"CLUSTER", "NAMESPACE", "NAME", "FOR", "VERDICT", "HELD BY", "CAUSES"}
	headings, rows = withoutEmpty(headings, rows, headings[1:4]...)
	if t.w.style.Labels {
		headings = append(headings, "LABELS")
		for i, item := range list.Items {
			rows[i] = append(rows[i], labels.FormatLabels(item.Labels))
		}
	}
	t.w.table("", headings, rows, t.w.style.Width)
	lostWith(t.w, list)
	t.said.unread(list.Unreadable)
}

func heldBy(item result.ListItem) string {
	none := "<none>"
	if item.Besides.Unclear { // what holds a namespace isn't in its metadata
		none = "<unknown>"
	}
	return cmp.Or(strings.Join(finding.Each(item.Deletion.Holds, holdName), ","), none)
}

// holdName is what holds an object, as tables and drawings name it.
func holdName(hold finding.Hold) string {
	switch {
	case hold.Type == finding.GracePeriod:
		return "its kubelet" // which must confirm that the pod has stopped
	case hold.OfContent():
		return "its content"
	case hold.Type == finding.SpecFinalizer:
		return "spec:" + hold.Name
	}
	return hold.Name
}

func causesOf(item result.ListItem) string {
	if len(item.RootCauses) == 0 && item.Verdict != "" {
		return item.Fares
	}
	return strings.Join(finding.Each(item.RootCauses, causeOf), "; ")
}

func causeOf(cause result.ItemCause) string {
	if cause.Count > 1 {
		return fmt.Sprintf("%s %s and %d more", cause.Reason, cause.Object, cause.Count-1)
	}
	return fmt.Sprintf("%s %s", cause.Reason, cause.Object)
}
