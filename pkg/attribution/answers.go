package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

func (h *held) down(c *candidate) session.Answer {
	details := finding.ControllerDetails{
		Controller: &c.workload.Ref, Clues: linked(h.search, h.object, c), State: &c.status,
		Held: []finding.Ref{h.object.Ref},
	}
	if c.starting {
		return session.Progress(finding.Finding{
			Situation: "ControllerStarting", Details: details, Finalizer: h.hold.Name, Evidence: c.evidence,
			Key: finding.KeyOf("ControllerStarting", c.workload.Ref, h.hold.Name),
		})
	}
	if !c.until.IsZero() {
		return session.Open(finding.Finding{
			Situation: "ControllerMayReturn", Details: details, Finalizer: h.hold.Name, Evidence: c.evidence,
			Key: finding.KeyOf("ControllerMayReturn", c.workload.Ref, h.hold.Name), Until: c.until,
		})
	}
	remedies := slices.Clone(c.remedies)
	if c.quiet != nil && c.quiet.kind == leadsNoMore || len(remedies) == 0 {
		remedies = append(readLogsOf(h.search, c), remedies...)
	}
	lacks := c.access != nil && !h.search.criteria.lets(c.access)
	if c.access == nil {
		lacks = h.search.subjects.everyone == nil && h.search.bare(c) != notBare && !granted(h, c.account)
	}
	if c.account.Name != "" && lacks && !c.allowed {
		remedies = append(remedies, h.allow(c, true)...)
	}
	remedies = append(remedies, createNamed(h)...)
	down := h.cause(finding.ControllerDown, c, remedies)
	down.Situation, down.Details, down.Object = "ControllerNotRunning", details, c.workload.Ref
	if c.node != "" {
		down.Key = finding.KeyOf(h.key("down on node", c), c.node)
	}
	if c.stale && c.access != nil && c.access.Write && !h.search.byDomain && !c.unlikeSetter {
		down.Certainty = finding.Proven
	}
	wait := session.Wait{Blocker: c.workload, ForAnswer: true, Otherwise: session.Cause(down)}
	return session.Answer{Waits: []session.Wait{wait}}
}

// cause is what all causes have in common that are about a controller which is there, or, with nil, is unknown.
func (h *held) cause(reason finding.Reason, c *candidate, remedies []finding.Remedy) finding.Finding {
	if reason == finding.ControllerDown || reason == finding.ControllerForbidden {
		remedies = append(keepBeforeStart(h), remedies...)
	}
	cause := finding.Finding{
		Reason: reason, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Evidence: slices.Concat(h.writes().setterEvidence(), h.search.evidence),
		Remedies: session.OverridingCause(append(remedies, h.lastResort()), reason),
	}
	if c != nil {
		cause.Evidence = append(cause.Evidence, c.evidence...)
	}
	return cause
}

// linked says why a program is taken for the controller.
func linked(search search, object *session.Object, c *candidate) []finding.Phrase {
	resource := object.Resource.QualifiedName()
	runs := finding.Clue{Account: c.accountRef(), Deciding: c.deciding}
	switch {
	case c.operates != nil || search.byDomain && search.criteria.known == nil:
		if clues := c.pointers(); len(clues) > 0 {
			return clues
		}
	case c.allowed:
		runs.Rights = &finding.Phrase{Situation: "OtherAuthorizerAllows", Details: finding.Clue{Resource: resource}}
	case c.through != (rbac.Subject{}):
		runs.Rights = c.rightsThrough(resource)
	case c.access != nil && c.access.Write:
		clue := finding.Clue{Resource: resource, Verb: c.access.Verb()}
		runs.Rights = &finding.Phrase{Situation: "RBACAllows", Details: clue}
	case c.access != nil:
		runs.Rights = new(c.rights(resource))
	default:
		return c.foremost()
	}
	if c.workload == nil { // it is named by what it runs as
		return []finding.Phrase{*runs.Rights}
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
func (c *candidate) foremost() []finding.Phrase {
	told := c.signs.Phrases()
	return told[:min(len(told), 2)]
}

// suspected are the details of an account that may not remove the finalizer and is probably its controller.
func suspected(object *session.Object, c *candidate) finding.ControllerDetails {
	who, resource := c.ref(), object.Resource.QualifiedName()
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
		said := (&candidate{signs: slices.DeleteFunc(slices.Clone(c.signs), saysElsewhere)}).foremost()
		details.Rights, details.Clues = c.lesserRights(resource), said
		elsewhere := details.Rights != nil && finding.Is(details.Rights.Situation, finding.InNamespaces)
		if elsewhere && !object.Resource.Namespaced {
			details.Rights = &finding.Phrase{
				Situation: "BoundInNamespacesOnly",
				Details:   finding.Clue{Resource: resource, Names: c.access.Elsewhere},
			}
		}
	}
	return details
}

// lesserRights is what a candidate may do with the held object's kind, if anything: not what the removal takes, or that
// only in other namespaces. It is nil for one that is denied what RBAC grants, and for one without rights.
func (c *candidate) lesserRights(resource string) *finding.Phrase {
	rights := c.rights(resource)
	if c.denied || finding.Is(rights.Situation, finding.AllOrNothing) {
		return nil
	}
	return &rights
}

// saysElsewhere reports whether a sign only says that a candidate has the right in other namespaces.
func saysElsewhere(one signs.Sign) bool { return one.Kind == signs.MayElsewhere }

// failing is the cause of an object whose controller reports trouble. c is nil where nothing says who that is.
func (h *held) failing(c *candidate, words string, said finding.Evidence) finding.Finding {
	remedies := []finding.Remedy{{
		Step: "MendWhatIsReported", Command: h.search.session.Kubectl.Command(h.object, "describe"), Risk: finding.NoRisk,
	}}
	if c != nil {
		remedies = append(remedies, readLogsOf(h.search, c)...)
	}
	cause := h.cause(finding.ControllerFailing, c, append(remedies, wayOut(h.search, h.note, true)...))
	cause.Situation = "ControllerReports"
	details := finding.ControllerDetails{Words: words, Controller: c.ref()}
	if said.At != nil {
		details.Said = *said.At
	}
	if c != nil {
		details.Clues = linked(h.search, h.object, c)
	}
	cause.Details = details
	cause.Evidence = append([]finding.Evidence{said}, cause.Evidence...)
	return cause
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
