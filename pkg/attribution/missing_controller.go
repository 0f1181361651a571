package attribution

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// missing is the cause of an object whose controller is not in this cluster. That is certain if only administrators may
// remove the finalizer, or if the accounts that may don't exist; it is likely if an account may do everything.
func (h *held) missing() finding.Finding {
	evidence := append(h.writes().setterEvidence(), h.search.evidence...)
	for _, c := range h.search.gone {
		evidence = append(evidence, c.evidence...)
	}
	unexplained := h.writes().unexplainedEvidence()
	if last := h.writes().lastWriteBut(func(string) bool { return false }); !last.At.IsZero() { // shown, whoever that was
		if unexplained == nil || !unexplained[0].At.Equal(last.At) {
			evidence = append(evidence, h.writes().writtenEvidence(last))
		}
		evidence = append(evidence, h.tracesSeen()...)
	}
	if report, speaks := h.voices().report(); speaks {
		evidence = append(evidence, h.voices().reported(report))
	}
	if len(h.search.gone) == 0 {
		evidence = append(evidence, namespaceEvidence(h.search, h.object)...)
	}
	evidence = append(evidence, unexplained...)
	first, details := firstGone(h.search.gone), h.missingDetails()
	cause := finding.Finding{
		Reason: finding.ControllerMissing, Situation: "UnknownControllerMissing", Details: details,
		Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: h.missingCertainty(), Evidence: evidence,
		Remedies: slices.Concat(
			widen(h), keepBeforeStart(h), h.installAgain(first), wayOut(h.search, h.note, false),
			[]finding.Remedy{h.lastResort()},
		),
		Key: missingKey(h, first, details.Manager),
	}
	if h.search.criteria.known != nil {
		cause.Situation, cause.Evidence = "KnownControllerMissing", append(slices.Clone(h.note.Evidence), evidence...)
	}
	return cause
}

// missingKey joins causes of one program that is missing, whatever kinds and finalizers it should act on: what ran as
// one account, what the catalogue names by its workload, one of its finalizers on kinds of Kubernetes, or what set
// finalizers on kinds of one API group under one name. Nothing else shows that two finalizers are of one program.
func missingKey(h *held, first *candidate, manager string) string {
	const what = "missing controller"
	known, group := h.search.criteria.known, h.object.Resource.Group
	switch ownKinds := strings.Contains(group, "."); {
	case h.template != nil, first == nil && len(h.search.elsewhere) > 0:
	case first != nil && (first.workload != nil || first.account.Name != "default"):
		return finding.KeyOf(what, first)
	case first != nil:
	case known != nil && known.NamesWorkload():
		return finding.KeyOf(what, known.Project, known.RemovedBy)
	case known != nil && h.search.criteria.kindOfKubernetes(): // on whose kinds one program has the finalizer
		return finding.KeyOf(what, known.Project, known.RemovedBy, h.hold.Name)
	case ownKinds && known == nil && manager != "":
		return finding.KeyOf(what, manager, group)
	case ownKinds:
		return finding.KeyOf(what, h.hold.Name, group)
	}
	return h.key(what, first)
}

// tracesSeen is what shows that a program which wrote since the deletion is gone, if it was looked for.
func (h *held) tracesSeen() (evidence []finding.Evidence) {
	for _, c := range h.search.gone {
		if found, looked := h.search.finder.traces.Lookup(c.account); looked && found != nil {
			evidence = append(evidence, *found)
		}
	}
	return evidence
}

// firstGone is the best of the candidates that are not there, or nil.
func firstGone(gone []*candidate) *candidate {
	if len(gone) == 0 {
		return nil
	}
	return gone[0]
}

// namespaceEvidence is about a namespace being deleted: a controller in it went first
// (docs/deletion.md#ways-a-namespace-gets-stuck).
func namespaceEvidence(search search, object *session.Object) []finding.Evidence {
	name := goingNamespace(search, object)
	if name == "" {
		return nil
	}
	observed := "is being deleted, pods first; an operator that ran in this namespace was deleted with it and " +
		"can't come back here"
	if search.session.Foresees {
		observed = "would be deleted, pods first; an operator that runs in this namespace would be deleted with it"
	}
	return []finding.Evidence{session.ObservedOf(session.Named(cluster.Namespaces(), "", name), observed)}
}

// goingNamespace is the namespace of an object, if that is known to be deleted: no controller starts in it.
func goingNamespace(search search, object *session.Object) string {
	whole, known := search.session.Reader.Known(cluster.Namespaces(), "", object.Ref.Namespace)
	if !known || whole.GetDeletionTimestamp() == nil {
		return ""
	}
	return whole.GetName()
}

// missingDetails say who is missing, and in which way.
func (h *held) missingDetails() finding.ControllerMissingDetails {
	details := finding.ControllerMissingDetails{
		Readers: h.search.subjects.readers, ReadBy: h.search.subjects.readBy, Manager: setterProgram(h.setters, h.template),
	}
	for _, c := range h.search.subjects.namesakes {
		if !slices.Contains(details.Namesakes, *c.ref()) && len(dutyElsewhere(&h.search, c)) == 0 {
			details.Namesakes = append(details.Namesakes, *c.ref())
		}
	}
	details.Others = finding.Each(h.search.rivals, func(c *candidate) finding.Ref { return *c.ref() })
	if h.search.criteria.known != nil {
		details.Known = new(knownDetails(h.search, h.note))
	}
	gone := firstGone(h.search.gone)
	if gone == nil && len(h.search.elsewhere) > 0 {
		absenceDetails := finding.AbsenceDetails{Namespace: h.object.Ref.Namespace, Instances: instances(&h.search)}
		absenceDetails.Classes = finding.Each(h.search.leads.classes, objectClass)
		details.Absence = &finding.Phrase{Situation: "OnlyOtherInstances", Details: absenceDetails}
		return details
	}
	if gone == nil {
		details.Absence = h.search.subjects.noRights
		if h.search.criteria.known != nil {
			of := finding.AbsenceDetails{RemovedBy: h.search.criteria.known.RemovedBy, NoRights: h.search.subjects.noRights}
			details.Absence = &finding.Phrase{Situation: "KnownNotVisible", Details: of}
		}
		return details
	}
	details.Account = gone.accountRef()
	details.Alone = len(h.search.gone) == 1 && h.missingCertainty() == finding.Proven
	of := finding.AbsenceDetails{Account: details.Account, Alone: details.Alone, Namespace: gone.namespace}
	of.Already = gone.deletedBefore
	if gone.former != nil {
		details.Workload, of.Workload = &gone.former.Ref, &gone.former.Ref
	}
	absence := finding.Phrase{Details: of}
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
	unsure := slices.ContainsFunc(h.search.gone, func(c *candidate) bool { return !sure(c) })
	others := len(h.search.rivals) > 0 || h.search.subjects.everyone != nil || h.search.subjects.readers ||
		len(h.search.subjects.ordinary)+len(h.search.subjects.outside)+len(
			h.search.subjects.administrators,
		)+len(h.search.subjects.namesakes) > 0
	_, unexplained := h.writes().unexplained()
	switch {
	case unexplained, setByNoneOf(h.search.criteria.managers, h.search.gone),
		h.search.byDomain, len(h.search.elsewhere) > 0, others, unsure,
		h.search.criteria.foreign() && len(h.search.gone) > 0,
		len(h.search.unbound()) > 0,
		h.search.criteria.known != nil && h.search.criteria.known.MayRunOutside != "",
		len(h.search.gone) == 0 && h.search.subjects.noRights == nil:
		return finding.Likely
	}
	return finding.Proven
}

// setByNoneOf reports whether the programs that set the finalizer are known by name, and none of some candidates has
// one of these names.
func setByNoneOf(managers []string, candidates []*candidate) bool {
	return len(managers) > 0 && len(candidates) > 0 && !slices.ContainsFunc(candidates, func(c *candidate) bool {
		same := func(manager string) bool { return alike(manager, c.account.Name) || alike(manager, c.name()) }
		return slices.ContainsFunc(managers, same)
	})
}
