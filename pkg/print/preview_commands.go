package print

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// commandsOf writes the commands that delete an object, and show how that goes.
func (t *previewText) commandsOf(p *result.Preview) {
	commands := slices.DeleteFunc([]finding.Command{p.Delete, p.Follow},
		func(command finding.Command) bool { return len(command) == 0 })
	if len(commands) == 0 {
		return
	}
	heading, first := "TO DELETE IT, AND SEE ITS PROGRESS", ""
	if len(p.Follow) == 0 {
		heading = "TO DELETE IT"
	}
	switch {
	case len(p.Delete) == 0:
		heading = "TO SEE WHAT BLOCKS IT"
	case p.Outcome == result.WouldBeRefused:
		first = "First resolve what is under WOULD REFUSE. Until then, the API server refuses this deletion."
	case p.Outcome == result.WouldHang && len(p.Refusals)+len(p.RootCauses) > 0:
		first = "First resolve what is under " + t.headings(p) + ". Until then, " + stays(p) + " would stay Terminating."
	}
	if len(p.Delete) > 0 && len(p.Later) > 0 {
		first += " Afterwards, nothing can remove the finalizers of the objects under " + losesController + "."
	}
	t.w.section(heading)
	if first != "" {
		t.w.paragraph("  ", strings.TrimSpace(first), nil)
	}
	for _, command := range commands {
		t.w.command("    ", command)
	}
}

// stays is what would stay for as long as nothing is resolved: the object itself may go all the same.
func stays(p *result.Preview) string {
	itself := func(hanging result.Hanging) bool { return hanging.Object.SameAs(p.Target) }
	if len(p.Refusals) > 0 || slices.ContainsFunc(p.Hanging, itself) {
		return "the object"
	}
	return "the objects named there"
}

// headings names the headings above that have steps.
func (t *previewText) headings(p *result.Preview) string {
	var names []string
	if len(p.Refusals) > 0 {
		names = append(names, wouldRefuse)
	}
	all := len(p.Refusals) + len(p.RootCauses)
	described := min(all, t.extent.described)
	for number := range max(0, described-len(p.Refusals)) {
		names = append(names, hangsHeading(p, number))
	}
	if all > described {
		names = append(names, moreCauses(all-described))
	}
	return finding.And(unique(names))
}
