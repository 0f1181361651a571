package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// down is the answer for a controller of which no pod is ready.
func (h *held) down(c *candidate) session.Answer {
	details := finding.ControllerDetails{Controller: &c.workload.Ref, Clues: h.linked(c), State: &c.status}
	if c.starting {
		return session.Progress(finding.Finding{
			Situation: "ControllerStarting", Details: details, Finalizer: h.hold.Name, Evidence: c.evidence,
			Key: finding.KeyOf("ControllerStarting", c.workload.Ref, h.hold.Name),
		})
	}
	certainty := finding.Likely
	if c.stale && c.access != nil && c.access.Write && !h.foreign() {
		certainty = finding.Proven
	}
	remedies := slices.Clone(c.remedies)
	if len(remedies) == 0 {
		remedies = h.logs(c)
	}
	if c.account.Name != "" && c.access != nil && !c.allowed && !c.writes(h.ofKind) {
		remedies = append(remedies, h.allow(c, true))
	}
	down := session.Cause(finding.Finding{
		Reason: finding.ControllerDown, Situation: "ControllerNotRunning", Details: details,
		Object: c.workload.Ref, Finalizer: h.hold.Name, Certainty: certainty,
		Evidence: slices.Concat(h.setterEvidence(), h.evidence, c.evidence),
		Remedies: session.Overriding(append(remedies, h.lastResort()), finding.ControllerDown),
	})
	return session.Answer{Waits: []session.Wait{{Blocker: c.workload, ForAnswer: true, Otherwise: down}}}
}

// linked says why somebody is taken for the controller.
func (h *held) linked(c *candidate) []finding.Phrase {
	resource := h.object.Resource.QualifiedName()
	runs := finding.Clue{Account: c.accountRef()}
	switch {
	case c.operates != nil || h.foreign() && h.known == nil:
		if clues := c.pointers(); len(clues) > 0 {
			return clues
		}
	case c.allowed:
		runs.Rights = &finding.Phrase{Situation: "OtherAuthorizerAllows", Details: finding.Clue{Resource: resource}}
	case c.access != nil && c.access.Write:
		runs.Rights = &finding.Phrase{Situation: "RBACAllows", Details: finding.Clue{Resource: resource}}
	case c.access != nil:
		rights := c.rights(resource)
		runs.Rights = &rights
	default:
		return c.clues
	}
	return []finding.Phrase{{Situation: "RunsAs", Details: runs}}
}

// pointers are what leads to a candidate, of an object that many may write.
func (c *candidate) pointers() []finding.Phrase {
	if c.operates == nil {
		return c.clues
	}
	return append([]finding.Phrase{*c.operates}, c.clues...)
}

// suspected are the details of somebody who may not remove the finalizer and is taken for the one to do so.
func (h *held) suspected(c *candidate) finding.ControllerDetails {
	who, resource := c.ref(), h.object.Resource.QualifiedName()
	if c.account.Name != "" {
		who = *c.accountRef()
	}
	details := finding.ControllerDetails{
		Controller: &who, Clues: c.pointers(), Operates: c.operates != nil, Resource: resource, Denied: c.denied,
	}
	if c.operates == nil && c.access != nil {
		details.Clues = append([]finding.Phrase{c.rights(resource)}, c.clues...)
	}
	return details
}

// forbidden is the answer for a controller that runs and may not remove the finalizer.
func (h *held) forbidden(c *candidate) session.Answer {
	var remedies []finding.Remedy
	switch {
	case c.denied:
		remedies = append(remedies, h.seeRights(c), finding.Remedy{Step: "AskForAuthorizer", Risk: finding.NoRisk})
	case c.account.Name != "":
		remedies = append(remedies, h.seeRights(c), h.allow(c, false))
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerForbidden, Situation: "ControllerMayNotUpdate", Details: h.suspected(c),
		Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Evidence: slices.Concat(h.setterEvidence(), h.evidence, c.evidence),
		Remedies: session.Overriding(append(remedies, h.lastResort()), finding.ControllerForbidden),
		Key:      h.key("forbidden controller", c),
	})
}

// failing is the cause of an object of which its controller says that something is wrong. c is nil where nothing
// tells who that is.
func (h *held) failing(c *candidate, words string, said finding.Evidence) finding.Finding {
	details := finding.ControllerDetails{Words: words}
	evidence := slices.Concat([]finding.Evidence{said}, h.setterEvidence(), h.evidence)
	remedies := []finding.Remedy{{
		Step: "MendWhatIsReported", Command: h.session.Kubectl.Command(h.object, "describe"), Risk: finding.NoRisk,
	}}
	if c != nil {
		who := c.ref()
		details.Controller = &who
		evidence = append(evidence, c.evidence...)
		remedies = append(remedies, h.logs(c)...)
	}
	remedies = append(append(remedies, h.wayOut()...), h.lastResort())
	return finding.Finding{
		Reason: finding.ControllerFailing, Situation: "ControllerReports", Details: details,
		Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Evidence: evidence, Remedies: session.Overriding(remedies, finding.ControllerFailing),
	}
}
