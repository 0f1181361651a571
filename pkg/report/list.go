package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

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
	Target     finding.Ref     `json:"target"`
	Resource   string          `json:"resource"` // RESOURCE or RESOURCE.GROUP, as kubectl takes it
	Verdict    Verdict         `json:"verdict,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Awaits     string          `json:"awaits,omitempty"` // what it waits for, in words
	Key        string          `json:"-"`                // the same for objects that wait for the same
	Deletion   Deletion        `json:"deletion"`
	RootCauses []ItemCause     `json:"rootCauses,omitempty"`
	Ask        finding.Command `json:"ask"` // the command that tells all about it
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

// listTable writes one row for each object.
func (w *writer) listTable(list *List) {
	rows := finding.Each(list.Items, func(item ListItem) []string {
		return []string{
			item.Target.Namespace, item.Resource + "/" + item.Target.Name, since(list.GeneratedAt, item),
			string(item.Verdict), heldBy(item.Deletion.Holds), causesOf(item),
		}
	})
	headings := []string{"NAMESPACE", "NAME", "SINCE", "VERDICT", "HELD BY", "CAUSES"}
	headings, rows = withoutEmpty(headings, rows, headings[:3]...)
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
