package attribution

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// unknown answers if nothing says who removes the finalizer, or why that controller has not.
func (h *held) unknown(c *candidate) session.Answer {
	downWithEquals := c != nil && c.state == candidateDown && len(h.search.equals) > 0
	if h.search.criteria.known != nil && !downWithEquals {
		return h.unsettled(c)
	}
	cause := finding.Finding{
		Reason: finding.ControllerUnknown, Object: h.object.Ref, Finalizer: h.hold.Name, Certainty: finding.Unknown,
		Evidence:   slices.Concat(h.note.Evidence, restated(h.writes().setterEvidence()), h.search.evidence),
		Candidates: slices.Clone(h.search.possible), Unread: h.search.failed,
		Remedies: h.search.finder.AskThenRemove(h.object, h.hold, h.writes().setBy(), UnidentifiedLoss(h.object)),
		Key:      h.key("unidentified", c),
	}
	if setterFound(h, c) {
		cause.Remedies = cause.Remedies[1:] // no one else is there to ask
	}
	report, speaks := h.voices().report()
	if speaks {
		cause.Evidence = append(cause.Evidence, h.voices().reported(report))
	}
	if report.Unchanged && !statuses.SpeaksOfDeletion(report.Words, statuses.Names(h.object.Whole)...) {
		report.Words = "" // it may be about anything, and is evidence
	}
	h.describe(&cause, c, report.Words)
	if h.template != nil {
		force := cause.Remedies[len(cause.Remedies)-1]
		cause.Remedies = append(h.template.repair(h.search.session.Kubectl, h.object.Ref.Kind), force)
	}
	if c != nil {
		cause.Candidates = append(cause.Candidates, *c.ref())
	}
	if c != nil && !c.notSetter {
		if len(h.search.failed) == 0 {
			cause.Evidence = append(cause.Evidence, c.evidence...)
		}
		cause.Remedies = append(waysToTell(h.search, c, h.search.equals), cause.Remedies...)
	}
	if c == nil && len(h.search.shared) > 1 && len(h.search.failed) == 0 && !h.search.leads.setterUnseen {
		cause.Remedies = append(waysToTell(h.search, h.search.shared[0], h.search.shared[1:]), cause.Remedies...)
		for _, one := range h.search.shared {
			cause.Evidence = append(cause.Evidence, one.evidence...)
		}
	}
	cause.Evidence = append(cause.Evidence, h.voices().saidEvidence(cause.Evidence)...)
	for _, rival := range slices.Concat(h.search.equals, h.search.rivals) {
		cause.Candidates = append(cause.Candidates, *rival.ref())
	}
	cause.Unseen = h.writer.Manager != ""
	if len(cause.Candidates)+len(h.search.failed) > 0 || cause.Unseen {
		cause.Remedies = session.OverridingCause(cause.Remedies, finding.ControllerUnknown)
	}
	return session.Cause(cause)
}

// setterFound reports whether a candidate is the program that set the finalizer, by its name, and nothing points at
// another one.
func setterFound(h *held, c *candidate) bool {
	return c != nil && !c.notSetter && c.signs.Has(signs.NamedAsSetter) && len(h.search.equals)+len(h.search.failed) == 0
}

// describe fills in the situation of a cause. reported is the trouble that the object's status tells, if any.
func (h *held) describe(cause *finding.Finding, c *candidate, reported string) {
	cause.Situation = "FinalizerUnidentified"
	details := finding.ControllerUnknownDetails{SetBy: h.writes().setBy(), Controller: c.ref()}
	switch {
	case len(h.search.failed) > 0:
		details.Controller = nil
		cause.Situation, details.Unread, details.Reported = "FinalizerUnidentifiedWithoutReading", h.search.failed, reported
		if reported != "" {
			look := finding.Remedy{
				Step: "MendWhatStatusReports", Command: h.search.session.Kubectl.Command(h.object, "describe"),
				Risk: finding.NoRisk,
			}
			cause.Remedies = append([]finding.Remedy{look}, cause.Remedies...)
			cause.Key = finding.KeyOf(cause.Key, reported)
		}
	case h.search.leads.setterUnseen:
		cause.Situation, details.Controller = "NothingOfProject", nil
	case c != nil && c.ofKindOnly:
		cause.Situation = "ControllerOfKindOnly"
		details.Domain, details.Kind = h.search.leads.domain, h.search.criteria.resource.Kind
		if c.state == candidateDown {
			details.State = &c.status
		}
	case c != nil && c.byNameOnly:
		cause.Situation, details.Clues = "ControllerByNameOnly", c.signs.Phrases()
		if c.state == candidateDown {
			details.State = &c.status
		}
	case c != nil:
		describeSilent(h, cause, c, &details)
	case len(h.search.shared) > 1:
		cause.Situation, details.Equals = "OneOfPrograms", finding.Each(h.search.shared, (*candidate).equal)
		details.Shared = h.search.shared[0].account.String()
	case len(h.search.shared) == 1:
		describeScheduled(h, cause, &details)
	case h.writer.Manager != "":
		cause.Situation, details.Manager, details.Written = "WrittenFromElsewhere", h.writer.Manager, h.writer.At
		details.Instance = instanceNamed(&h.search, h.writer.Manager)
		gone := finding.Each(h.search.gone, func(c *candidate) finding.Ref { return *c.ref() })
		cause.Candidates = append(cause.Candidates, gone...)
	case h.search.leads.user != "":
		cause.Situation, details.Manager = "SetterActsAsUser", h.search.leads.user
	case h.search.leads.nothing:
		cause.Situation, details.Domain = "NothingOfProject", h.search.leads.domain
	case h.search.leads.liveLease:
		cause.Situation = "LeaseOfProjectRenewed"
	case h.search.subjects.everyone != nil:
		cause.Situation, details.Programs = "EveryProgramMayRemove", h.search.subjects.everyone
	}
	addPlaces(h, cause, &details)
	cause.Details = details
}

// describeSilent is describe for a program that runs and does not act, as far as it was seen.
func describeSilent(h *held, cause *finding.Finding, c *candidate, details *finding.ControllerUnknownDetails) {
	cause.Situation, details.Idle = "ControllerSilent", h.writes().idle(c)
	details.Manager, details.Written = h.stamps.Manager, h.stamps.At
	cause.Evidence = append(cause.Evidence, h.writes().idleEvidence(c)...)
	details.Rivals = finding.Each(h.search.rivals, (*candidate).String) // the likelier first
	details.Lacks, details.Unentitled = h.lacks, unentitled(h, c)
	details.OnlyVerb = onlyVerb(h, c)
	if details.Equals = finding.Each(h.search.equals, (*candidate).equal); len(details.Equals) > 0 {
		cause.Situation, details.State = "EquallyLikely", c.equal().State
	}
	for _, said := range sayings(h.search, h.object) {
		if said.Seen && !h.voices().byOthers(said) && !finding.Quotes(cause.Evidence, said.Words) {
			details.Said = cmp.Or(details.Said, said.Words)
		}
	}
}

// describeScheduled is describe for a CronJob that waits for its next run: a Job of it can be started before.
func describeScheduled(h *held, cause *finding.Finding, details *finding.ControllerUnknownDetails) {
	cron := *h.search.shared[0].ref()
	cause.Situation, details.Controller = "RunsOnSchedule", &cron
	run := finding.Remedy{
		Step: "RunCronJobNow", Details: finding.StepDetails{Object: &cron},
		Command: h.search.session.Kubectl.Prefix(cron, "create", "job", cron.Name+"-now", "--from=cronjob/"+cron.Name),
		Risk:    finding.Disruption,
	}
	at := slices.IndexFunc(cause.Remedies, func(one finding.Remedy) bool { return one.Risk != finding.NoRisk })
	if at < 0 {
		at = len(cause.Remedies)
	}
	cause.Remedies = slices.Insert(slices.Clone(cause.Remedies), at, run) // safest first
}

// equal is a candidate to which as much points as to the chosen one.
func (c *candidate) equal() finding.EqualProgram {
	equalProgram := finding.EqualProgram{Program: *c.ref(), Unexamined: c.state == ""}
	if c.state == candidateDown {
		equalProgram.State = &c.status
	}
	return equalProgram
}

// waysToTell are steps that show whether a candidate is the controller, or make it work if it is, and those of others
// that may be it just as well: the logs of the first one that runs come before all that changes anything.
func waysToTell(search search, c *candidate, equals []*candidate) (steps []finding.Remedy) {
	var logs []finding.Remedy
	for _, one := range slices.Concat([]*candidate{c}, equals) {
		named := one.state == candidateDown || one.byNameOnly || one.ofKindOnly || one != c
		switch {
		case len(one.remedies) > 0 && named:
			steps = append(steps, one.ifTheOne()...)
		case len(logs) == 0 && (one == c || one.state == candidateAlive):
			logs = readLogsOf(search, one)
		}
	}
	return append(logs, steps...)
}

// ifTheOne are a candidate's remedies for the case that it is the controller.
func (c *candidate) ifTheOne() []finding.Remedy {
	remedies := slices.Clone(c.remedies)
	remedies[0].Step, remedies[0].Details = "IfThatIsTheOne", c.remedies[0]
	return remedies
}

// unsettled answers for a finalizer whose controller is in the catalogue: nothing says what state that is in.
func (h *held) unsettled(c *candidate) session.Answer {
	note, details := h.note, knownDetails(h.search, h.note)
	note.Evidence = append(slices.Clone(note.Evidence), h.search.evidence...)
	switch {
	case len(h.search.failed) > 0:
		details.Unread = h.search.failed
	case c != nil:
		details.Controller, details.Idle, details.Said = c.ref(), h.writes().idle(c), lastWords(h)
		details.Manager, details.Written, details.Lacks = h.stamps.Manager, h.stamps.At, h.lacks
		note.Evidence = slices.Concat(note.Evidence, c.evidence, h.writes().idleEvidence(c))
		note.Remedies = append(WithoutStart(note.Remedies), readLogsOf(h.search, c)...)
	case h.writer.Manager != "":
		details.Manager, details.Written = h.writer.Manager, h.writer.At
	}
	note.Evidence = append(note.Evidence, h.voices().saidEvidence(note.Evidence)...)
	note.Details = details
	return session.Open(note)
}
