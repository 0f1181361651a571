package report

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func (w *writer) unreadable(list []Unreadable) {
	const few = 6
	if len(list) == 0 {
		return
	}
	w.section("NOT LOOKED AT")
	for i, one := range list {
		if i == few && len(list) > few+1 && !w.style.Wide {
			w.paragraph("  - ", fmt.Sprintf("and %d more; -o wide lists them all", len(list)-few), nil)
			return
		}
		w.notLookedAt(one)
	}
}

func (w *writer) notLookedAt(one Unreadable) {
	text := one.Resource
	if one.Name != "" {
		text += "/" + one.Name
	}
	if one.Namespace != "" {
		text += " in " + one.Namespace
	}
	text += " (" + one.Why + ")"
	if w.style.Wide || one.Why == finding.FailedRead { // which gives no reason
		text += ": " + one.Error
	}
	w.paragraph("  - ", text, nil)
}

// unread is unreadable for scans, in which one missing right shows in every kind: much that failed alike is one line.
func (w *writer) unread(list []Unreadable) {
	const few = 3
	if len(list) == 0 {
		return
	}
	w.section("NOT LOOKED AT")
	for _, group := range groupBy(list, func(one Unreadable) [2]string { return [2]string{one.Why, one.Namespace} }) {
		if len(group) <= few+1 || w.style.Wide {
			for _, one := range group {
				w.notLookedAt(one)
			}
			continue
		}
		text := some(group, func(one Unreadable) string { return one.Resource }, few, false, "more")
		if group[0].Namespace != "" {
			text += " in " + group[0].Namespace
		}
		w.paragraph("  - ", text+fmt.Sprintf(" (%s); -o wide lists them all", group[0].Why), nil)
	}
}

// inPart warns of a count that may leave something out.
func inPart(unreadable []Unreadable) string {
	if len(unreadable) == 0 {
		return ""
	}
	return "; not everything could be looked at"
}

// Nothing answers that nothing was found, where not everything could be looked at.
type Nothing struct {
	Says       string
	Unreadable []Unreadable
}

func (n *Nothing) human(w *writer) {
	w.paragraph("", EscapeText(n.Says), w.style.headingText)
	w.unread(n.Unreadable)
}
