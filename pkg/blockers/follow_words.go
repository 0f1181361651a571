package blockers

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// onlyCause is the cause of an answer that says nothing else.
func onlyCause(said session.Answer) (finding.Finding, bool) {
	if len(said.Causes) != 1 || len(said.Waits)+len(said.Progress)+len(said.Open) > 0 || said.Guessed != nil {
		return finding.Finding{}, false
	}
	return said.Causes[0], true
}

// trouble is what an answer says that a controller reports, where it says nothing else.
func trouble(said session.Answer) (finding.ControllerDetails, bool) {
	cause, _ := onlyCause(said)
	reported, is := cause.Details.(finding.ControllerDetails)
	return reported, is && cause.Reason == finding.ControllerFailing && reported.Words != ""
}

// followWords follows what a controller reports to the objects that its words name: one that is being deleted, too, and
// is stuck, is probably what it waits for, unless the cleanup needs it; the answer names others that exist. A Secret is
// never looked at. Where one can't be read, it may be stuck, and what is reported its consequence.
func followWords(
	ctx context.Context, reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer,
	reported finding.ControllerDetails,
) session.Answer {
	var waits []session.Wait
	var seen []finding.Remedy // of the first that is not being deleted
	cause := said.Causes[0]
	cause.Evidence = slices.Clone(cause.Evidence)
	found, unread := reads.NamedInWords(ctx, object, reported.Words)
	for _, named := range found {
		reported.Named = append(reported.Named, named.Ref)
		if !named.Terminating() {
			cause.Evidence = append(cause.Evidence, session.ObservedOf(named, "exists and is not being deleted"))
			if len(seen) == 0 && !usedBySpec(object, named, reported.Words) {
				seen = append(seen, seeNamed(reads, named, reported.Words))
			}
			continue
		}
		observed := session.ObservedOf(named, "deleted "+reads.Ago(named.RequestedAt())+" ago and still there")
		cause.Evidence = append(cause.Evidence, observed.When(named.RequestedAt()))
		if usedBySpec(object, named, reported.Words) {
			continue
		}
		bond := session.Bond{Strength: session.NamedInWords, IfStuck: true, Evidence: []finding.Evidence{
			session.ObservedOf(object, "its controller reports: "+finding.Quoted(reported.Words)), observed,
		}}
		bond.Link = finding.Phrase{Situation: "NamedInReport"}
		waits = append(waits, session.Wait{Blocker: named, Bond: &bond})
	}
	cause.Details, cause.Remedies = reported, append(seen, cause.Remedies...)
	if len(unread) > 0 && len(waits) == 0 {
		reported.Unread = unread
		cause.Situation, cause.Reason, cause.Details = "ReportsOfUnread", "", reported
		return session.Open(cause)
	}
	said.Causes = []finding.Finding{cause}
	if len(waits) == 0 {
		return said
	}
	note := finding.Finding{
		Situation: "WaitsBelow", Object: object.Ref, Finalizer: hold.Name,
		Details: finding.BelowDetails{Controller: reported.Controller},
	}
	return session.Answer{Guessed: &session.Guessed{Waits: waits, Note: note, Instead: said}}
}

// seeNamed is the step to look at an object that a controller's report names, and that is not being deleted. A quota by
// which the API server refuses a request of the controller is not to be deleted.
func seeNamed(reads *session.Session, named *session.Object, words string) finding.Remedy {
	see := finding.Remedy{
		Step: "SeeNamedObject", Details: finding.StepDetails{Object: &named.Ref}, Risk: finding.NoRisk,
		Command: reads.Kubectl.Command(named, "describe"),
	}
	if named.Is("", "ResourceQuota") && statuses.RefusingQuota(words) == named.Ref.Name {
		see.Step = "RaiseNamedQuota"
	}
	return see
}
