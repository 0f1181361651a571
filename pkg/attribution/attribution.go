package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// freshWrite is how young a controller's write must be to show that it is at work now.
const freshWrite = 2 * time.Minute

// Attribute tells whose a custom resource's finalizer is, and why it is still there (deletion-mechanics
// D). Wherever a read fails that could lead to another answer, it knows nothing.
func (w *World) Attribute(ctx context.Context, object *facts.Object, hold graph.Hold, unsure []graph.Evidence) facts.Answer {
	s := w.search(object, hold)
	told := s.readTemplate(ctx)
	if answer, moves := s.moving(ctx); moves {
		return answer
	}
	found := decision{state: decidedUnsettled}
	switch {
	case !told:
	case s.foreign():
		found = s.decideByDomain(ctx)
	case s.who(ctx) && len(unsure) == 0:
		found = s.decide(ctx)
	}
	if len(unsure) == 0 {
		return s.answer(ctx, found)
	}
	if !s.nothing {
		s.failed = append(s.failed, "what may refuse the removal")
	}
	return s.unknown(nil)
}

// moving answers for a controller that has just written to the object, and complains of nothing.
func (s *search) moving(ctx context.Context) (facts.Answer, bool) {
	last := s.lastWords()
	if !s.object.Terminating() || last.At.IsZero() || s.Now().Sub(last.At) > freshWrite {
		return facts.Answer{}, false
	}
	if err := s.instance(ctx); err != nil {
		return facts.Answer{}, false
	}
	if s.known != nil || !s.foreign() { // else the status tells of others
		if s.object.Whole == nil || len(controller.Reports(s.object.Whole)) > 0 {
			return facts.Answer{}, false
		}
	}
	return s.atWork(last.Manager, writtenEvidence(s.object, last, s.Ago(last.At))), true
}

func (s *search) atWork(who string, evidence ...graph.Evidence) facts.Answer {
	return facts.Progress(facts.Note{
		Message:  fmt.Sprintf("%s is at work on %s, which it has yet to release from %s.", who, s.object.Ref, s.hold.Name),
		Awaited:  fmt.Sprintf("%s to remove the finalizer %s from %s, which it is at work on", who, s.hold.Name, s.object.Ref),
		Evidence: evidence,
	})
}

// nobodyMay answers where RBAC lets nobody remove the finalizer, and nothing else leads to a controller.
func (s *search) nobodyMay() facts.Answer {
	if report, speaks := s.report(); speaks && (s.leased || s.justSaid()) {
		return facts.Cause(s.failing(nil, report.Words, s.reported(report)))
	}
	if s.leased || s.elsewhere() {
		return s.unknown(nil) // somebody lives who can't be found
	}
	return facts.Cause(s.missing())
}

// elsewhere tells whether the controller is known never to run in this cluster.
func (s *search) elsewhere() bool {
	return s.known != nil && strings.HasPrefix(s.known.MayRunOutside, "always")
}

// madeUp tells whether a person may have made the finalizer up: a bare word, which no program is known to
// have set.
func (s *search) madeUp() bool {
	return controller.Nameless(s.hold.Name) && len(s.gone) == 0 && !slices.ContainsFunc(s.setters, controller.Setter.Concrete)
}

// justSaid tells whether the status was written so lately that whoever did lives.
func (s *search) justSaid() bool {
	if s.object.Whole == nil {
		return false
	}
	written := controller.StatusWritten(s.object.Whole.GetManagedFields())
	return !written.At.Before(s.object.RequestedAt()) && s.Now().Sub(written.At) < DriverAlive
}

// report returns the trouble that the held object's status tells of, if that is not about what was before
// the deletion.
func (s *search) report() (controller.Report, bool) {
	if s.object.Whole == nil || s.foreign() && s.known == nil {
		return controller.Report{}, false
	}
	if report, speaks := s.told(); speaks {
		return report, true
	}
	for _, report := range controller.Reports(s.object.Whole) {
		if !report.Before {
			return report, true
		}
	}
	return controller.Report{}, false
}

// told returns the trouble that stands where a plugin says that the controller tells why it waits, if that was
// written with the deletion in view. What is not trouble, or older, is evidence and no more.
func (s *search) told() (controller.Report, bool) {
	if s.known == nil {
		return controller.Report{}, false
	}
	for _, field := range s.known.StatusFields {
		for _, value := range field.Values(s.object.Whole.Object) {
			if report, trouble := controller.Told(s.object.Whole, strings.Trim(field.Path, "{}.")+" ("+field.Says+")", value); trouble && report.Seen {
				return report, true
			}
		}
	}
	return controller.Report{}, false
}

func (s *search) reported(report controller.Report) graph.Evidence {
	observed := report.Where + ": " + facts.Quoted(report.Words)
	switch {
	case report.Seen:
		observed += ", said after the deletion"
	default:
		observed += "; whether that was said after the deletion can't be told"
	}
	one := refusal.ObservedOf(s.object, observed)
	if at := report.At; !at.IsZero() {
		one.At = &at
	}
	return one
}

// running answers for a controller that runs and may remove the finalizer: it fails, it is at work, or
// nothing tells.
func (s *search) running(ctx context.Context, c *candidate) facts.Answer {
	if !s.object.Terminating() {
		return facts.Answer{} // nothing is asked of it yet
	}
	if err := s.instance(ctx); err != nil {
		s.cannot(s.object.Ref.String(), err)
		return s.unknown(c)
	}
	if report, speaks := s.report(); speaks {
		return facts.Cause(s.failing(c, report.Words, s.reported(report)))
	}
	events, err := s.Warnings(ctx, s.object)
	if err != nil {
		s.cannot("events about "+s.object.Ref.String(), err)
		return s.unknown(c)
	}
	for _, event := range slices.Backward(events) {
		if at := facts.EventTime(event); !at.Before(s.object.RequestedAt()) && s.saidBy(c, facts.Reporter(event)) {
			said := facts.Complaint{By: facts.Reporter(event), Words: event.Message, Source: "event " + event.Reason + " from " + facts.Reporter(event), At: at}
			return facts.Cause(s.failing(c, said.Words, said.Evidence(s.object.Ref)))
		}
	}
	if last := s.lastWords(); !last.At.IsZero() && s.Now().Sub(last.At) < freshWrite {
		return s.atWork(c.String(), append(c.evidence, writtenEvidence(s.object, last, s.Ago(last.At)))...)
	}
	if s.Since(s.object) < facts.Patience {
		return s.atWork(c.String(), append(c.evidence, refusal.ObservedOf(s.object, "deleted "+s.Ago(s.object.RequestedAt())+" ago"))...)
	}
	if who, moved := s.movedMeanwhile(ctx); moved {
		return s.atWork(c.String(), append(c.evidence, graph.Evidence{Source: "a second look", Observed: who + " wrote to it between two looks", Object: &s.object.Ref})...)
	}
	return s.unknown(c)
}

// saidBy tells whether an event may be a candidate's: of an object of Kubernetes' own, others report too.
func (s *search) saidBy(c *candidate, reporter string) bool {
	if !s.foreign() {
		return true
	}
	names := append(s.words(), s.candidateNames(c)...)
	return controller.Mentions(reporter, names...) || s.known != nil && matchesAny(s.known.Managers, reporter)
}

// candidateNames are the names of a candidate that say who it is.
func (s *search) candidateNames(c *candidate) (names []string) {
	for _, name := range []string{c.account.Name, c.ref().Name} {
		if !controller.Generic(name) {
			names = append(names, name)
		}
	}
	return names
}

func (s *search) movedMeanwhile(ctx context.Context) (string, bool) {
	if !s.Rest(ctx) {
		return "", false
	}
	now, err := s.Reader.Fresh().Metadata(ctx, s.object.Resource, s.object.Ref.Namespace, s.object.Ref.Name)
	if err != nil || now.UID != s.object.Meta.UID || now.ResourceVersion == s.object.Meta.ResourceVersion {
		return "", false
	}
	who, moved := changed(s.object.Meta, now)
	return who, moved && s.theirs(who)
}

// DriverAlive is how fresh a driver's own complaint must be to show that it runs, wherever that is:
// sidecars try again at least every few minutes.
const DriverAlive = 15 * time.Minute
