package attribution

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func (h *held) down(c *candidate) session.Answer {
	details := finding.ControllerDetails{Controller: &c.workload.Ref, Clues: h.linked(c), State: &c.status}
	if c.starting {
		return session.Progress(finding.Finding{
			Situation: "ControllerStarting", Details: details, Finalizer: h.hold.Name, Evidence: c.evidence,
			Key: finding.KeyOf("ControllerStarting", c.workload.Ref, h.hold.Name),
		})
	}
	remedies := slices.Clone(c.remedies)
	if c.status.Situation == "NoPodLeads" || len(remedies) == 0 {
		remedies = append(h.logs(c), remedies...)
	}
	if c.account.Name != "" && c.access != nil && !c.allowed && !c.writes(h.ofKind) {
		remedies = append(remedies, h.allow(c, true))
	}
	down := h.cause(finding.ControllerDown, c, remedies)
	down.Situation, down.Details, down.Object = "ControllerNotRunning", details, c.workload.Ref
	if c.stale && c.access != nil && c.access.Write && !h.byDomain {
		down.Certainty = finding.Proven
	}
	wait := session.Wait{Blocker: c.workload, ForAnswer: true, Otherwise: session.Cause(down)}
	return session.Answer{Waits: []session.Wait{wait}}
}

// cause is what all causes have in common that are about a controller which is there, or, with nil, is unknown.
func (h *held) cause(reason finding.Reason, c *candidate, remedies []finding.Remedy) finding.Finding {
	cause := finding.Finding{
		Reason: reason, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Evidence: slices.Concat(h.setterEvidence(), h.evidence),
		Remedies: session.Overriding(append(remedies, h.lastResort()), reason),
	}
	if c != nil {
		cause.Evidence = append(cause.Evidence, c.evidence...)
	}
	return cause
}

// linked says why a program is taken for the controller.
func (h *held) linked(c *candidate) []finding.Phrase {
	resource := h.object.Resource.QualifiedName()
	runs := finding.Clue{Account: c.accountRef()}
	switch {
	case c.operates != nil || h.byDomain && h.known == nil:
		if clues := c.pointers(); len(clues) > 0 {
			return clues
		}
	case c.allowed:
		runs.Rights = &finding.Phrase{Situation: "OtherAuthorizerAllows", Details: finding.Clue{Resource: resource}}
	case c.access != nil && c.access.Write:
		runs.Rights = &finding.Phrase{Situation: "RBACAllows", Details: finding.Clue{Resource: resource}}
	case c.access != nil:
		runs.Rights = new(c.rights(resource))
	default:
		return c.foremost()
	}
	return []finding.Phrase{{Situation: "RunsAs", Details: runs}}
}

// pointers are what leads to a candidate, of an object that many may write.
func (c *candidate) pointers() []finding.Phrase {
	if c.operates == nil {
		return c.foremost()
	}
	return append([]finding.Phrase{*c.operates}, c.foremost()...)
}

// foremost are the first of the clues, which are enough to say in a sentence; the evidence has them all.
func (c *candidate) foremost() []finding.Phrase { return c.clues[:min(len(c.clues), 2)] }

// suspected are the details of an account that may not remove the finalizer and is probably its controller.
func (h *held) suspected(c *candidate) finding.ControllerDetails {
	who, resource := c.ref(), h.object.Resource.QualifiedName()
	if c.account.Name != "" {
		who = c.accountRef()
	}
	details := finding.ControllerDetails{
		Controller: who, Clues: c.pointers(), Operates: c.operates != nil, Resource: resource, Denied: c.denied,
	}
	if c.workload != nil && c.account.Name != "" {
		details.Workload = &c.workload.Ref
	}
	if c.operates == nil && c.access != nil {
		others := slices.DeleteFunc(slices.Clone(c.clues), saysElsewhere)
		details.Rights, details.Clues = c.lesserRights(resource), others[:min(len(others), 2)]
	}
	return details
}

// lesserRights is what a candidate may do with the held object's kind, if anything: not what the removal takes, or that
// only in other namespaces. It is nil for one that is denied what RBAC grants, and for one without rights.
func (c *candidate) lesserRights(resource string) *finding.Phrase {
	rights := c.rights(resource)
	if c.denied || rights.Situation == "MayNotUpdate" || rights.Situation == "MayUpdate" {
		return nil
	}
	return &rights
}

// saysElsewhere reports whether a clue only says that a candidate has the right in other namespaces.
func saysElsewhere(clue finding.Phrase) bool { return clue.Situation == "ChangesKindElsewhere" }

// failing is the cause of an object whose controller reports trouble. c is nil where nothing says who that is.
func (h *held) failing(c *candidate, words string, said finding.Evidence) finding.Finding {
	remedies := []finding.Remedy{{
		Step: "MendWhatIsReported", Command: h.session.Kubectl.Command(h.object, "describe"), Risk: finding.NoRisk,
	}}
	if c != nil {
		remedies = append(remedies, h.logs(c)...)
	}
	cause := h.cause(finding.ControllerFailing, c, append(remedies, h.wayOut()...))
	cause.Situation = "ControllerReports"
	details := finding.ControllerDetails{Words: words, Controller: c.ref()}
	if c != nil {
		details.Clues = h.linked(c)
	}
	cause.Details = details
	cause.Evidence = append([]finding.Evidence{said}, cause.Evidence...)
	return cause
}

// unknown answers if nothing says who removes the finalizer, or why that controller has not.
func (h *held) unknown(c *candidate) session.Answer {
	if h.known != nil {
		return h.unsettled(c)
	}
	cause := finding.Finding{
		Reason: finding.ControllerUnknown, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Unknown,
		Evidence:   append(restated(h.setterEvidence()), h.evidence...),
		Candidates: slices.Clone(h.possible), Unread: h.failed,
		Remedies: h.finder.AskThenRemove(h.object, h.hold, h.setBy()), Key: h.key("unidentified", c),
	}
	report, speaks := h.report()
	if speaks {
		cause.Evidence = append(cause.Evidence, h.reported(report))
	}
	h.describe(&cause, c, report.Words)
	if h.template != nil {
		cause.Remedies = append(h.repairTemplate(), cause.Remedies[len(cause.Remedies)-1])
	}
	if c != nil {
		cause.Candidates = append(cause.Candidates, *c.ref())
		if len(h.failed) == 0 {
			cause.Evidence = append(cause.Evidence, c.evidence...)
		}
		cause.Remedies = append(h.waysToTell(c), cause.Remedies...)
	}
	cause.Evidence = append(cause.Evidence, h.saidEvidence(cause.Evidence)...)
	for _, rival := range h.rivals {
		cause.Candidates = append(cause.Candidates, *rival.ref())
	}
	cause.Unseen = h.writer.Manager != ""
	if len(cause.Candidates)+len(h.failed) > 0 || cause.Unseen {
		cause.Remedies = session.Overriding(cause.Remedies, finding.ControllerUnknown)
	}
	return session.Cause(cause)
}

// describe fills in the situation of a cause. reported is the trouble that the object's status tells, if any.
func (h *held) describe(cause *finding.Finding, c *candidate, reported string) {
	cause.Situation = "FinalizerUnidentified"
	details := finding.ControllerUnknownDetails{SetBy: h.setBy(), Controller: c.ref()}
	switch {
	case len(h.failed) > 0:
		details.Controller = nil
		cause.Situation, details.Unread, details.Reported = "FinalizerUnidentifiedWithoutReading", h.failed, reported
		if reported != "" {
			look := finding.Remedy{
				Step: "MendWhatStatusReports", Command: h.session.Kubectl.Command(h.object, "describe"), Risk: finding.NoRisk,
			}
			cause.Remedies = append([]finding.Remedy{look}, cause.Remedies...)
			cause.Key = finding.KeyOf(cause.Key, reported)
		}
	case c != nil && c.ofKindOnly:
		cause.Situation, details.Domain, details.Kind = "ControllerOfKindOnly", h.domain, h.resource.Kind
		if c.state == candidateDown {
			details.State = &c.status
		}
	case c != nil && c.byNameOnly:
		cause.Situation, details.Clues = "ControllerByNameOnly", c.clues
		if c.state == candidateDown {
			details.State = &c.status
		}
	case c != nil:
		cause.Situation, details.Idle = "ControllerSilent", h.idle(c)
		cause.Evidence = append(cause.Evidence, h.idleEvidence(c)...)
		details.Rivals = finding.Each(h.rivals, (*candidate).String) // the likelier first
		for _, said := range h.sayings() {
			if said.Seen && !h.byOthers(said) && !finding.Quotes(cause.Evidence, said.Words) {
				details.Said = cmp.Or(details.Said, said.Words)
			}
		}
	case len(h.shared) > 1:
		cause.Situation, details.Rivals = "OneOfPrograms", finding.Each(h.shared, finding.Ref.String)
	case h.writer.Manager != "":
		cause.Situation, details.Manager, details.Written = "WrittenFromElsewhere", h.writer.Manager, h.writer.At
		gone := finding.Each(h.gone, func(c *candidate) finding.Ref { return *c.ref() })
		cause.Candidates = append(cause.Candidates, gone...)
	case h.nothing:
		cause.Situation, details.Domain = "NothingOfProject", h.domain
	case h.liveLease:
		cause.Situation = "LeaseOfProjectRenewed"
	case h.everyone != nil:
		cause.Situation, details.Programs = "EveryProgramMayRemove", h.everyone
	}
	cause.Details = details
}

func (h *held) waysToTell(c *candidate) []finding.Remedy {
	if !c.byNameOnly && !c.ofKindOnly || len(c.remedies) == 0 {
		return h.logs(c)
	}
	remedies := slices.Clone(c.remedies)
	remedies[0].Step, remedies[0].Details = "IfThatIsTheOne", c.remedies[0]
	return remedies
}

// unsettled answers for a finalizer whose controller is in the catalogue: nothing says what state that is in.
func (h *held) unsettled(c *candidate) session.Answer {
	note, details := h.note, h.knownDetails()
	note.Evidence = append(slices.Clone(note.Evidence), h.evidence...)
	switch {
	case len(h.failed) > 0:
		details.Unread = h.failed
	case c != nil:
		details.Controller, details.Idle = c.ref(), h.idle(c)
		note.Evidence = slices.Concat(note.Evidence, c.evidence, h.idleEvidence(c))
		note.Remedies = append(WithoutStart(note.Remedies), h.logs(c)...)
	}
	note.Evidence = append(note.Evidence, h.saidEvidence(note.Evidence)...)
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
