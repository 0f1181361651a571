package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unknown answers where nothing tells who removes the finalizer, or why that one has not.
func (h *held) unknown(c *candidate) session.Answer {
	if h.known != nil {
		return h.unsettled(c)
	}
	evidence, setBy := h.whoSet()
	evidence = append(evidence, h.evidence...)
	if report, speaks := h.report(); speaks {
		evidence = append(evidence, h.reported(report))
	}
	why := "and nothing readable tells whose it is." + setBy
	awaited := "somebody unidentified to remove the finalizer " + h.hold.Name + " from %s"
	switch {
	case len(h.failed) > 0:
		why = "and whose it is can't be told without reading " + strings.Join(h.failed, "; and ") + "." + setBy
	case c != nil && c.nominal:
		why = fmt.Sprintf("which %s may be the one to remove: it %s, and nothing but names leads to it; %s.%s", c, strings.Join(c.hints, ", and "), c.fares(), setBy)
		evidence = append(evidence, c.evidence...)
	case c != nil:
		why = fmt.Sprintf("which %s may be the one to remove. It runs and may do so, and nothing readable tells why it has not; its logs may.%s%s", c, h.others(), setBy)
		awaited = fmt.Sprintf("%s, as far as can be told, to remove the finalizer %s from %%s", c, h.hold.Name)
		evidence = append(evidence, c.evidence...)
	case h.nothing:
		why = h.nothingGoesBy("and ") + "." + setBy
	case h.leased:
		why = "and a Lease of that project is renewed, so that something of it runs, and nothing leads to what holds it." + setBy
	case h.everyone != "":
		why = "and by RBAC " + h.programs + " may remove it." + setBy
	}
	remedies, candidates := h.finder.AskThenRemove(h.object, h.hold), h.possible
	if h.made != nil {
		remedies = append(h.mendTemplate(), remedies[len(remedies)-1])
	}
	if c != nil {
		remedies, candidates = append(h.logs(c), remedies...), append(slices.Clone(h.possible), c.ref())
		if c.nominal && len(c.remedies) > 0 {
			remedies = append(slices.Clone(c.remedies), remedies[len(h.logs(c)):]...)
			remedies[0].Action = "If that is the one: " + strings.ToLower(remedies[0].Action[:1]) + remedies[0].Action[1:]
		}
	}
	for _, rival := range h.rivals {
		candidates = append(candidates, rival.ref())
	}
	if len(candidates)+len(h.failed) > 0 {
		remedies = session.Overriding(remedies, finding.ControllerUnknown)
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerUnknown, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Unknown,
		Message: fmt.Sprintf("%s is held by the finalizer %s, %s", h.object.Ref, h.hold.Name, why),
		Awaited: fmt.Sprintf(awaited, h.object.Ref), Evidence: evidence, Remedies: remedies,
		Candidates: candidates, Unread: h.failed,
		Alike: h.alike("unidentified", c), Several: h.several(awaited),
	})
}

// others names who else may be the controller, the likelier first, as a sentence.
func (h *held) others() string {
	if len(h.rivals) == 0 {
		return ""
	}
	names := make([]string, len(h.rivals))
	for i, rival := range h.rivals {
		names[i] = rival.String()
	}
	return fmt.Sprintf(" Less points at %s, which may be the one as well.", session.Some(names, mostNamed))
}

// fares says in a few words how a candidate does that a name alone leads to.
func (c *candidate) fares() string {
	if c.state == candidateDown {
		return "it " + c.words
	}
	return "it runs, and nothing readable tells whether it is"
}

// nothingGoesBy says that nothing in the cluster has to do with a finalizer's domain.
func (h *held) nothingGoesBy(and string) string {
	if h.domain == "" {
		return and + "nothing in this cluster goes by the name of who set it"
	}
	return fmt.Sprintf("%snothing in this cluster goes by %s: no API group, role, webhook, Lease or workload", and, h.domain)
}

// unsettled answers for a finalizer of which a plugin tells whose it is: nothing tells how that one fares.
func (h *held) unsettled(c *candidate) session.Answer {
	note := h.note
	note.Evidence = append(slices.Clone(note.Evidence), h.evidence...)
	switch {
	case len(h.failed) > 0:
		note.Message += " How that one fares can't be told without reading " + strings.Join(h.failed, "; and ") + "."
	case c != nil:
		note.Message += fmt.Sprintf(" %s runs, and nothing readable tells why it has not.", c)
		note.Evidence = append(note.Evidence, c.evidence...)
		note.Remedies = append(slices.Clone(note.Remedies), h.logs(c)...)
	}
	return session.Open(note)
}

// alike joins causes of one kind about one finalizer and one controller.
func (h *held) alike(what string, c *candidate) string {
	who := ""
	if c != nil {
		who = c.String()
	}
	if h.made != nil {
		who += " of the template of " + h.made.of.Ref.String()
	}
	return fmt.Sprintf("%s Finalizer %s on %s %s", what, h.hold.Name, h.object.Resource.QualifiedName(), who)
}

func (h *held) several(awaited string) func(int) string {
	return func(count int) string {
		return fmt.Sprintf(awaited, fmt.Sprintf("%d objects of kind %s", count, h.object.Ref.Kind))
	}
}
