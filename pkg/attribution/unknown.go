package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unknown answers where nothing tells who removes the finalizer, or why that one has not.
func (h *held) unknown(c *candidate) session.Answer {
	if h.known != nil {
		return h.unsettled(c)
	}
	cause := finding.Finding{
		Reason: finding.ControllerUnknown, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Unknown,
		Evidence: slices.Concat(h.setterEvidence(), h.evidence), Candidates: slices.Clone(h.possible), Unread: h.failed,
		Remedies: h.finder.AskThenRemove(h.object, h.hold), Key: h.key("unidentified", c),
	}
	if report, speaks := h.report(); speaks {
		cause.Evidence = append(cause.Evidence, h.reported(report))
	}
	h.describe(&cause, c)
	if h.template != nil {
		cause.Remedies = append(h.repairTemplate(), cause.Remedies[len(cause.Remedies)-1])
	}
	if c != nil {
		who := c.ref()
		cause.Candidates = append(cause.Candidates, who)
		if len(h.failed) == 0 {
			cause.Evidence = append(cause.Evidence, c.evidence...)
		}
		cause.Remedies = append(h.waysToTell(c), cause.Remedies...)
	}
	for _, rival := range h.rivals {
		cause.Candidates = append(cause.Candidates, rival.ref())
	}
	if len(cause.Candidates)+len(h.failed) > 0 {
		cause.Remedies = session.Overriding(cause.Remedies, finding.ControllerUnknown)
	}
	return session.Cause(cause)
}

// describe says why nothing tells.
func (h *held) describe(cause *finding.Finding, c *candidate) {
	cause.Situation = "FinalizerUnidentified"
	details := finding.ControllerUnknownDetails{SetBy: h.setBy()}
	if c != nil && len(h.failed) == 0 {
		who := c.ref()
		details.Controller = &who
	}
	switch {
	case len(h.failed) > 0:
		cause.Situation, details.Unread = "FinalizerUnidentifiedWithoutReading", h.failed
	case c != nil && c.byNameOnly:
		cause.Situation, details.Clues = "ControllerByNameOnly", c.clues
		if c.state == candidateDown {
			details.State = &c.status
		}
	case c != nil:
		cause.Situation = "ControllerSilent"
		for _, rival := range h.rivals { // the likelier first
			details.Rivals = append(details.Rivals, rival.String())
		}
	case h.nothing:
		cause.Situation, details.Domain = "NothingOfProject", h.domain
	case h.liveLease:
		cause.Situation = "LeaseOfProjectRenewed"
	case h.everyone != nil:
		cause.Situation, details.Programs = "EveryProgramMayRemove", h.everyone
	}
	cause.Details = details
}

// waysToTell is how to find out whether a candidate is the one.
func (h *held) waysToTell(c *candidate) []finding.Remedy {
	if !c.byNameOnly || len(c.remedies) == 0 {
		return h.logs(c)
	}
	first := c.remedies[0]
	remedies := slices.Clone(c.remedies)
	remedies[0].Step, remedies[0].Details = "IfThatIsTheOne", first
	return remedies
}

// unsettled answers for a finalizer of which the catalogue tells whose it is: nothing tells how that one fares.
func (h *held) unsettled(c *candidate) session.Answer {
	note, details := h.note, h.knownDetails()
	note.Evidence = append(slices.Clone(note.Evidence), h.evidence...)
	switch {
	case len(h.failed) > 0:
		details.Unread = h.failed
	case c != nil:
		who := c.ref()
		details.Controller = &who
		note.Evidence = append(note.Evidence, c.evidence...)
		note.Remedies = append(slices.Clone(note.Remedies), h.logs(c)...)
	}
	note.Details = details
	return session.Open(note)
}

// key joins causes of one kind about one finalizer and one controller.
func (h *held) key(what string, c *candidate) string {
	who, made := "", ""
	if c != nil {
		who = c.String()
	}
	if h.template != nil {
		made = h.template.of.Ref.String()
	}
	return finding.KeyOf(what, h.hold.Name, h.object.Resource.QualifiedName(), who, made)
}
