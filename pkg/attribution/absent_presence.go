package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// oneOfSeveral reports whether the chosen candidate may just as well not be the controller.
func oneOfSeveral(h *held, c *candidate) bool {
	return len(h.search.equals) > 0 && !c.starting && c.until.IsZero() || h.search.leads.setterUnseen
}

// notThere says which controller is missing. If an unknown program lives, as a Lease or a write may show, none is
// missing.
func notThere(h *held, result *Presence, found decision) {
	if found.state == nobody && (h.search.leads.liveLease || elsewhere(h.search)) || h.writer.Manager != "" {
		unsettledPresence(h, result, nil)
		return
	}
	for _, c := range h.search.gone {
		result.Evidence = append(result.Evidence, c.evidence...)
	}
	result.State, result.Reason, result.Certainty = Missing, finding.ControllerMissing, h.missingCertainty()
	if len(h.search.gone) == 0 && h.object.Ref.Name == "" {
		result.Certainty = finding.Likely // an object may show a writer from elsewhere, and none was looked at
	}
	result.Situation, result.Details = "ControllerNotThere", h.missingDetails()
	result.Remedies = slices.Concat(widen(h), bringBack(h, firstGone(h.search.gone)), wayOut(h.search, h.note, false))
}

// unsettledPresence says why nothing reports whether the controller is there.
func unsettledPresence(h *held, result *Presence, c *candidate) {
	result.State, result.Certainty, result.Situation = Unsettled, finding.Unknown, "PresenceUnsettled"
	details := finding.ControllerUnknownDetails{Controller: c.ref()}
	switch {
	case len(h.search.failed) > 0:
		result.Situation, details.Unread = "PresenceNotRead", h.search.failed
	case h.writer.Manager != "":
		result.Situation, result.Object = "WrittenByUnseen", h.object.Ref
		details.Manager, details.Written = h.writer.Manager, h.writer.At
		details.Instance = instanceNamed(&h.search, h.writer.Manager)
		result.Evidence = append(slices.Clone(result.Evidence), h.writes().writtenEvidence(h.writer))
	case h.search.subjects.everyone != nil:
		result.Situation, details.Programs = "ProgramsMayRemove", h.search.subjects.everyone
	case elsewhere(h.search):
		result.Situation, result.Details = "ControllerOutside", knownDetails(h.search, h.note)
		return
	case len(h.search.equals) > 0:
		result.Situation, details.Equals = "EquallyLikelyPresent", finding.Each(h.search.equals, (*candidate).equal)
		details.State = c.equal().State
	case h.search.leads.setterUnseen:
		result.Situation, details.Controller = "NothingOfProjectHere", nil
	case c != nil && c.byNameOnly:
		result.Situation = "ProgramOfThatName"
	case h.search.leads.user != "":
		result.Situation, details.Manager = "ProgramActsAsUser", h.search.leads.user
	case h.search.leads.nothing:
		result.Situation, details.Domain = "NothingOfProjectHere", h.search.leads.domain
	case h.search.leads.liveLease:
		result.Situation = "LeaseOfThatNameRenewed"
	case c != nil:
		result.Situation = "ControllerUnexamined"
	}
	if finding.Is(result.Situation, finding.NothingShows) {
		details.LookedAt, details.NotLookedAt = h.search.lookedAt, h.search.notLookedAt
		result.Evidence = append(slices.Clone(result.Evidence), h.places())
	}
	result.Details = details
}
