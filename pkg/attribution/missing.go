package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// missing is the cause of an object whose controller is not in this cluster. That is certain where
// RBAC lets nobody but administrators remove the finalizer, or those whom it lets don't exist; it is
// likely where somebody may who may do everything.
func (h *held) missing() finding.Finding {
	evidence := append(h.setterEvidence(), h.evidence...)
	for _, c := range h.gone {
		evidence = append(evidence, c.evidence...)
	}
	if report, speaks := h.report(); speaks {
		evidence = append(evidence, h.reported(report))
	}
	if len(h.gone) == 0 {
		evidence = append(evidence, h.namespaceEvidence()...)
	}
	evidence = append(evidence, h.unexplainedEvidence()...)
	first, details := h.firstGone(), h.missingDetails()
	cause := finding.Finding{
		Reason: finding.ControllerMissing, Situation: "UnknownControllerMissing", Details: details,
		Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: h.missingCertainty(), Evidence: evidence,
		Remedies: slices.Concat(h.bringBack(first), h.wayOut(), []finding.Remedy{h.lastResort()}),
		Key:      h.key("missing controller", first),
	}
	if h.known != nil {
		cause.Situation, cause.Evidence = "KnownControllerMissing", append(slices.Clone(h.note.Evidence), evidence...)
	}
	return cause
}

// firstGone is the best of the candidates that are not there, or nil.
func (s *search) firstGone() *candidate {
	if len(s.gone) == 0 {
		return nil
	}
	return s.gone[0]
}

// namespaceEvidence tells of the held object's namespace, if that is known to be on its way out: a controller
// that ran in it went first (deletion-mechanics B.3-9).
func (h *held) namespaceEvidence() []finding.Evidence {
	whole, known := h.session.Reader.Known(cluster.Namespaces(), "", h.object.Ref.Namespace)
	if !known || whole.GetDeletionTimestamp() == nil {
		return nil
	}
	return []finding.Evidence{session.ObservedOf(session.Named(cluster.Namespaces(), "", whole.GetName()),
		"is being deleted, pods first: if the operator lived in this namespace, it went with it and can't come back here")}
}

// missingDetails say who is missing, and in which way.
func (h *held) missingDetails() finding.ControllerMissingDetails {
	details := finding.ControllerMissingDetails{Readers: h.readers}
	if h.known != nil {
		known := h.knownDetails()
		details.Known = &known
	}
	gone := h.firstGone()
	if gone == nil {
		details.Absence = h.noRights
		if h.known != nil {
			of := finding.AbsenceDetails{RemovedBy: h.known.RemovedBy, NoRights: h.noRights}
			details.Absence = &finding.Phrase{Situation: "KnownNotVisible", Details: of}
		}
		return details
	}
	details.Account = gone.accountRef()
	absence := finding.Phrase{Details: finding.AbsenceDetails{Account: details.Account, Namespace: gone.namespace}}
	switch { // RBAC says who could, and not who did
	case gone.namespaceTerminating && gone.namespace == h.object.Ref.Namespace:
		absence.Situation = "LivedInThisNamespace"
	case gone.namespaceTerminating:
		absence.Situation = "LivedInDeletedNamespace"
	case gone.namespaceGone:
		absence.Situation = "NamespaceIsGone"
	case gone.state == candidateGone:
		absence.Situation = "AccountIsGone"
	default:
		absence.Situation = "NothingRunsAsAccount"
	}
	details.Absence = &absence
	return details
}

func (h *held) missingCertainty() finding.Certainty {
	sure := func(c *candidate) bool {
		return c.state == candidateGone || c.namespaceGone || c.namespaceTerminating || c.stale
	}
	unsure := slices.ContainsFunc(h.gone, func(c *candidate) bool { return !sure(c) })
	others := h.everyone != nil || len(h.ordinary) > 0 || len(h.outside) > 0 || h.readers
	_, unexplained := h.unexplained()
	switch {
	case unexplained, h.foreign(), others, unsure,
		h.known != nil && h.known.MayRunOutside != "",
		len(h.gone) == 0 && h.noRights == nil:
		return finding.Likely
	}
	return finding.Proven
}
