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
	h := w.heldBy(object, hold, nil)
	if !h.readTemplate(ctx) {
		return h.unknown(nil)
	}
	if answer, moves := h.moving(ctx); moves {
		return answer
	}
	h.unsure = len(unsure) > 0
	h.find(ctx)
	if !h.unsure {
		return h.answer(ctx)
	}
	if !h.nothing {
		h.failed = append(h.failed, "what may refuse the removal")
	}
	return h.unknown(nil)
}

// moving answers for a controller that has just written to the object, and complains of nothing.
func (h *held) moving(ctx context.Context) (facts.Answer, bool) {
	last := h.lastWords()
	if !h.object.Terminating() || last.At.IsZero() || h.Now().Sub(last.At) > freshWrite {
		return facts.Answer{}, false
	}
	if err := h.instance(ctx); err != nil {
		return facts.Answer{}, false
	}
	if h.known != nil || !h.foreign() { // else the status tells of others
		if h.object.Whole == nil || len(controller.Reports(h.object.Whole)) > 0 {
			return facts.Answer{}, false
		}
	}
	return h.atWork(last.Manager, writtenEvidence(h.object, last, h.Ago(last.At))), true
}

func (h *held) atWork(who string, evidence ...graph.Evidence) facts.Answer {
	return facts.Progress(facts.Note{
		Message:  fmt.Sprintf("%s is at work on %s, which it has yet to release from %s.", who, h.object.Ref, h.hold.Name),
		Awaited:  fmt.Sprintf("%s to remove the finalizer %s from %s, which it is at work on", who, h.hold.Name, h.object.Ref),
		Evidence: evidence,
	})
}

// nobodyMay answers where RBAC lets nobody remove the finalizer, and nothing else leads to a controller.
func (h *held) nobodyMay() facts.Answer {
	if report, speaks := h.report(); speaks && (h.leased || h.justSaid()) {
		return facts.Cause(h.failing(nil, report.Words, h.reported(report)))
	}
	if h.leased || h.elsewhere() {
		return h.unknown(nil) // somebody lives who can't be found
	}
	return facts.Cause(h.missing())
}

// elsewhere tells whether the controller is known never to run in this cluster.
func (h *held) elsewhere() bool {
	return h.known != nil && strings.HasPrefix(h.known.MayRunOutside, "always")
}

// madeUp tells whether a person may have made the finalizer up: a bare word, which no program is known to
// have set.
func (s *search) madeUp() bool {
	return controller.IsBareWord(s.finalizer) && len(s.gone) == 0 && len(s.managers) == 0
}

// justSaid tells whether the status was written so lately that whoever did lives.
func (h *held) justSaid() bool {
	if h.object.Whole == nil {
		return false
	}
	written := controller.StatusWritten(h.object.Whole.GetManagedFields())
	return !written.At.Before(h.object.RequestedAt()) && h.Now().Sub(written.At) < DriverAlive
}

// report returns the trouble that the held object's status tells of, if that is not about what was before
// the deletion.
func (h *held) report() (controller.Report, bool) {
	if h.object.Whole == nil || h.foreign() && h.known == nil {
		return controller.Report{}, false
	}
	if report, speaks := h.told(); speaks {
		return report, true
	}
	for _, report := range controller.Reports(h.object.Whole) {
		if !report.Before {
			return report, true
		}
	}
	return controller.Report{}, false
}

// told returns the trouble that stands where a plugin says that the controller tells why it waits, if that was
// written with the deletion in view. What is not trouble, or older, is evidence and no more.
func (h *held) told() (controller.Report, bool) {
	if h.known == nil {
		return controller.Report{}, false
	}
	for _, field := range h.known.StatusFields {
		for _, value := range field.Values(h.object.Whole.Object) {
			if report, trouble := controller.FieldReport(h.object.Whole, strings.Trim(field.Path, "{}.")+" ("+field.Says+")", value); trouble && report.Seen {
				return report, true
			}
		}
	}
	return controller.Report{}, false
}

func (h *held) reported(report controller.Report) graph.Evidence {
	observed := report.Where + ": " + facts.Quoted(report.Words)
	switch {
	case report.Seen:
		observed += ", said after the deletion"
	default:
		observed += "; whether that was said after the deletion can't be told"
	}
	one := refusal.ObservedOf(h.object, observed)
	if at := report.At; !at.IsZero() {
		one.At = &at
	}
	return one
}

// running answers for a controller that runs and may remove the finalizer: it fails, it is at work, or
// nothing tells.
func (h *held) running(ctx context.Context, c *candidate) facts.Answer {
	if !h.object.Terminating() {
		return facts.Answer{} // nothing is asked of it yet
	}
	if err := h.instance(ctx); err != nil {
		h.cannot(h.object.Ref.String(), err)
		return h.unknown(c)
	}
	if report, speaks := h.report(); speaks {
		return facts.Cause(h.failing(c, report.Words, h.reported(report)))
	}
	events, err := h.Warnings(ctx, h.object)
	if err != nil {
		h.cannot("events about "+h.object.Ref.String(), err)
		return h.unknown(c)
	}
	for _, event := range slices.Backward(events) {
		if at := facts.EventTime(event); !at.Before(h.object.RequestedAt()) && h.saidBy(c, facts.Reporter(event)) {
			said := facts.Complaint{By: facts.Reporter(event), Words: event.Message, Source: "event " + event.Reason + " from " + facts.Reporter(event), At: at}
			return facts.Cause(h.failing(c, said.Words, said.Evidence(h.object.Ref)))
		}
	}
	if last := h.lastWords(); !last.At.IsZero() && h.Now().Sub(last.At) < freshWrite {
		return h.atWork(c.String(), append(slices.Clone(c.evidence), writtenEvidence(h.object, last, h.Ago(last.At)))...)
	}
	if h.Since(h.object) < facts.Patience {
		return h.atWork(c.String(), append(slices.Clone(c.evidence), refusal.ObservedOf(h.object, "deleted "+h.Ago(h.object.RequestedAt())+" ago"))...)
	}
	if who, moved := h.movedMeanwhile(ctx); moved {
		return h.atWork(c.String(), append(slices.Clone(c.evidence), graph.Evidence{Source: "a second look", Observed: who + " wrote to it between two looks", Object: &h.object.Ref})...)
	}
	return h.unknown(c)
}

// saidBy tells whether an event may be a candidate's: of an object of Kubernetes' own, others report too.
func (h *held) saidBy(c *candidate, reporter string) bool {
	if !h.foreign() {
		return true
	}
	names := append(h.words(), h.candidateNames(c)...)
	return controller.Mentions(reporter, names...) || h.known != nil && matchesAny(h.known.Managers, reporter)
}

// candidateNames are the names of a candidate that say who it is.
func (h *held) candidateNames(c *candidate) (names []string) {
	for _, name := range []string{c.account.Name, c.ref().Name} {
		if !controller.Generic(name) {
			names = append(names, name)
		}
	}
	return names
}

func (h *held) movedMeanwhile(ctx context.Context) (string, bool) {
	if !h.Rest(ctx) {
		return "", false
	}
	now, err := h.Reader.Fresh().Metadata(ctx, h.object.Resource, h.object.Ref.Namespace, h.object.Ref.Name)
	if err != nil || now.UID != h.object.Meta.UID || now.ResourceVersion == h.object.Meta.ResourceVersion {
		return "", false
	}
	who, moved := changed(h.object.Meta, now)
	return who, moved && h.theirs(who)
}

// DriverAlive is how fresh a driver's own complaint must be to show that it runs, wherever that is:
// sidecars try again at least every few minutes.
const DriverAlive = 15 * time.Minute
