package mechanism

import (
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// switchedOff is the answer for a hold whose controller was told not to act, or not to delete: said is the answer of
// its mechanism. A controller that isn't there stays a cause of its own, and one that a switch of the catalogue pauses
// is no longer at work. A switch that is only named as one is Likely, and pauses no controller that is seen to act.
func switchedOff(ctx context.Context, t *Tools, held Held, said Answer) (answer Answer, off bool) {
	if held.Hold.Type != finding.Finalizer {
		return said, false
	}
	search := &switchSearch{Tools: t}
	bearer, on := switchOn(ctx, search, held, said)
	if on == nil {
		if answer, off = saidPaused(ctx, t, held, said); off {
			return answer, true
		}
		return remarkSwitches(perhapsPaused(said, search.unread), held), false
	}
	cause := switchCause(t, held, bearer, *on)
	answer = session.Cause(cause)
	if bearer != held.Object {
		answer = session.AwaitAnswer(bearer, cause)
	}
	answer.Remarks, answer.Waits = said.Remarks, append(answer.Waits, said.Waits...)
	answer.Causes = append(answer.Causes, troubles(said, cause)...)
	return answer, true
}

// perhapsPaused is an answer that a controller may be at work while nothing is seen to move: it is open where what may
// pause the controller could not be read.
func perhapsPaused(said Answer, unread []finding.Unread) Answer {
	if len(unread) == 0 || acts(said) {
		return said
	}
	for _, note := range said.Progress {
		if details, is := note.Details.(finding.ControllerDetails); is {
			details.Unread = unread
			note.Situation, note.Details, note.Unread = "ControllerMayBePaused", details, unread
			said.Open = append(said.Open, note)
		}
	}
	if len(said.Open) > 0 {
		said.Progress = nil
	}
	return said
}

// troubles are the causes beside a switch: that the controller isn't there, or what it reports. What it reported before
// it was told not to act is about what it then still did.
func troubles(said Answer, off Finding) []Finding {
	details, _ := off.Details.(finding.SwitchDetails)
	return slices.DeleteFunc(slices.Clone(said.Causes), func(cause Finding) bool {
		return cause.Reason == finding.ControllerUnknown ||
			cause.Reason == finding.ControllerFailing && reportedBefore(cause, details.Since)
	})
}

// reportedBefore reports whether a cause is what a controller said no later than a time in whole seconds.
func reportedBefore(cause Finding, when time.Time) bool {
	details, _ := cause.Details.(finding.ControllerDetails)
	return !details.Said.IsZero() && !details.Said.Truncate(time.Second).After(when)
}

// lacksReads reports whether more could have been said if all had been read.
func lacksReads(said Answer) bool {
	lacks := func(note Finding) bool { return len(note.Unread) > 0 }
	return said.Removal == session.RemovalUnsure || slices.ContainsFunc(said.Open, lacks) ||
		slices.ContainsFunc(said.Causes, lacks)
}

// acts reports whether the object's controller was seen to move something. A write alone may be a heartbeat.
func acts(said Answer) bool {
	return slices.ContainsFunc(said.Progress, func(note Finding) bool {
		details, is := note.Details.(finding.ControllerDetails)
		return is && details.Moves
	})
}

func switchCause(t *Tools, held Held, bearer *Object, on switches.Switch) Finding {
	details := finding.SwitchDetails{Field: on.Field(), Value: on.Value, Item: on.Item}
	if bearer != held.Object {
		details.Held = held.Ref
	}
	if known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String()); found && on.Known {
		details.Project = known.Project
	}
	details.Manager, details.Since = whoSet(bearer.Meta, on)
	step := Remedy{
		Step: "ResumePaused",
		Details: finding.StepDetails{
			Object: &bearer.Ref, Text: on.Loses, Appliers: session.AppliersOf(bearer),
		},
		Command: t.Session.Kubectl.Command(bearer, "patch", "--type", "merge", "-p", on.Patch()), Risk: finding.Disruption,
	}
	cause := Finding{
		Reason: finding.ReconciliationPaused, Situation: "ObjectPaused", Details: details, Object: bearer.Ref,
		Finalizer: held.Hold.Name, Certainty: finding.Likely,
		Evidence: []Evidence{bearer.Ref.Observed("%s: %s", on.Field(), on.Value).Ranked(finding.Told)},
		Key:      finding.KeyOf("Switch", bearer.Ref, on.Field()),
	}
	if on.Known && on.Path[0] != "status" { // which may be older than what it is about
		cause.Certainty = finding.Proven
	}
	if on.Protects {
		cause.Reason, cause.Situation = finding.DeletionProtected, "ObjectProtected"
		step.Step, step.Risk = "EndProtection", finding.DataLoss
	}
	if on.Confirmation != nil {
		cause.Situation, step.Step = "DeletionUnconfirmed", "ConfirmDeletion"
		details.Confirmation = switches.Field(on.Confirmation)
		step.Details = finding.StepDetails{
			Object: &bearer.Ref, Name: details.Confirmation, Text: on.Loses, Appliers: session.AppliersOf(bearer),
		}
		cause.Details = details
	}
	if !on.Turnable() || on.Confirmation != nil && t.Session.Foresees {
		step.Command = nil // the time of the deletion is not known yet
	}
	cause.Remedies = []Remedy{step}
	return cause
}

// whoSet is who has set the field of a switch, by managedFields.
func whoSet(meta *metav1.PartialObjectMetadata, on switches.Switch) (manager string, since time.Time) {
	path := finding.Each(on.Path, func(name string) string { return "f:" + name })
	for _, written := range writers.Writers(meta.ManagedFields, path...) {
		if written.At.After(since) || manager == "" {
			manager, since = written.Manager, written.At
		}
	}
	return manager, since
}
