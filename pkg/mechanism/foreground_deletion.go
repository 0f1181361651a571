package mechanism

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// foregroundDeletion explains an object that goes only after its blocking dependents
// (docs/deletion.md#foreground-deletion).
func foregroundDeletion(ctx context.Context, t *Tools, held Held) Answer {
	blocks := func(dependent *Object) bool { return session.Blocks(dependent, held.Ref.UID) }
	blocking, unlisted, err := dependentsOf(ctx, t.Session, held.Object, blocks)
	switch {
	case err != nil:
		return session.Unread(finding.Unread{Aspect: finding.Discovery}, err)
	case len(blocking) == 0 && len(unlisted.Kinds) > 0:
		if answer, damaged := dependentsDamaged(ctx, t.Session, t.Health, held.Object, unlisted.Kinds); damaged {
			return answer
		}
		return dependentsUnread(held.Object, unlisted, false)
	case len(blocking) == 0:
		task := finding.Phrase{Situation: "ReleaseFromDependents", Details: finding.DependentsDetails{Owner: held.Ref}}
		return unreleased(ctx, t.Refusals, held, task)
	}
	if answer, moves := collecting(ctx, t.Session, t.Health, held.Object, blocking); moves {
		return besidesUnread(answer, held.Object, unlisted, false)
	}
	answer := Answer{}
	others := len(unlisted.Kinds) > 0 || slices.ContainsFunc(blocking, (*Object).Terminating)
	for _, dependent := range blocking {
		wait := Wait{Blocker: dependent, Relation: finding.Owns}
		if !dependent.Terminating() {
			wait.Otherwise = notDeleted(ctx, t, held.Object, dependent, others)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	return besidesUnread(answer, held.Object, unlisted, false)
}

// dozens is how many live dependents may be many only because there were more.
const dozens = 24

// collecting looks twice at dependents that are too many to be taken for stuck at once: whether their number falls.
func collecting(
	ctx context.Context, reads *session.Session, checker *health.Checker, owner *Object, blocking []*Object,
) (Answer, bool) {
	var alive []*Object
	answer := Answer{}
	for _, dependent := range blocking {
		if dependent.Terminating() {
			answer.Waits = append(answer.Waits, Wait{Blocker: dependent, Relation: finding.Owns})
		} else {
			alive = append(alive, dependent)
		}
	}
	if len(alive) < dozens || reads.Since(owner) < session.Patience {
		return Answer{}, false
	}
	if _, up := checker.ControlPlane.ControllerManagerAlive(ctx, owner); !up {
		return Answer{}, false
	}
	evidence, falls := reads.Falls(ctx, alive, session.Deleted)
	if !falls {
		return Answer{}, false
	}
	answer.Add(session.Progress(Finding{
		Situation: "CollectingDependents", Object: owner.Ref,
		Details:  finding.DependentNotDeletedDetails{Owner: owner.Ref, Dependents: len(alive)},
		Evidence: append([]Evidence{evidence}, checker.ControlPlane.LeaseEvidence(ctx)...),
	}))
	return answer, true
}

// notDeleted answers for a blocking dependent that isn't deleted. others: another one is being deleted, or may be.
func notDeleted(ctx context.Context, t *Tools, owner, dependent *Object, others bool) Answer {
	outage, down := t.Health.ControlPlane.ControllerManagerDown(ctx, owner)
	if !down {
		outage = Answer{}
	}
	// What keeps the dependent does so when the collector is back, too.
	answer, kept := kindDamaged(ctx, t.Session, t.Health, dependent)
	if !kept {
		answer, kept = refusedReference(ctx, t.Session, owner, dependent)
	}
	if !kept {
		answer, kept = ownerUndiscovered(ctx, t, owner, dependent)
	}
	if !kept {
		answer, kept = keptByOther(ctx, t, owner, dependent, down)
	}
	deletion := refusal.Deletion(dependent, refusal.SystemAccount(session.GarbageCollector))
	refused := refusal.Refusals{Answer: answer}
	if !kept {
		refused = t.Refusals.Refused(ctx, writesBefore(t.Session, dependent, deletion)...)
	}
	if kept || down || refused.Found() {
		outage.Add(refused.Answer)
		return outage
	}
	if others && !dependent.Meta.CreationTimestamp.Time.Before(owner.RequestedAt()) {
		return cameLate(ctx, t.Session, t.Refusals, owner, dependent, refused)
	}
	left := dependent.Ref.Observed("refers to the owner with blockOwnerDeletion, and has no deletionTimestamp")
	return collectorLate(ctx, t, owner, dependent, refused, Finding{Situation: "DependentToDelete"},
		Finding{Situation: "DependentNotYetDeleted"}, Finding{
			Situation: "DependentLeft", Details: dependentDetails(owner, nil),
			Key: finding.KeyOf("DependentLeft", owner.Ref, dependent.Resource.QualifiedName()), Evidence: []Evidence{left},
			Remedies: []Remedy{
				{Step: "TryDelete", Command: t.Session.Kubectl.Command(dependent, "delete", "--dry-run=server")},
				t.Refusals.MaySend(deletion), StopWaiting(t.Session, owner.Ref, false),
			},
		})
}

// writesBefore are the writes by which the garbage collector deletes a dependent: the dependent no longer blocks its
// owners first, if it may be in a circle with them (docs/deletion.md#circles-of-owners).
func writesBefore(reads *session.Session, dependent *Object, deletion refusal.Write) []refusal.Write {
	if !ownership.Opens(dependent, reads.Owners.KnownReferrers(dependent)) {
		return []refusal.Write{deletion}
	}
	unblocking := refusal.Write{
		Operation: admissionregistrationv1.Update, Object: dependent, Unblocks: true, By: deletion.By,
	}
	return []refusal.Write{unblocking, deletion}
}

func dependentDetails(owner, keeper *Object) finding.DependentNotDeletedDetails {
	since := owner.RequestedAt()
	return finding.DependentNotDeletedDetails{Owner: owner.Ref, OtherOwner: refOf(keeper), Since: &since}
}

// keptByOther answers for a blocking dependent that another owner keeps, if one does: the garbage collector only
// removes the reference to this owner from it (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem).
func keptByOther(ctx context.Context, t *Tools, owner, dependent *Object, down bool) (Answer, bool) {
	if len(dependent.Meta.OwnerReferences) < 2 {
		return Answer{}, false
	}
	others := slices.DeleteFunc(references(ctx, t.Session, dependent), func(judged ownership.Judged) bool {
		return string(judged.Reference.UID) == owner.Ref.UID
	})
	switch outcome, decisive := ownership.Decide(others); {
	case outcome == ownership.Kept && decisive != nil:
		return notDisowned(ctx, t, owner, dependent, decisive.Owner, down), true
	case outcome == ownership.Unknown:
		if answer, damaged := ownerDamaged(ctx, t, owner, dependent, *decisive); damaged {
			return answer, true
		}
		named := decisive.Named()
		return session.Unread(finding.Unread{Aspect: finding.OtherOwner, Object: &named}, decisive.Err), true
	}
	return Answer{}, false
}

func notDisowned(ctx context.Context, t *Tools, owner, dependent, keeper *Object, down bool) Answer {
	write := refusal.Write{
		Operation: admissionregistrationv1.Update, Object: dependent, Disowns: &owner.Ref,
		By: refusal.SystemAccount(session.GarbageCollector),
	}
	refused := t.Refusals.Refused(ctx, write)
	if refused.Found() || down {
		return refused.Answer
	}
	patch := session.DisownPatch(dependent, owner.Ref.UID)
	return collectorLate(ctx, t, owner, dependent, refused, Finding{Situation: "ReferenceToRemove"},
		Finding{Situation: "ReferenceNotYetRemoved"}, Finding{
			Situation: "ReferenceLeft", Details: dependentDetails(owner, keeper),
			Evidence: []Evidence{
				dependent.Ref.Observed("refers to %s with blockOwnerDeletion, and to %s", owner.Ref, keeper.Ref),
				keeper.Ref.Observed("exists, and does not wait for its dependents"),
			},
			Remedies: []Remedy{
				{
					Step:    "TryWrite",
					Command: t.Session.Kubectl.Command(dependent, "patch", "--dry-run=server", "--type", "json", "-p", patch),
				},
				t.Refusals.MaySend(write), removeReference(t.Session, dependent, owner.Ref, finding.Honoured),
				StopWaiting(t.Session, owner.Ref, true),
			},
		})
}

// collectorLate answers for what the garbage collector has yet to do about a dependent: it is due, or late and what
// delays it may be hidden from the reader, or left undone for no reason that can be seen.
func collectorLate(
	ctx context.Context, t *Tools, owner, dependent *Object, refused refusal.Refusals, due, late, left Finding,
) Answer {
	for _, note := range []*Finding{&due, &late, &left} {
		note.Object, note.Details = dependent.Ref, left.Details
	}
	if t.Session.Since(owner) < session.Patience {
		due.Evidence = t.Health.ControlPlane.LeaseEvidence(ctx)
		return t.Refusals.ProgressUnless(ctx, refused, due)
	}
	if answer, failed := t.Health.ControlPlane.ControllerManagerUnread(ctx); failed {
		return answer
	}
	if len(refused.Unsure) > 0 {
		return session.Open(refused.Doubt(late))
	}
	switch made, err := lastRepair(ctx, t.Session, owner, dependent); {
	case err != nil:
		return session.Open(late)
	case made != nil:
		return made.retried(ctx, t, left)
	}
	left.Reason, left.Certainty = finding.DependentNotDeleted, finding.Likely
	left.Evidence = slices.Concat(
		left.Evidence, aboutDependent(ctx, t.Session, t.Health, owner, dependent), refused.Uncertain(),
	)
	return session.Cause(left)
}

// cameLate remarks on a dependent that was made after the owner's deletion had begun, as a controller does that hasn't
// noticed yet. The garbage collector looks at it only when it comes back to the owner, which it does each time that
// another dependent has gone (k8s v1.37 pkg/controller/garbagecollector/graph_builder.go:processGraphChanges).
func cameLate(
	ctx context.Context, reads *session.Session, refusals *refusal.Checker, owner, dependent *Object,
	refused refusal.Refusals,
) Answer {
	at := dependent.Meta.CreationTimestamp.Time
	answer := refusals.ProgressUnless(ctx, refused, Finding{
		Situation: "DependentCameLate", Object: dependent.Ref, Details: dependentDetails(owner, nil),
		Evidence: []Evidence{dependent.Ref.Observed("created %s ago; the owner's deletion was requested %s ago",
			reads.Ago(at), reads.Ago(owner.RequestedAt())).When(at)},
	})
	answer.Remarks, answer.Progress = answer.Progress, nil // others are waited for, and decide
	return answer
}
