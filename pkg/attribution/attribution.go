package attribution

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// freshWrite is how young a controller's write must be to show that it is at work now.
const freshWrite = 2 * time.Minute

// Attribute tells whose a custom resource's finalizer is, and why it is still there (deletion-mechanics
// D). Wherever a read fails that could lead to another answer, it knows nothing.
func (f *Finder) Attribute(
	ctx context.Context, object *session.Object, hold finding.Hold, unsure []finding.Evidence,
) session.Answer {
	h := f.heldBy(object, hold, nil)
	if !h.readTemplate(ctx) {
		return h.unknown(nil)
	}
	if answer, moves := h.writtenLately(ctx); moves {
		return answer
	}
	h.unsure = len(unsure) > 0
	h.search = h.finder.searched(ctx, h.criteria)
	if !h.unsure {
		return h.answer(ctx)
	}
	if !h.nothing {
		h.failed = append(h.failed, finding.Unread{Aspect: finding.Refusals})
	}
	return h.unknown(nil)
}

// writtenLately answers for a controller that has just written to the object, and complains of nothing.
func (h *held) writtenLately(ctx context.Context) (session.Answer, bool) {
	last := h.lastWrite()
	if !h.object.Terminating() || last.At.IsZero() || h.session.Now().Sub(last.At) > freshWrite || !h.instance(ctx) {
		return session.Answer{}, false
	}
	own := h.known != nil || !h.foreign() // else the status tells of others
	if own && (h.object.Whole == nil || len(controller.Reports(h.object.Whole)) > 0) {
		return session.Answer{}, false
	}
	return h.atWork(finding.ControllerDetails{Manager: last.Manager}, h.writtenEvidence(last)), true
}

func (h *held) atWork(who finding.ControllerDetails, evidence ...finding.Evidence) session.Answer {
	return session.Progress(finding.Finding{
		Situation: "ControllerAtWork", Details: who, Object: h.object.Ref, Finalizer: h.hold.Name, Evidence: evidence,
	})
}

// nobodyMay answers where RBAC lets nobody remove the finalizer, and nothing else leads to a controller.
func (h *held) nobodyMay() session.Answer {
	if report, speaks := h.report(); speaks && (h.liveLease || h.statusFresh()) {
		return session.Cause(h.failing(nil, report.Words, h.reported(report)))
	}
	if h.liveLease || h.elsewhere() {
		return h.unknown(nil) // somebody lives who can't be found
	}
	return session.Cause(h.missing())
}

// elsewhere tells whether the controller is known never to run in this cluster.
func (h *held) elsewhere() bool {
	return h.known != nil && strings.HasPrefix(h.known.MayRunOutside, "always")
}

func (h *held) statusFresh() bool {
	if h.object.Whole == nil {
		return false
	}
	written := controller.StatusWritten(h.object.Whole.GetManagedFields())
	return !written.At.Before(h.object.RequestedAt()) && h.session.Now().Sub(written.At) < DriverAlive
}

// report returns the trouble that the held object's status tells of, if that is not about what was before the deletion.
func (h *held) report() (controller.Report, bool) {
	if h.object.Whole == nil || h.foreign() && h.known == nil {
		return controller.Report{}, false
	}
	if report, speaks := h.declared(); speaks {
		return report, true
	}
	for _, report := range controller.Reports(h.object.Whole) {
		if !report.Before {
			return report, true
		}
	}
	return controller.Report{}, false
}

// declared returns the trouble that stands where a plugin says that the controller tells why it waits, if that was
// written with the deletion in view. What is not trouble, or older, is evidence and no more.
func (h *held) declared() (controller.Report, bool) {
	if h.known == nil {
		return controller.Report{}, false
	}
	for _, field := range h.known.StatusFields {
		where := strings.Trim(field.Path, "{}.") + " (" + field.Says + ")"
		for _, value := range field.Values(h.object.Whole.Object) {
			if report, trouble := controller.FieldReport(h.object.Whole, where, value); trouble && report.Seen {
				return report, true
			}
		}
	}
	return controller.Report{}, false
}

func (h *held) reported(report controller.Report) finding.Evidence {
	when := "; whether that was said after the deletion can't be told"
	if report.Seen {
		when = ", said after the deletion"
	}
	one := session.ObservedOf(h.object, report.Where+": "+finding.Quoted(report.Words)+when)
	one.At = at(report.At)
	return one
}

// running answers for a controller that runs and may remove the finalizer: it fails, it is at work, or nothing tells.
func (h *held) running(ctx context.Context, c *candidate) session.Answer {
	if !h.object.Terminating() {
		return session.Answer{} // nothing is asked of it yet
	}
	if !h.instance(ctx) {
		return h.unknown(c)
	}
	if report, speaks := h.report(); speaks {
		return session.Cause(h.failing(c, report.Words, h.reported(report)))
	}
	events, err := h.health.Warnings(ctx, h.object)
	if err != nil {
		h.cannot(finding.Unread{Aspect: finding.EventsAbout, Object: &h.object.Ref}, err)
		return h.unknown(c)
	}
	for _, event := range slices.Backward(events) {
		at, by := health.EventTime(event), health.Reporter(event)
		if !at.Before(h.object.RequestedAt()) && h.reportedBy(c, by) {
			said := health.Complaint{By: by, Words: event.Message, Source: "event " + event.Reason + " from " + by, At: at}
			return session.Cause(h.failing(c, said.Words, said.Evidence(h.object.Ref)))
		}
	}
	if sign, works := h.signOfWork(ctx); works {
		return h.atWork(finding.ControllerDetails{Controller: c.ref()}, append(slices.Clone(c.evidence), sign)...)
	}
	return h.unknown(c)
}

// signOfWork tells whether a controller that runs may be at work on the object, by what shows it.
func (h *held) signOfWork(ctx context.Context) (finding.Evidence, bool) {
	if last := h.lastWrite(); !last.At.IsZero() && h.session.Now().Sub(last.At) < freshWrite {
		return h.writtenEvidence(last), true
	}
	if h.session.Since(h.object) < session.Patience {
		return session.ObservedOf(h.object, "deleted "+h.session.Ago(h.object.RequestedAt())+" ago"), true
	}
	who, moved := h.movedMeanwhile(ctx)
	observed := who + " wrote to it between two looks"
	return finding.Evidence{Source: "a second look", Observed: observed, Object: &h.object.Ref}, moved
}

// reportedBy tells whether an event may be a candidate's: of an object of Kubernetes' own, others report too.
func (h *held) reportedBy(c *candidate, reporter string) bool {
	if !h.foreign() {
		return true
	}
	own := slices.DeleteFunc([]string{c.account.Name, c.ref().Name}, controller.Generic)
	return controller.Mentions(reporter, append(h.words(), own...)...) ||
		h.known != nil && matchesAny(h.known.Managers, reporter)
}

// movedMeanwhile takes a second look: whether somebody other than people has written to the object since.
func (h *held) movedMeanwhile(ctx context.Context) (string, bool) {
	if !h.session.Rest(ctx) {
		return "", false
	}
	ref := h.object.Ref
	now, err := h.session.Reader.Fresh().Metadata(ctx, h.object.Resource, ref.Namespace, ref.Name)
	if err != nil || now.UID != h.object.Meta.UID || now.ResourceVersion == h.object.Meta.ResourceVersion {
		return "", false
	}
	for _, entry := range now.ManagedFields {
		manual := controller.WritesManifests(entry.Manager)
		if entry.Time != nil && !manual && entry.Time.After(session.LastWrite(h.object.Meta, entry.Manager)) {
			return entry.Manager, h.mayBeController(entry.Manager)
		}
	}
	return "", false
}

// DriverAlive is how fresh a driver's own complaint must be to show that it runs: sidecars try again every few minutes.
const DriverAlive = 15 * time.Minute
