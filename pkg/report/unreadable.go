package report

import (
	"fmt"
	"strings"
)

// unreadable tells what could not be looked at.
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
	what := one.Resource
	if one.Name != "" {
		what += "/" + one.Name
	}
	if one.Namespace != "" {
		what += " in " + one.Namespace
	}
	text := fmt.Sprintf("%s (%s)", what, one.Why)
	if w.style.Wide {
		text += ": " + one.Error
	}
	w.paragraph("  - ", text, nil)
}

// unread is unreadable for scans, in which one missing right shows in every kind: what failed in one
// way is told in one line, where there is much of it.
func (w *writer) unread(list []Unreadable) {
	const few = 3
	if len(list) == 0 {
		return
	}
	type sort struct{ why, namespace string }
	groups := map[sort][]Unreadable{}
	var order []sort
	for _, one := range list {
		key := sort{one.Why, one.Namespace}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], one)
	}
	w.section("NOT LOOKED AT")
	for _, key := range order {
		group := groups[key]
		if len(group) <= few+1 || w.style.Wide {
			for _, one := range group {
				w.notLookedAt(one)
			}
			continue
		}
		var names []string
		for _, one := range group[:few] {
			names = append(names, one.Resource)
		}
		text := fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(group)-few)
		if key.namespace != "" {
			text += " in " + key.namespace
		}
		w.paragraph("  - ", text+fmt.Sprintf(" (%s); -o wide lists them all", key.why), nil)
	}
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
